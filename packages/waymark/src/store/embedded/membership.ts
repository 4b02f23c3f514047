import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../kit/context.ts';
import { StoreOpenError, StoreUnavailableError } from '../errors.ts';
import { addressOf, type LockAddress } from './address.ts';
import { Broker, type Session, type SessionPeer } from './broker.ts';
import { type Engine } from './engine.ts';
import { forwardTo, NotTheHolderError } from './forwarder.ts';
import { holderElsewhere, readHolderNote, writeHolderNote } from './holder-file.ts';
import { ForwardedSession } from './holder.ts';
import { acquireLock, type Lock } from './lock.ts';
import { startMaintenance } from './maintenance.ts';

export interface MembershipOptions {
  /** The data directory, as its real path. */
  readonly dataDirectory: string;
  readonly openEngine: () => Promise<Engine>;
  readonly log: Logger;
  readonly address?: LockAddress;
  /** How long a session waits for a holder before it gives up. */
  readonly patience?: number;
}

interface Holding {
  readonly lock: Lock;
  readonly broker: Promise<Broker>;
  readonly sockets: Set<Socket>;
  stop(): Promise<void>;
}

/**
 * One process's part in sharing an embedded store. Whoever gets the lock holds the store and serves the others;
 * a session is opened with the holder of the moment, and a process that finds none becomes it.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #address: LockAddress;
  #holding: Holding | undefined;
  #acquiring: Promise<Holding | undefined> | undefined;
  #closed = false;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#address = options.address ?? addressOf(options.dataDirectory);
  }

  get isHolder(): boolean {
    return this.#holding !== undefined;
  }

  async openSession(peer: SessionPeer): Promise<Session> {
    const deadline = Date.now() + (this.#options.patience ?? 30_000);
    for (let attempt = 0; ; attempt++) {
      if (this.#closed) throw new StoreUnavailableError('The store is closed.');
      const session = await this.#tryOpen(peer);
      if (!(session instanceof Error)) return session;
      if (Date.now() > deadline) throw this.#gaveUp(session);
      await delay(Math.min(10 * 2 ** attempt, 250));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#acquiring?.catch(() => {});
    await this.#holding?.stop();
  }

  async #tryOpen(peer: SessionPeer): Promise<Session | Error> {
    const holding = this.#holding ?? (await (this.#acquiring ??= this.#acquire()));
    if (holding) {
      const broker = await holding.broker;
      try {
        return broker.open(peer);
      } catch (error) {
        return error as Error;
      }
    }
    const note = readHolderNote(this.#options.dataDirectory);
    if (!note) return new Error('the process that holds the store is only starting');
    try {
      return await forwardTo(this.#address.address, note, peer);
    } catch (error) {
      if (error instanceof StoreOpenError) throw error;
      return error as Error;
    }
  }

  async #acquire(): Promise<Holding | undefined> {
    try {
      const elsewhere = holderElsewhere(this.#options.dataDirectory);
      if (elsewhere) throw openElsewhere(elsewhere.place);
      const sockets = new Set<Socket>();
      const waiting: Socket[] = [];
      let serve: ((socket: Socket) => void) | undefined;
      const lock = await acquireLock(this.#address, (socket) => {
        sockets.add(socket);
        socket.unref();
        socket.on('close', () => sockets.delete(socket));
        if (serve) serve(socket);
        else waiting.push(socket);
      });
      if (!lock) return undefined;
      return this.#hold(lock, sockets, (start) => {
        serve = start;
        for (const socket of waiting) start(socket);
      });
    } finally {
      this.#acquiring = undefined;
    }
  }

  #hold(lock: Lock, sockets: Set<Socket>, whenServing: (serve: (socket: Socket) => void) => void): Holding {
    const { dataDirectory, log } = this.#options;
    const holderNote = writeHolderNote(dataDirectory);
    let engine: Engine | undefined;
    let stopMaintenance = (): void => {};
    const letGo = async (): Promise<void> => {
      if (this.#holding === holding) this.#holding = undefined;
      stopMaintenance();
      holderNote.remove();
      await lock.release();
      for (const socket of sockets) socket.destroy();
    };
    const start = async (): Promise<Broker> => {
      engine = await this.#options.openEngine();
      const broker = new Broker(engine, {
        onBroken: (error) => {
          log.error('the embedded store failed and will be opened again', { error });
          void letGo();
        },
      });
      stopMaintenance = startMaintenance(broker, dataDirectory, log);
      return broker;
    };
    const broker = start();
    broker.catch(() => void letGo());
    const holding: Holding = {
      lock,
      broker,
      sockets,
      stop: async () => {
        const running = await broker.catch(() => undefined);
        running?.end(new Error('the process that held the store closed it'));
        await flushed(sockets);
        await engine?.close();
        await letGo();
      },
    };
    this.#holding = holding;
    whenServing((socket) => new ForwardedSession(socket, () => holderNote.note.secret, broker));
    log.debug('holding the embedded store', { dataDirectory });
    return holding;
  }

  #gaveUp(cause: Error): StoreUnavailableError {
    const pid = readHolderNote(this.#options.dataDirectory)?.pid;
    const who =
      cause instanceof NotTheHolderError || pid === undefined ? cause.message : `process ${pid} does not answer`;
    return new StoreUnavailableError(`The embedded store cannot be reached: ${who}. Try again.`, { cause });
  }
}

/** What was said last should arrive: wait until the operating system has it, but not for a reader that is stuck. */
async function flushed(sockets: ReadonlySet<Socket>): Promise<void> {
  const ending = [...sockets].filter((socket) => !socket.writableFinished && !socket.destroyed);
  const finished = ending.map(
    (socket) => new Promise((resolve) => socket.once('finish', resolve).once('close', resolve)),
  );
  await Promise.race([Promise.all(finished), delay(1_000, undefined, { ref: false })]);
}

function openElsewhere(place: string): StoreOpenError {
  const [host] = place.split(' ');
  return new StoreOpenError(
    `The data directory is open in Waymark on ${host || 'another machine or container'}. One machine or container at a time; to share between several, set DATABASE_URL to a Postgres server.`,
  );
}
