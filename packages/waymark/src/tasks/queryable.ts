import type { Store } from '../store/index.ts';

/** Something that runs one statement: the pool, or the one connection of a transaction. */
export interface Queryable {
  /** A statement with a name is planned once per connection where the store allows it. */
  query<Row>(text: string, values: readonly unknown[], name?: string): Promise<Row[]>;
}

export function onPool(store: Store): Queryable {
  // Several processes share the one session of an embedded store, where a name would be taken already.
  const mayName = store.kind === 'postgres';
  return {
    async query<Row>(text: string, values: readonly unknown[], name?: string) {
      const named = mayName && name !== undefined ? { name: `tasks-${name}` } : {};
      const { rows } = await store.pool.query({ text, values: values as unknown[], ...named });
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
