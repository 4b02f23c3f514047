import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readlinkSync, statSync, unlinkSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../kit/index.ts';
import { errnoOf } from './file-errors.ts';

const heartbeatMs = 1000;
/** Less than writers wait, so that they outlive a holder that vanished without a trace. */
const staleAfterMs = 6000;
const namelessAfterMs = 2000;

interface Holder {
  readonly pid: number;
  /** The host and, on Linux, the process namespace: only there does the pid mean something. */
  readonly host: string;
  readonly since: string;
  readonly token: string;
  /** When the process began, as the system counts, because pids are given out again. */
  readonly began?: string | undefined;
}

export interface FileLock {
  /** The one before died while holding it, and may have left files behind. */
  readonly wasTakenOver: boolean;
  /** False when another process took the lock over, because this one slept too long. */
  isHeld(): boolean;
  release(): void;
}

const here = `${hostname()}${processNamespace()}`;

function processNamespace(): string {
  try {
    return ` ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/**
 * One writer at a time, across processes: whoever creates the lock file has it. A holder that died
 * is recognised by its pid on the same host, elsewhere by a heartbeat that stopped.
 */
export async function acquireFileLock(path: string, waitMs: number, signal?: AbortSignal): Promise<FileLock> {
  const deadline = Date.now() + waitMs;
  let wasTakenOver = false;
  for (;;) {
    const lock = tryCreate(path);
    if (lock) return { ...lock, wasTakenOver };
    if (takeOverIfStale(path)) wasTakenOver = true;
    else {
      if (Date.now() >= deadline) throw locked(path);
      await sleep(3 + Math.random() * 12, undefined, signal ? { signal } : {});
    }
  }
}

function tryCreate(path: string): Omit<FileLock, 'wasTakenOver'> | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o644);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  }
  const holder: Holder = {
    pid: process.pid,
    host: here,
    since: new Date().toISOString(),
    token: randomUUID(),
    began: lookUp(process.pid)?.began,
  };
  try {
    writeSync(descriptor, JSON.stringify(holder));
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs).unref();
  const isHeld = () => readHolder(path)?.token === holder.token;
  return {
    isHeld,
    release() {
      clearInterval(heartbeat);
      if (isHeld()) unlinkQuietly(path);
    },
  };
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The lock is gone; isHeld() will tell.
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isStale(path: string): boolean {
  let age: number;
  try {
    age = Date.now() - statSync(path).mtimeMs;
  } catch {
    return false;
  }
  if (age > staleAfterMs) return true;
  const holder = readHolder(path);
  // The holder writes its name at once; a nameless lock is of one that died in between.
  if (holder === undefined) return age > namelessAfterMs;
  return holder.host === here && !isAlive(holder);
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
  const found = lookUp(pid);
  return found === undefined || (!found.isZombie && (began === undefined || began === found.began));
}

/** What Linux tells about a process; nothing elsewhere. A zombie still answers to its pid. */
function lookUp(pid: number): { isZombie: boolean; began: string | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the state is the first field after it, the start the twentieth.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { isZombie: fields[0] === 'Z' || fields[0] === 'X', began: fields[19] };
}

/** Only the one who holds the guard removes another's lock, and looks again before doing so. */
function takeOverIfStale(path: string): boolean {
  if (!isStale(path)) return false;
  const guard = `${path}.takeover`;
  try {
    closeSync(openSync(guard, 'wx'));
  } catch {
    if (isStale(guard)) unlinkQuietly(guard);
    return false;
  }
  try {
    if (isStale(path)) unlinkQuietly(path);
  } finally {
    unlinkQuietly(guard);
  }
  return true;
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Someone else removed it.
  }
}

function locked(path: string): ToolError {
  const holder = readHolder(path);
  return new ToolError('FILE_LOCKED', 'Document is locked by another process', {
    retryable: true,
    ...(holder ? { holder: { pid: holder.pid, since: holder.since } } : {}),
  });
}
