import type { ClientBase } from 'pg';

export interface Column {
  readonly name: string;
  readonly type: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns filled by a sequence, which must continue after the largest value. */
  readonly numbered: readonly string[];
}

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly is_numbered: boolean;
}

/** Every table of the store but the list of migrations, with the columns that hold data of their own. */
export async function readTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<ColumnRow>(`
    select relation.relname as table_name, attname as column_name, format_type(atttypid, atttypmod) as type,
           pg_get_serial_sequence(quote_ident(relation.relname), attname) is not null as is_numbered
    from pg_attribute join pg_class relation on relation.oid = attrelid
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition and relation.relname <> 'waymark_migrations'
      and attnum > 0 and not attisdropped and attgenerated = ''
    order by relation.relname, attnum
  `);
  const tables = new Map<string, { columns: Column[]; numbered: string[] }>();
  for (const row of rows) {
    const table = tables.get(row.table_name) ?? { columns: [], numbered: [] };
    table.columns.push({ name: row.column_name, type: row.type });
    if (row.is_numbered) table.numbered.push(row.column_name);
    tables.set(row.table_name, table);
  }
  return [...tables].map(([name, { columns, numbered }]) => ({ name, columns, numbered }));
}

export async function readMigrationNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from waymark_migrations order by name');
  return rows.map((row) => row.name);
}
