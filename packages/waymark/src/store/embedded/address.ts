import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface LockAddress {
  /** What to listen on and connect to. */
  readonly address: string;
  /** Whether the name outlives a killed process, as the file of a unix socket does. */
  readonly leavesFile: boolean;
}

/** The local socket of a data directory, named by its real path. */
export function addressOf(realPath: string, platform: NodeJS.Platform = process.platform): LockAddress {
  const key = createHash('sha256').update(realPath).digest('hex').slice(0, 32);
  if (platform === 'win32') return { address: `\\\\.\\pipe\\waymark-${key}`, leavesFile: false };
  // The abstract namespace of Linux: no file, gone with the process.
  if (platform === 'linux') return { address: `\0waymark-${key}`, leavesFile: false };
  const folder = join(tmpdir(), `waymark-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return { address: join(folder, `${key}.sock`), leavesFile: true };
}
