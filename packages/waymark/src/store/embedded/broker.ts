import type { Engine } from './engine.ts';
import {
  channelOfNotification,
  closeStatement,
  endingStatus,
  listenCommandOf,
  messagesOf,
  quoteIdentifier,
  renameStatements,
  simpleQuery,
  sync,
  type TransactionStatus,
} from './wire.ts';

/** The far end of a session: what the broker tells it. */
export interface SessionPeer {
  /**
   * The batch is about to run. False when that could not be told, and then it does not run: whoever saw no
   * `started` knows that nothing happened.
   */
  started(): boolean | Promise<boolean>;
  /** The answer to a batch, and whether a transaction is open after it. */
  reply(answer: Buffer, status: TransactionStatus | undefined): void;
  notified(notification: Buffer): void;
  /** The session is over; an open transaction was rolled back. */
  lost(reason: Error): void;
}

export interface Session {
  /** Runs a batch of messages when it is this session's turn. */
  submit(batch: Buffer): void;
  close(): void;
}

interface Turn {
  readonly session: BrokerSession | undefined;
  run(): void | Promise<void>;
}

/**
 * Lets many sessions share one engine, which knows only one. A session that has a transaction open keeps
 * the engine to itself until the transaction ends; between transactions sessions take turns, first come first served.
 */
export class Broker {
  /** How many batches ran, a measure of activity. */
  batches = 0;
  readonly #engine: Engine;
  readonly #idleInTransactionLimit: number;
  readonly #onBroken: (error: Error) => void;
  readonly #sessions = new Set<BrokerSession>();
  #turns: Turn[] = [];
  #owner: BrokerSession | undefined;
  #ownerDeadline: NodeJS.Timeout | undefined;
  #busy = false;
  #ended: Error | undefined;
  #nextSessionId = 1;

  constructor(
    engine: Engine,
    options: { readonly idleInTransactionLimit?: number; readonly onBroken?: (error: Error) => void } = {},
  ) {
    this.#engine = engine;
    this.#idleInTransactionLimit = options.idleInTransactionLimit ?? 30_000;
    this.#onBroken = options.onBroken ?? (() => {});
  }

  open(peer: SessionPeer): Session {
    if (this.#ended) throw this.#ended;
    const session = new BrokerSession(this, this.#nextSessionId++, peer);
    this.#sessions.add(session);
    return session;
  }

  /** Ends every session; those with a transaction open lose it. */
  end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    clearTimeout(this.#ownerDeadline);
    if (this.#owner) this.#rollBack();
    this.#turns = [];
    for (const session of this.#sessions) session.peer.lost(reason);
    this.#sessions.clear();
  }

  /** Runs one command of the store's own, between transactions. */
  command(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#enqueue({
        session: undefined,
        run: () => {
          try {
            this.#execute(simpleQuery(text));
            resolve();
          } catch (error) {
            reject(error);
            throw error;
          }
        },
      });
    });
  }

  enqueue(session: BrokerSession, batch: Buffer): void {
    if (this.#ended) return;
    this.#enqueue({ session, run: () => this.#runBatch(session, batch) });
  }

  leave(session: BrokerSession): void {
    if (!this.#sessions.delete(session) || this.#ended) return;
    this.#turns = this.#turns.filter((turn) => turn.session !== session);
    if (this.#owner === session) {
      this.#rollBack();
      this.#setOwner(undefined);
    }
    const leftovers = [...session.statements.values()].map(closeStatement);
    const unheard = [...session.channels].filter((channel) => !this.#isHeard(channel));
    if (leftovers.length > 0 || unheard.length > 0) {
      this.#enqueue({
        session: undefined,
        run: () => {
          if (leftovers.length > 0) this.#execute(Buffer.concat([...leftovers, sync]));
          for (const channel of unheard) {
            if (!this.#isHeard(channel)) this.#execute(simpleQuery(`unlisten ${quoteIdentifier(channel)}`));
          }
        },
      });
    }
    this.#schedule();
  }

  #enqueue(turn: Turn): void {
    this.#turns.push(turn);
    this.#watchOwner();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#busy || this.#nextTurn() < 0) return;
    this.#busy = true;
    // Not sooner: timers and sockets get their chance between any two batches.
    setImmediate(() => void this.#runNext());
  }

  #nextTurn(): number {
    if (this.#owner) return this.#turns.findIndex((turn) => turn.session === this.#owner);
    return this.#turns.length > 0 ? 0 : -1;
  }

  async #runNext(): Promise<void> {
    const index = this.#nextTurn();
    const turn = index < 0 ? undefined : this.#turns.splice(index, 1)[0];
    try {
      const running = turn?.run();
      if (running) await running;
    } catch (error) {
      this.#break(error);
    }
    this.#busy = false;
    this.#schedule();
  }

  #runBatch(session: BrokerSession, batch: Buffer): void | Promise<void> {
    const told = session.peer.started();
    if (typeof told !== 'boolean') return told.then((reached) => this.#answerBatch(session, batch, reached));
    this.#answerBatch(session, batch, told);
  }

  #answerBatch(session: BrokerSession, batch: Buffer, reached: boolean): void {
    if (!this.#sessions.has(session)) return;
    if (!reached) return this.leave(session);
    this.batches += 1;
    const answer = this.#execute(renameStatements(batch, session.rename));
    const status = endingStatus(answer);
    this.#followListen(session, batch);
    this.#setOwner(status === 'I' ? undefined : session);
    session.peer.reply(answer, status);
  }

  /** Runs messages and hands notifications in the answer to those who listen, whoever caused them. */
  #execute(messages: Buffer): Buffer {
    const answer = this.#engine.execute(messages);
    if (!this.#anyoneListens()) return answer;
    const parts: Buffer[] = [];
    let notified = false;
    for (const { type, bytes } of messagesOf(answer)) {
      if (type !== 'A') {
        parts.push(bytes);
        continue;
      }
      notified = true;
      const channel = channelOfNotification(bytes);
      for (const session of this.#sessions) {
        if (session.channels.has(channel)) session.peer.notified(bytes);
      }
    }
    return notified ? Buffer.concat(parts) : answer;
  }

  #followListen(session: BrokerSession, batch: Buffer): void {
    for (const wireMessage of messagesOf(batch)) {
      const command = listenCommandOf(wireMessage);
      if (!command) continue;
      if (command.action === 'listen') session.channels.add(command.channel);
      else if (command.channel === '*') session.channels.clear();
      else session.channels.delete(command.channel);
      if (command.action === 'unlisten') this.#listenAgain();
    }
  }

  /** One session's UNLISTEN must not deafen the others. */
  #listenAgain(): void {
    const channels = new Set([...this.#sessions].flatMap((session) => [...session.channels]));
    for (const channel of channels) this.#engine.execute(simpleQuery(`listen ${quoteIdentifier(channel)}`));
  }

  #isHeard(channel: string): boolean {
    return [...this.#sessions].some((session) => session.channels.has(channel));
  }

  #anyoneListens(): boolean {
    for (const session of this.#sessions) if (session.channels.size > 0) return true;
    return false;
  }

  #setOwner(session: BrokerSession | undefined): void {
    clearTimeout(this.#ownerDeadline);
    this.#ownerDeadline = undefined;
    this.#owner = session;
    this.#watchOwner();
  }

  /** A transaction that does nothing may not hold up others for ever. */
  #watchOwner(): void {
    const owner = this.#owner;
    if (!owner || this.#ownerDeadline || this.#turns.every((turn) => turn.session === owner)) return;
    this.#ownerDeadline = setTimeout(() => {
      owner.peer.lost(
        new Error(`a transaction held the store for ${this.#idleInTransactionLimit / 1000} s without doing anything`),
      );
      this.leave(owner);
    }, this.#idleInTransactionLimit);
    this.#ownerDeadline.unref();
  }

  #rollBack(): void {
    try {
      this.#engine.execute(simpleQuery('rollback'));
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error));
    this.#owner = undefined;
    this.end(reason);
    this.#onBroken(reason);
  }
}

class BrokerSession implements Session {
  readonly peer: SessionPeer;
  readonly statements = new Map<string, string>();
  readonly channels = new Set<string>();
  readonly rename: (name: string) => string;
  readonly #broker: Broker;

  constructor(broker: Broker, id: number, peer: SessionPeer) {
    this.#broker = broker;
    this.peer = peer;
    this.rename = (name) => {
      const known = this.statements.get(name);
      if (known) return known;
      const own = `s${id}_${this.statements.size}`;
      this.statements.set(name, own);
      return own;
    };
  }

  submit(batch: Buffer): void {
    this.#broker.enqueue(this, batch);
  }

  close(): void {
    this.#broker.leave(this);
  }
}
