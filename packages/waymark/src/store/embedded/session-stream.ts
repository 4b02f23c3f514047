import { Duplex } from 'node:stream';
import { StoreUnavailableError } from '../errors.ts';
import type { Session, SessionPeer } from './broker.ts';
import {
  BatchSplitter,
  greeting,
  listenCommandOf,
  messagesOf,
  parsedStatementName,
  sync,
  type TransactionStatus,
} from './wire.ts';

/** Opens a session with whoever holds the store right now. */
export type OpenSession = (peer: SessionPeer) => Promise<Session>;

interface Outstanding {
  readonly batch: Buffer;
  started: boolean;
}

/**
 * What `pg` takes for its socket. It survives a change of the holder as long as nothing can have been lost:
 * an idle session moves over silently, a batch the old holder never started is sent again to the new one.
 * Anything else ends the connection with an error that says so.
 */
export class SessionStream extends Duplex {
  readonly #openSession: OpenSession;
  readonly #splitter = new BatchSplitter();
  readonly #waiting: Buffer[] = [];
  /** Prepared statements by name, to be prepared again with a new holder. */
  readonly #statements = new Map<string, Buffer>();
  #session: Session | undefined;
  #opening = false;
  #greeted = false;
  #listens = false;
  #restoring = false;
  #outstanding: Outstanding | undefined;
  #status: TransactionStatus = 'I';

  constructor(openSession: OpenSession) {
    super();
    this.#openSession = openSession;
  }

  /** `pg` calls these on its socket. */
  connect(): this {
    this.#open().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#greeted) {
      if (this.#splitter.takeStartup(chunk)) {
        this.#greeted = true;
        this.push(
          greeting({ client_encoding: 'UTF8', DateStyle: 'ISO, MDY', integer_datetimes: 'on', TimeZone: 'UTC' }),
        );
      }
      return done();
    }
    for (const batch of this.#splitter.push(chunk)) this.#waiting.push(batch);
    this.#sendNext();
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session?.close();
    this.#session = undefined;
    done(error);
  }

  async #open(): Promise<void> {
    this.#opening = true;
    try {
      const session = await this.#openSession(this.#peer());
      if (this.destroyed) return session.close();
      this.#session = session;
    } finally {
      this.#opening = false;
    }
  }

  #sendNext(): void {
    if (this.#outstanding || this.#opening || this.destroyed) return;
    if (!this.#session) {
      if (this.#waiting.length > 0) this.#reopen();
      return;
    }
    const batch = this.#waiting.shift();
    if (!batch) return;
    // `X`: pg says goodbye; the end of the stream follows.
    if (batch[0] === 0x58) return this.#sendNext();
    this.#outstanding = { batch, started: false };
    this.#remember(batch);
    this.#session.submit(batch);
  }

  #remember(batch: Buffer): void {
    for (const wireMessage of messagesOf(batch)) {
      if (wireMessage.type === 'P') {
        const name = parsedStatementName(wireMessage);
        if (name) this.#statements.set(name, wireMessage.bytes);
      }
      if (listenCommandOf(wireMessage)?.action === 'listen') this.#listens = true;
    }
  }

  #peer(): SessionPeer {
    return {
      started: () => {
        if (this.#outstanding) this.#outstanding.started = true;
        return true;
      },
      reply: (answer, status) => {
        if (this.destroyed) return;
        if (this.#restoring) {
          this.#restoring = false;
          return this.#resend();
        }
        this.#outstanding = undefined;
        this.#status = status ?? 'T';
        this.push(answer);
        this.#sendNext();
      },
      notified: (notification) => {
        if (!this.destroyed) this.push(notification);
      },
      lost: (reason) => this.#lost(reason),
    };
  }

  #lost(reason: Error): void {
    this.#session = undefined;
    if (this.destroyed) return;
    const { started = false } = this.#outstanding ?? {};
    if (started && !this.#restoring) {
      return this.#fail(
        'while the call was running: it may or may not have taken effect. Look before you repeat it.',
        reason,
      );
    }
    if (this.#status !== 'I') return this.#fail('and the transaction was undone. Try again.', reason);
    if (this.#listens) return this.#fail('and notifications may have been missed. Listen again.', reason);
    if (this.#outstanding) this.#reopen();
  }

  #fail(consequence: string, cause: Error): void {
    this.destroy(new StoreUnavailableError(`The process that held the store ended ${consequence}`, { cause }));
  }

  #reopen(): void {
    if (this.#opening) return;
    this.#open().then(
      () => this.#restore(),
      (error: Error) => this.destroy(error),
    );
  }

  /** A new holder does not know the statements the old one prepared. */
  #restore(): void {
    if (!this.#session) return;
    if (this.#statements.size === 0) return this.#resend();
    this.#restoring = true;
    this.#session.submit(Buffer.concat([...this.#statements.values(), sync]));
  }

  #resend(): void {
    if (!this.#outstanding) return this.#sendNext();
    this.#outstanding.started = false;
    this.#session?.submit(this.#outstanding.batch);
  }
}
