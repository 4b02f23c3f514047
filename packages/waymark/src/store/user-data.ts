import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Everything the store holds about one person, by table. A new table joins in by having a `user_id`. */
export async function exportUserData(store: Store, userId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = { users: (await rowsOf(store, 'users', 'id', userId)) as unknown[] };
  for (const table of await tablesOfUsers(store)) {
    if (hidden.has(table)) continue;
    const rows = await rowsOf(store, table, 'user_id', userId);
    if (rows.length > 0) found[table] = rows;
  }
  return found;
}

/** Secrets are not a person's data, and their hashes help nobody but an attacker. */
const hidden = new Set(['credentials', 'access_tokens', 'oauth_records']);

async function rowsOf(store: Store, table: string, column: string, userId: string): Promise<unknown[]> {
  const { rows } = await sql`select * from ${sql.table(table)} where ${sql.ref(column)} = ${userId}`.execute(store.db);
  return rows;
}

async function tablesOfUsers(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by table_name
  `.execute(store.db);
  return rows.map((row) => row.name);
}
