import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { CoreTables } from './schema.ts';

/** The one way to persistence. Embedded and real Postgres differ only in who answers the pool. */
export interface Store {
  readonly kind: 'embedded' | 'postgres';
  readonly pool: Pool;
  readonly db: Kysely<CoreTables>;
  /** Runs in one transaction. Never take a second connection inside it: the embedded pool has only one. */
  transaction<T>(run: (transaction: Transaction<CoreTables>) => Promise<T>): Promise<T>;
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
