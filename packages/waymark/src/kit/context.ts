import type { Scope } from './scope.ts';

export interface User {
  readonly id: string;
  /** `'all'` where there is no authentication: the local user may do everything. */
  readonly scopes: ReadonlySet<Scope> | 'all';
  /** The program that calls on the user's behalf, where authentication names it. */
  readonly client?: string;
}

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Everything a tool may know about the call it serves. */
export interface Context {
  readonly user: User;
  /**
   * The conversation the transport itself identifies: the session of the older HTTP wire, the
   * process of a stdio server. Undefined on the stateless wire, where only an explicit
   * `conversation_id` argument names a conversation.
   */
  readonly conversation: string | undefined;
  /** Aborts when the client cancels or disconnects, the call times out, or the server stops. */
  readonly signal: AbortSignal;
  progress(done: number, total?: number, message?: string): void;
  readonly log: Logger;
  readonly clock: () => Date;
  /** A random, URL-safe identifier of at least 128 bits. */
  readonly randomId: () => string;
  /** Whether the client can put a question to the person now: an answer of `inputRequired(...)` will be understood. */
  readonly canAsk?: boolean;
  /** Answers to questions an earlier round of this call asked with `askUser`, by key. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  /** The `_meta` of the request, without the protocol's own keys. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
