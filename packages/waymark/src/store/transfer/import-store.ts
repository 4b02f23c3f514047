import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../embedded/wire.ts';
import type { Store } from '../store.ts';
import {
  formatVersion,
  type Header,
  isEndLine,
  isHeader,
  isTableLine,
  type Line,
  type Row,
  TransferError,
} from './format.ts';
import { readMigrationNames, readTables, type Table } from './tables.ts';

/** `empty`: only into a store without data. `replace`: instead of what is there. `merge`: what is there stays and wins. */
export type ImportMode = 'empty' | 'replace' | 'merge';

export interface ImportResult {
  readonly read: number;
  readonly added: number;
}

const rowsAtOnce = 200;

/** Brings in all lines, or nothing at all. */
export async function importLines(store: Store, lines: AsyncIterable<Line>, mode: ImportMode): Promise<ImportResult> {
  const client = await store.pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    const tables = new Map((await readTables(client)).map((table) => [table.name, table]));
    if (mode === 'empty') await refuseUnlessEmpty(client, [...tables.values()]);
    const addForeignKeys = await dropForeignKeys(client);
    if (mode !== 'merge') await removeEverything(client, [...tables.values()]);
    const result = await addLines(client, lines, tables, mode);
    await client.query(`insert into users (id) values ('local') on conflict do nothing`);
    await addForeignKeys();
    await continueNumbers(client, [...tables.values()]);
    await client.query('commit');
    failed = false;
    return result;
  } finally {
    if (failed) await client.query('rollback').catch(() => {});
    client.release();
  }
}

async function addLines(
  client: ClientBase,
  lines: AsyncIterable<Line>,
  tables: ReadonlyMap<string, Table>,
  mode: ImportMode,
): Promise<ImportResult> {
  let hasHeader = false;
  let target: Target | undefined;
  let read = 0;
  let added = 0;
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (target && batch.length > 0) added += await insert(client, target, batch, mode);
    batch = [];
  };
  for await (const line of lines) {
    if (!hasHeader) {
      await checkHeader(client, line);
      hasHeader = true;
    } else if (isTableLine(line)) {
      await flush();
      target = targetOf(line.table, line.columns, tables);
    } else if (isEndLine(line)) {
      await flush();
      if (line.rows !== read) throw new TransferError(`it says ${line.rows} rows but has ${read}`);
      return { read, added };
    } else if (isHeader(line) || !target || line.length !== target.columns.length) {
      throw new TransferError(`row ${read + 1} does not fit its table`);
    } else {
      read += 1;
      batch.push(line);
      if (batch.length >= rowsAtOnce) await flush();
    }
  }
  throw new TransferError('it is not complete: the end is missing');
}

async function checkHeader(client: ClientBase, line: Line): Promise<Header> {
  if (!isHeader(line)) throw new TransferError('it is not an export of Waymark');
  const known = new Set(await readMigrationNames(client));
  const unknown = line.migrations.filter((name) => !known.has(name));
  if (line.format > formatVersion || unknown.length > 0) {
    const what = line.format > formatVersion ? `format ${line.format}` : unknown.join(', ');
    throw new TransferError(`it was written by a newer Waymark (${what}): update this one`);
  }
  return line;
}

interface Target {
  readonly table: Table;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

function targetOf(name: string, columnNames: readonly string[], tables: ReadonlyMap<string, Table>): Target {
  const table = tables.get(name);
  if (!table) throw new TransferError(`this Waymark has no table ${name}`);
  const columns = columnNames.map((columnName) => {
    const column = table.columns.find((candidate) => candidate.name === columnName);
    if (!column) throw new TransferError(`the table ${name} of this Waymark has no column ${columnName}`);
    return column;
  });
  return { table, columns };
}

async function insert(client: ClientBase, { table, columns }: Target, rows: Row[], mode: ImportMode): Promise<number> {
  const names = columns.map((column) => quoteIdentifier(column.name)).join(', ');
  const values = columns.map((column, index) => `c${index}::${column.type}`).join(', ');
  const lists = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const aliases = columns.map((_, index) => `c${index}`).join(', ');
  const { rowCount } = await client.query(
    `insert into ${quoteIdentifier(table.name)} (${names}) overriding system value
     select ${values} from unnest(${lists}) as source (${aliases})
     ${mode === 'merge' ? 'on conflict do nothing' : ''}`,
    columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  );
  return rowCount ?? 0;
}

async function refuseUnlessEmpty(client: ClientBase, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const others = name === 'users' ? `where id <> 'local'` : '';
    const { rowCount } = await client.query(`select 1 from ${quoteIdentifier(name)} ${others} limit 1`);
    if (rowCount) throw new TransferError(`the store is not empty (${name}): add --replace or --merge`);
  }
}

/** Rows may refer to rows further down the file; the references are checked when they are put back. */
async function dropForeignKeys(client: ClientBase): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ relation: string; name: string; definition: string }>(`
    select conrelid::regclass::text as relation, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
  `);
  for (const { relation, name } of rows) await client.query(`alter table ${relation} drop constraint ${name}`);
  return async () => {
    for (const { relation, name, definition } of rows) {
      await client.query(`alter table ${relation} add constraint ${name} ${definition}`);
    }
  };
}

async function removeEverything(client: ClientBase, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) await client.query(`delete from ${quoteIdentifier(name)}`);
}

async function continueNumbers(client: ClientBase, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    for (const column of table.numbered) {
      const name = quoteIdentifier(table.name);
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), greatest(max(${quoteIdentifier(column)}), 1), count(*) > 0) from ${name}`,
        [name, column],
      );
    }
  }
}
