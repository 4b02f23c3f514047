import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from './file-errors.ts';

const sync = promisify(fsync);
const temporary = /^\.(.+)\.(\d+)\.[0-9a-f]{12}\.tmp$/;

export interface DurableWrite {
  readonly path: string;
  readonly bytes: Buffer;
  /** The file replaced, whose mode and owner the new one gets. */
  readonly previous?: Pick<Stats, 'mode' | 'uid' | 'gid'>;
  /** Runs when the new file lies complete on disk, just before it takes the old one's place; throwing leaves the old. */
  readonly beforeReplace?: () => void;
}

/** Replaces a file in one step that survives a crash: readers see the old bytes or the new, never a mixture. */
export async function writeDurably({ path, bytes, previous, beforeReplace }: DurableWrite): Promise<void> {
  const temporaryPath = await writeBeside(path, bytes, previous);
  try {
    beforeReplace?.();
    renameSync(temporaryPath, path);
  } catch (error) {
    removeQuietly(temporaryPath);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Creates a file, complete from its first moment; fails with EEXIST where there already is one. */
export async function createDurably(path: string, bytes: Buffer): Promise<void> {
  const temporaryPath = await writeBeside(path, bytes);
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
    // This file system knows no hard links.
    copyFileSync(temporaryPath, path, constants.COPYFILE_EXCL);
  } finally {
    removeQuietly(temporaryPath);
  }
  await syncDirectory(dirname(path));
}

/** Only what waits for the disk leaves the main thread: the write itself ends in the system's cache. */
async function writeBeside(path: string, bytes: Buffer, previous?: DurableWrite['previous']): Promise<string> {
  const name = `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  const temporaryPath = join(dirname(path), name);
  const descriptor = openSync(temporaryPath, 'wx', previous ? previous.mode & 0o777 : 0o644);
  try {
    writeAll(descriptor, bytes);
    if (previous) keepOwner(descriptor, previous);
    await sync(descriptor);
    return temporaryPath;
  } catch (error) {
    removeQuietly(temporaryPath);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written, bytes.length - written);
}

function keepOwner(descriptor: number, previous: Pick<Stats, 'mode' | 'uid' | 'gid'>): void {
  const current = fstatSync(descriptor);
  if (current.uid !== previous.uid || current.gid !== previous.gid) {
    try {
      fchownSync(descriptor, previous.uid, previous.gid);
    } catch {
      // Only root may give files away; another user's group-writable file stays usable through its mode.
    }
  }
  if ((current.mode & 0o7777) !== (previous.mode & 0o7777)) fchmodSync(descriptor, previous.mode & 0o7777);
}

/** Some systems cannot sync a directory, or not this one; the rename itself is still atomic. */
async function syncDirectory(directory: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    await sync(descriptor);
  } catch {
    // Durability is then as good as the file system's own.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Removes what a killed writer of this file left behind. Call while holding its lock. */
export function removeLeftovers(path: string): void {
  const directory = dirname(path);
  for (const name of readdirSync(directory)) {
    const match = temporary.exec(name);
    if (match?.[1] === basename(path)) removeQuietly(join(directory, name));
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already gone.
  }
}
