import type { Store } from '../store/index.ts';

/** Something that runs one statement: the pool, or the one connection of a transaction. */
export interface Queryable {
  query<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export function onPool(store: Store): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[]) {
      const { rows } = await store.pool.query(text, values as unknown[]);
      return rows as Row[];
    },
  };
}

/** Runs in one transaction on one connection. */
export async function inTransaction<T>(store: Store, run: (connection: Queryable) => Promise<T>): Promise<T> {
  const client = await store.pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await run({
      async query<Row>(text: string, values: readonly unknown[]) {
        const { rows } = await client.query(text, values as unknown[]);
        return rows as Row[];
      },
    });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((broken: unknown) => {
      failure = broken instanceof Error ? broken : new Error('rollback failed');
    });
    throw error;
  } finally {
    client.release(failure);
  }
}
