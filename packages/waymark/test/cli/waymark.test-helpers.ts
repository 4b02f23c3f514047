import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}

export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'waymark-test-'));
}

/** Runs the built program to its end, as a person would. */
export function waymark(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  child.stdin.end(options.input ?? '');
  return outcomeOf(child);
}

/** A server in its own process, once it says it is ready. */
export async function startServe(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ url: URL; child: ChildProcessWithoutNullStreams; ended: Promise<Outcome> }> {
  const child = start(['serve', '--port', '0', ...args], options);
  const ended = outcomeOf(child);
  const url = await new Promise<URL>((resolve, reject) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const match = /Waymark ready at (\S+)/.exec(seen);
      if (match?.[1]) resolve(new URL(match[1]));
    });
    void ended.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)));
  });
  return { url, child, ended };
}

function start(args: readonly string[], { cwd, env }: RunOptions): ChildProcessWithoutNullStreams {
  const { DATABASE_URL: _database, WAYMARK_DATA: _data, WAYMARK_MODEL: _model, ...inherited } = process.env;
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...inherited, ...env } });
}

function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}
