import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../tools/node_modules/', import.meta.url));

/** Whether `npm test` could fetch the outside programs; it names them in its summary if not. */
export const haveTools: boolean = existsSync(`${modules}.package-lock.json`);

/** A Node of another major version, from npm, where there is one for this machine. */
export function nodeOf(major: 22 | 24): string | undefined {
  const path = `${modules}node-${major}-${process.platform}-${process.arch}/bin/node`;
  return existsSync(path) ? path : undefined;
}

export const programs = {
  conformance: `${modules}@modelcontextprotocol/conformance/dist/index.js`,
  inspector: `${modules}@modelcontextprotocol/inspector/clients/launcher/build/index.js`,
} as const;

export const waymark: string = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], cwd?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, ...(cwd ? { cwd } : {}) };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}
