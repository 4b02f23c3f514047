import pg, { type PoolConfig } from 'pg';
import { asStoreError } from './errors.ts';
import { StoreClient } from './store-client.ts';
import { valueTypes } from './value-types.ts';

interface PooledClient {
  getTransactionStatus(): string | null;
  query(text: string): Promise<unknown>;
}

/** The pool both back ends share: same value types, same errors, and no transaction outlives its user. */
export function createPool(config: PoolConfig): pg.Pool {
  const pool = new StorePool({ ...config, types: valueTypes, Client: StoreClient } as PoolConfig);
  // A client that breaks while idle is replaced at the next call; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('release', (error: unknown, client: unknown) => {
    const pooled = client as PooledClient;
    const status = pooled.getTransactionStatus();
    if (!error && (status === 'T' || status === 'E')) pooled.query('rollback').catch(() => {});
  });
  return pool;
}

class StorePool extends pg.Pool {
  /** `pg-pool` makes timeouts of its own, which no client sees. */
  override connect = ((callback?: (error: unknown, ...rest: unknown[]) => void): unknown => {
    const connect = super.connect as (callback?: unknown) => Promise<unknown>;
    if (callback) {
      return connect.call(this, (error: unknown, ...rest: unknown[]) =>
        callback(error ? asStoreError(error) : error, ...rest),
      );
    }
    return connect.call(this).catch((error: unknown) => {
      throw asStoreError(error);
    });
  }) as pg.Pool['connect'];
}
