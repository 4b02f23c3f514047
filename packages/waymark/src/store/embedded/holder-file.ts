import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Tells the other processes of this user who holds the store, and the secret to talk to it. */
export interface HolderNote {
  readonly pid: number;
  readonly secret: string;
  /** Where a local socket of that process can be reached: the machine and its network namespace. */
  readonly place: string;
}

const beatEvery = 4_000;
/** A holder elsewhere that has not shown life for this long is gone. */
const goneAfter = 15_000;

const pathOf = (dataDirectory: string): string => join(dataDirectory, 'holder.json');

export function readHolderNote(dataDirectory: string): HolderNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(pathOf(dataDirectory), 'utf8'));
    return isHolderNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the note and keeps its time current, so that processes that cannot see the lock can see life. */
export function writeHolderNote(dataDirectory: string): { readonly note: HolderNote; remove(): void } {
  const note: HolderNote = { pid: process.pid, secret: randomBytes(32).toString('hex'), place: place() };
  const path = pathOf(dataDirectory);
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(note), { mode: 0o600 });
  renameSync(unfinished, path);
  const beat = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The directory is gone or full: the store itself will say so.
    }
  }, beatEvery);
  beat.unref();
  return {
    note,
    remove() {
      clearInterval(beat);
      if (readHolderNote(dataDirectory)?.secret === note.secret) rmSync(path, { force: true });
    },
  };
}

/**
 * The lock reaches only as far as local sockets do. A container or a machine that shares the directory cannot
 * see it, but it can see this file change.
 */
export function holderElsewhere(dataDirectory: string): HolderNote | undefined {
  const note = readHolderNote(dataDirectory);
  if (!note || note.place === place()) return undefined;
  const { mtimeMs } = statSync(pathOf(dataDirectory), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  return Date.now() - mtimeMs < goneAfter ? note : undefined;
}

function place(): string {
  return `${hostname()} ${networkNamespace()}`;
}

function networkNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/net');
  } catch {
    return '';
  }
}

function isHolderNote(value: unknown): value is HolderNote {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, secret, place: where } = value as Record<string, unknown>;
  return typeof pid === 'number' && typeof secret === 'string' && typeof where === 'string';
}
