import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { engineMajor, openEngine } from './embedded/engine.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { createTestDatabase, describeStores } from './store.test-helpers.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-faults-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('an embedded store', () => {
  test('refuses a directory that is a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(openStore({ dataDirectory: file })).rejects.toThrow(
      /Cannot use the data directory .*not a directory.*--data/,
    );
  });

  test.each([
    [engineMajor + 1, /newer Waymark: update this one/],
    [engineMajor - 1, /older Waymark: run `waymark data export` with that one/],
  ])('refuses a directory of Postgres %i and says what to do', async (major, advice) => {
    await mkdir(join(directory, 'db'));
    await writeFile(join(directory, 'db', 'PG_VERSION'), `${major}\n`);
    await expect(openStore({ dataDirectory: directory })).rejects.toThrow(advice);
  });

  test('opens again after a refusal, and twice in one process', async () => {
    await mkdir(join(directory, 'db'));
    await writeFile(join(directory, 'db', 'PG_VERSION'), '99');
    await expect(openStore({ dataDirectory: directory })).rejects.toThrow();
    await rm(join(directory, 'db'), { recursive: true });
    const stores = await Promise.all([
      openStore({ dataDirectory: directory }),
      openStore({ dataDirectory: directory }),
    ]);
    expect(stores.map((store) => store.role).toSorted()).toEqual(['forwarder', 'holder']);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('is of the version it says, syncs every commit to disk, and keeps what it has', async () => {
    const first = await openStore({ dataDirectory: directory });
    const { rows } = await first.pool.query<{ server_version: string }>('show server_version');
    expect(Number.parseInt(rows[0]?.server_version ?? '', 10)).toBe(engineMajor);
    const sync = vi.spyOn(fs, 'fdatasyncSync');
    for (let count = 0; count < 5; count++) await first.pool.query('insert into users (id) values ($1)', [`u${count}`]);
    expect(sync.mock.calls.length).toBeGreaterThanOrEqual(5);
    sync.mockRestore();
    await first.close();
    const again = await openStore({ dataDirectory: directory });
    expect((await again.pool.query('select count(*) from users')).rows).toEqual([{ count: 6 }]);
    await again.close();
  });

  test('survives an engine that breaks down: the call fails, the next one works', async () => {
    const store = await openStore({ dataDirectory: directory, syncToDisk: false });
    await store.pool.query(`insert into users (id) values ('kept')`);
    // The engine has no way to receive the rows and gives up.
    await expect(store.pool.query('copy users (id) from stdin')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((await store.pool.query('select id from users order by id')).rows).toEqual([
      { id: 'kept' },
      { id: 'local' },
    ]);
    await store.close();
  });

  test.runIf(process.env['WAYMARK_FULL'])('can be made without a template', async () => {
    const engine = await openEngine(join(directory, 'db'), { syncToDisk: false });
    expect(engine.serverVersion).toMatch(/^18/);
    await engine.close();
  });
});

describeStores('migrations', (open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  const database = () => new Kysely<never>({ dialect: new PostgresDialect({ pool: store.pool }) });

  test('run once, also those that are added before others that ran', async () => {
    expect(await migrate(database())).toEqual([]);
    const ran: string[] = [];
    const added = {
      ...migrations,
      '0999-last': { up: async () => void ran.push('last') },
      '0101-between': { up: async () => void ran.push('between') },
    };
    expect(await migrate(database(), added)).toEqual(['0101-between', '0999-last']);
    expect(await migrate(database(), added)).toEqual([]);
    expect(ran).toEqual(['between', 'last']);
  });

  test('that fail leave nothing behind', async () => {
    const failing = {
      ...migrations,
      '0998-broken': {
        up: async (db: Kysely<unknown>) => {
          await sql`create table half_done (id integer)`.execute(db);
          await sql`select no_such_function()`.execute(db);
        },
      },
    };
    await expect(migrate(database(), failing)).rejects.toMatchObject({ code: '42883' });
    await expect(store.pool.query('select * from half_done')).rejects.toMatchObject({ code: '42P01' });
  });

  test('of a newer Waymark are refused', async () => {
    await store.pool.query(`insert into waymark_migrations (name, generation) values ('9999-future', 99)`);
    await expect(migrate(database())).rejects.toThrow(/newer Waymark.*99.*Update Waymark/);
    await store.pool.query(`delete from waymark_migrations where generation = 99`);
  });
});

describe.skipIf(!process.env['WAYMARK_TEST_POSTGRES'])('a Postgres server', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());
  const open = (url: string) => openStore({ url, dataDirectory: directory });

  test('is migrated once by processes that start together', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(database.url)));
    const { rows } = await (stores[0] as Store).pool.query('select name from waymark_migrations order by name');
    expect(rows.map((row: { name: string }) => row.name)).toEqual(Object.keys(migrations).toSorted());
    await Promise.all(stores.map((store) => store.close()));
  });

  test('that is down at the start is named, without its password', async () => {
    const opening = open('postgres://ada:secret@127.0.0.1:1/waymark');
    await expect(opening).rejects.toThrow(/Cannot reach the database waymark at 127.0.0.1:1: .*ECONNREFUSED/);
    await expect(opening).rejects.not.toThrow(/secret/);
    await expect(opening).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test.each([
    ['mysql://localhost/x', /must start with postgres:\/\//],
    ['not a url', /is not a URL such as/],
  ])('%s is no Postgres URL', async (url, message) => {
    await expect(open(url)).rejects.toThrow(message);
  });

  test('without the database that was asked for says so', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    await expect(open(url.href)).rejects.toThrow(/Cannot use the database no_such_database.*does not exist/);
  });

  test('that goes away during calls gives errors to try again, and works when it is back', async () => {
    const proxy = await Proxy.to(database.url);
    const store = await open(proxy.url);
    const heard: string[] = [];
    await store.listen('news', (payload) => heard.push(payload));

    const running = store.pool.query('select pg_sleep(60)');
    const inTransaction = store.transaction(async (transaction) => {
      await transaction.insertInto('users').values({ id: 'half', time_zone: null }).execute();
      await proxy.down();
      await transaction.selectFrom('users').selectAll().execute();
    });
    const unavailable = { status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } };
    expect(await Promise.allSettled([running, inTransaction])).toMatchObject([unavailable, unavailable]);
    await expect(store.db.selectFrom('users').selectAll().execute()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.not.stringContaining('127.0.0.1'),
    });

    await proxy.up();
    expect(await store.db.selectFrom('users').select('id').execute()).toEqual([{ id: 'local' }]);
    await vi.waitUntil(
      async () => {
        await store.notify('news', 'back');
        return heard.includes('back');
      },
      { timeout: 10_000, interval: 50 },
    );
    await store.close();
    await proxy.down();
  });
});

/** Stands between the store and the server, so that a test can pull the plug. */
class Proxy {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>, target: URL) {
    this.#server = server;
    this.#sockets = sockets;
    this.#port = (server.address() as AddressInfo).port;
    const url = new URL(target);
    url.port = String(this.#port);
    this.url = url.href;
  }

  static async to(targetUrl: string): Promise<Proxy> {
    const target = new URL(targetUrl);
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.pipe(other);
        socket.on('error', () => {});
        socket.on('close', () => other.destroy());
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server, sockets, target);
  }

  async down(): Promise<void> {
    if (this.#server.listening) this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }
}
