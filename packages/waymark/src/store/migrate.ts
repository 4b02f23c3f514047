import { type Kysely, sql } from 'kysely';
import { StoreOpenError } from './errors.ts';
import { type Migration, migrations as allMigrations } from './migrations/index.ts';

/** Raised when a store written from now on cannot be read by the Waymark before it. */
const schemaGeneration = 1;

/** Any constant; processes that start together queue on it. */
const migrationLock = 7_402_318_866;

const undefinedTable = '42P01';

interface Applied {
  readonly names: ReadonlySet<string>;
  readonly generation: number;
}

/** Brings the schema up to date: one query when it already is, else one transaction for everything missing. */
export async function migrate(
  db: Kysely<never>,
  migrations: Readonly<Record<string, Migration>> = allMigrations,
): Promise<readonly string[]> {
  const seen = await readApplied(db);
  if (seen) refuseNewerGeneration(seen.generation);
  if (seen && missing(migrations, seen).length === 0) return [];

  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
    await sql`
      create table if not exists waymark_migrations (
        name text primary key,
        generation integer not null,
        applied_at timestamptz not null default now()
      )
    `.execute(transaction);
    const applied = await selectApplied(transaction);
    refuseNewerGeneration(applied.generation);
    const names = missing(migrations, applied);
    for (const name of names) {
      await migrations[name]?.up(transaction as unknown as Kysely<unknown>);
      await sql`insert into waymark_migrations (name, generation) values (${name}, ${schemaGeneration})`.execute(
        transaction,
      );
    }
    return names;
  });
}

function missing(migrations: Readonly<Record<string, Migration>>, applied: Applied): string[] {
  return Object.keys(migrations)
    .filter((name) => !applied.names.has(name))
    .toSorted();
}

async function readApplied(db: Kysely<never>): Promise<Applied | undefined> {
  try {
    return await selectApplied(db);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return undefined;
    throw error;
  }
}

async function selectApplied(db: Kysely<never>): Promise<Applied> {
  const { rows } = await sql<{ name: string; generation: number }>`
    select name, generation from waymark_migrations
  `.execute(db);
  return {
    names: new Set(rows.map((row) => row.name)),
    generation: Math.max(0, ...rows.map((row) => row.generation)),
  };
}

function refuseNewerGeneration(generation: number): void {
  if (generation <= schemaGeneration) return;
  throw new StoreOpenError(
    `The database was written by a newer Waymark (schema generation ${generation}, this one knows ${schemaGeneration}). Update Waymark.`,
  );
}
