import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who runs a run, so that others can tell whether it is still there. */
export interface ProcessIdentity {
  /** The machine, or rather the space in which a process id means something. */
  readonly host: string;
  readonly pid: number;
  /** Tells this process from a later one with the same id. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { host: `${hostname()} ${processSpace()}`, pid: process.pid, started: startOf(process.pid) ?? 'unknown' };
}

/** Whether a process of this machine is certainly gone. False where that cannot be known. */
export function isGone(other: ProcessIdentity): boolean {
  if (other.host !== ownIdentity().host) return false;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const started = startOf(other.pid);
  if (started === 'zombie') return true;
  return started !== undefined && other.started !== 'unknown' && started !== other.started;
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** When the process started, in the kernel's own count; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : fields[19];
  } catch {
    return undefined;
  }
}
