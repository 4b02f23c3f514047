import type { ChildProcess } from 'node:child_process';

const groups = new Set<number>();
let watching = false;

/** Remembers a process group so that it ends with this process at the latest. */
export function adoptGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  groups.add(child.pid);
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
  });
}

/** Ends the whole group: first by closing its input, then SIGTERM, then SIGKILL. Resolves when the leader is gone. */
export async function endGroup(child: ChildProcess, patienceMs: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin?.end();
  if (!(await within(exited, patienceMs))) {
    signalGroup(pid, 'SIGTERM');
    if (!(await within(exited, patienceMs))) {
      signalGroup(pid, 'SIGKILL');
      await exited;
    }
  }
  forgetGroup(pid);
}

/** Ends what the leader left behind; children that outlive it keep the group alive. */
export function forgetGroup(pid: number): void {
  if (groups.delete(pid)) signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

async function within(done: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const inTime = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
