import { quoteIdentifier } from './embedded/wire.ts';
import type { Store } from './store.ts';

export interface Removal {
  readonly known: boolean;
  readonly removed: boolean;
  /** The tables with rows of that user, and what else there is. */
  readonly data: readonly string[];
}

/** Removes a user and every row that names them as its owner. */
export async function removeUser(
  store: Store,
  id: string,
  options: { readonly evenWithData: boolean; /** Kept outside the store. */ readonly otherData?: readonly string[] },
): Promise<Removal> {
  const client = await store.pool.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query('select 1 from users where id = $1 for update', [id]);
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'user_id' order by table_name`,
    );
    const data: string[] = [];
    for (const { name } of tables) {
      const own = await client.query(`select 1 from ${quoteIdentifier(name)} where user_id = $1 limit 1`, [id]);
      if (own.rowCount) data.push(name);
    }
    const all = [...data, ...(options.otherData ?? [])];
    const removed = Boolean(rowCount) && (options.evenWithData || all.length === 0);
    if (removed) {
      await client.query('delete from users where id = $1', [id]);
      for (const name of data) await client.query(`delete from ${quoteIdentifier(name)} where user_id = $1`, [id]);
    }
    await client.query(removed ? 'commit' : 'rollback');
    return { known: Boolean(rowCount), removed, data: all };
  } finally {
    // The pool undoes a transaction left open.
    client.release();
  }
}
