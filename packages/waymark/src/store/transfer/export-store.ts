import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../embedded/wire.ts';
import type { Store } from '../store.ts';
import { formatVersion, type Line, type Row } from './format.ts';
import { readMigrationNames, readTables, type Table } from './tables.ts';

const rowsAtOnce = 500;

/** Everything in the store as lines, as of one moment, a few rows in memory at a time. */
export async function* exportLines(store: Store): AsyncGenerator<Line> {
  const client = await store.pool.connect();
  let rows = 0;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(
      `set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex'`,
    );
    await client.query(`set local extra_float_digits = 3`);
    yield { waymark: 'export', format: formatVersion, migrations: await readMigrationNames(client) };
    for (const table of await readTables(client)) {
      yield { table: table.name, columns: table.columns.map((column) => column.name) };
      for await (const row of rowsOf(client, table)) {
        rows += 1;
        yield row;
      }
    }
    yield { end: true, rows };
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

async function* rowsOf(client: ClientBase, table: Table): AsyncGenerator<Row> {
  const columns = table.columns.map((column) => `${quoteIdentifier(column.name)}::text`).join(', ');
  await client.query(`declare export_rows no scroll cursor for select ${columns} from ${quoteIdentifier(table.name)}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `fetch ${rowsAtOnce} from export_rows`,
      rowMode: 'array',
    });
    yield* rows;
    if (rows.length < rowsAtOnce) break;
  }
  await client.query('close export_rows');
}
