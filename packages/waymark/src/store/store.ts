import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { CoreTables } from './schema.ts';

/** The one way to persistence. Embedded and real Postgres differ only in who answers the pool. */
export interface Store {
  readonly kind: 'embedded' | 'postgres';
  /** Embedded: whether this process has the database itself or forwards to the one that does; it may change. */
  readonly role: 'server' | 'holder' | 'forwarder';
  readonly pool: Pool;
  readonly db: Kysely<CoreTables>;
  /** Runs in one transaction. Never take a second connection inside it: embedded, the other would wait for this one. */
  transaction<T>(run: (transaction: Transaction<CoreTables>) => Promise<T>): Promise<T>;
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
