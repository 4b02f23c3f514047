import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe } from 'vitest';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

export type StoreKind = Store['kind'];

/** The server the run's global set-up started or found; undefined when this machine cannot have one. */
const serverUrl = process.env['WAYMARK_TEST_POSTGRES'];

/**
 * Defines the same tests once per back end. `open` gives a fresh store; closing it removes it.
 * Opening takes the better part of a second: open once per file and call `emptyStore` before each test.
 */
export function describeStores(name: string, define: (open: () => Promise<Store>, kind: StoreKind) => void): void {
  describe(`${name} (embedded)`, () => define(() => openTestStore('embedded'), 'embedded'));
  const reason = serverUrl ? '' : ': skipped, no Postgres server to be had';
  describe.skipIf(!serverUrl)(`${name} (postgres${reason})`, () => define(() => openTestStore('postgres'), 'postgres'));
}

/** A fresh store with the current schema. Closing it removes it. */
export async function openTestStore(kind: StoreKind = 'embedded'): Promise<Store> {
  return kind === 'embedded' ? openEmbeddedTestStore() : openPostgresTestStore();
}

/** Back to the state after opening: no rows but the local user. */
export async function emptyStore(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ name: string }>(`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> 'waymark_migrations'
  `);
  await store.pool.query(`truncate ${rows.map((row) => row.name).join(', ')} restart identity cascade`);
  await store.pool.query(`insert into users (id) values ('local')`);
}

async function openEmbeddedTestStore(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-store-'));
  const store = await openStore({ dataDirectory: directory, syncToDisk: false });
  return closing(store, () => rm(directory, { recursive: true, force: true }));
}

async function openPostgresTestStore(): Promise<Store> {
  const database = await createTestDatabase();
  const store = await openStore({ url: database.url, dataDirectory: tmpdir() });
  return closing(store, database.drop);
}

/** An empty database on the test server. */
export async function createTestDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  if (!serverUrl) throw new Error('no Postgres server: set WAYMARK_TEST_POSTGRES or run through vitest');
  const name = `waymark_test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function closing(store: Store, cleanUp: () => Promise<void>): Store {
  return Object.defineProperty(Object.create(store) as Store, 'close', {
    value: async () => {
      await store.close();
      await cleanUp();
    },
  });
}
