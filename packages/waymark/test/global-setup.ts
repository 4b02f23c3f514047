import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../scripts/test-postgres.mjs', import.meta.url));

/** One Postgres server for the whole run. It watches its input, so it ends even when the run is killed. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['WAYMARK_TEST_POSTGRES']) return undefined;
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  const lines = createInterface({ input: server.stdout });
  const first = await Promise.race([once(lines, 'line'), exited]);
  const { url, reason } = parse(first[0]);
  if (url) process.env['WAYMARK_TEST_POSTGRES'] = url;
  else process.stderr.write(`Tests on a Postgres server are skipped: ${reason}\n`);
  return async () => {
    server.stdin.end();
    await exited;
  };
}

function parse(line: unknown): { url?: string; reason?: string } {
  if (typeof line !== 'string') return { reason: `the server ended at once (${String(line)})` };
  return JSON.parse(line) as { url?: string; reason?: string };
}
