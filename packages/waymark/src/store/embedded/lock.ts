import { mkdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LockAddress } from './address.ts';

const longestTakeover = 10_000;

/** Held as long as the server listens. The operating system frees it when the process dies, however it dies. */
export interface Lock {
  release(): Promise<void>;
}

/** Takes the lock, or returns undefined when another process has it. Connections that arrive go to `onConnection`. */
export async function acquireLock(
  { address, leavesFile }: LockAddress,
  onConnection: (socket: Socket) => void,
): Promise<Lock | undefined> {
  const server =
    (await listen(address, onConnection)) ?? (leavesFile ? await replaceStale(address, onConnection) : undefined);
  if (!server) return undefined;
  server.unref();
  return {
    release: () =>
      new Promise((resolve) => {
        // Calls back only when all connections have ended; the name itself is free at once.
        server.close();
        setImmediate(resolve);
      }),
  };
}

function listen(address: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection);
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen({ path: address, exclusive: true }, () => resolve(server));
  });
}

/** A killed process leaves the file of its socket. Removing it is for one process at a time, or two could end up listening. */
async function replaceStale(address: string, onConnection: (socket: Socket) => void): Promise<Server | undefined> {
  const turnstile = `${address}.takeover`;
  if (!enter(turnstile)) return undefined;
  try {
    if (await answers(address)) return undefined;
    try {
      unlinkSync(address);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return await listen(address, onConnection);
  } finally {
    rmSync(turnstile, { recursive: true, force: true });
  }
}

function enter(turnstile: string): boolean {
  try {
    mkdirSync(turnstile, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const age = Date.now() - (statSync(turnstile, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  // Somebody died inside: open it for the next attempt.
  if (age > longestTakeover) rmSync(turnstile, { recursive: true, force: true });
  return false;
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
