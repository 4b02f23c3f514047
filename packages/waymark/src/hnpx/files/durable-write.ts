import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, readdirSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './file-errors.ts';

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

async function writeBeside(path: string, bytes: Buffer, previous?: DurableWrite['previous']): Promise<string> {
  const name = `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  const temporaryPath = join(dirname(path), name);
  const handle = await open(temporaryPath, 'wx', previous ? previous.mode & 0o777 : 0o644);
  try {
    await writeAll(handle, bytes);
    if (previous) await keepOwner(handle, previous);
    await handle.sync();
    await handle.close();
    return temporaryPath;
  } catch (error) {
    await handle.close().catch(() => undefined);
    removeQuietly(temporaryPath);
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}

async function keepOwner(handle: FileHandle, previous: Pick<Stats, 'mode' | 'uid' | 'gid'>): Promise<void> {
  const current = await handle.stat();
  if (current.uid !== previous.uid || current.gid !== previous.gid) {
    // Only root may give files away; another user's group-writable file stays readable through its mode.
    await handle.chown(previous.uid, previous.gid).catch(() => undefined);
  }
  if ((current.mode & 0o7777) !== (previous.mode & 0o7777)) await handle.chmod(previous.mode & 0o7777);
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } catch {
    // Some file systems cannot sync a directory; the rename itself is still atomic.
  } finally {
    await handle.close();
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
