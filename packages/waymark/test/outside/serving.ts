import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waymark } from './programs.ts';

export interface Serving {
  readonly url: URL;
  /** Asks it to stop and gives its exit code. */
  stop(): Promise<number | null>;
}

/** `waymark serve` as people run it: its own process, a free port, a data directory of its own. */
export async function startServing(node: string = process.execPath, args: readonly string[] = []): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-serve-'));
  const command = [waymark, 'serve', '--port', '0', '--data', join(folder, 'data'), '--log-level', 'warn', ...args];
  const child = spawn(node, command, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = await readyUrl(child, ended);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

function readyUrl(child: ChildProcess, ended: Promise<number | null>): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const ready = /Waymark ready at (\S+)/.exec(said)?.[1];
      if (ready) resolve(new URL(ready));
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    void ended.then((code) => reject(new Error(`waymark serve ended with ${code}: ${said}`)));
  });
}
