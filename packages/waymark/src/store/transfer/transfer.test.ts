import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { emptyStore, openTestStore, type StoreKind } from '../store.test-helpers.ts';
import { exportLines, importLines, readLines, TransferError, writeLines } from './index.ts';

const tables = `
  create table shelves (id integer primary key, parent integer references shelves (id), first_book bigint);
  create table books (
    id bigint generated always as identity primary key,
    shelf integer not null references shelves (id),
    title text not null, about jsonb, cover bytea, day date, at timestamptz, price numeric, ratio double precision,
    tags text[], length integer generated always as (char_length(title)) stored
  );
  alter table shelves add foreign key (first_book) references books (id);
`;

const hasServer = Boolean(process.env['WAYMARK_TEST_POSTGRES']);
const directions: [StoreKind, StoreKind][] = hasServer
  ? [
      ['embedded', 'postgres'],
      ['postgres', 'embedded'],
    ]
  : [['embedded', 'embedded']];

describe.each(directions)('from %s to %s', (fromKind, toKind) => {
  let from: Store;
  let to: Store;
  let folder: string;

  describe('with both stores', () => {
    beforeAll(async () => {
      [from, to] = await Promise.all([openTestStore(fromKind), openTestStore(toKind)]);
      for (const store of [from, to]) await store.pool.query(tables);
      await from.pool.query(`insert into users (id, time_zone) values ('ada', 'Europe/London')`);
      await from.pool.query(`insert into shelves values (2, null, null), (1, 2, null), (3, 3, null)`);
      await from.pool.query(
        `insert into books (shelf, title, about, cover, day, at, price, ratio, tags)
         select 1 + n % 3, 'Book ' || n || E' \\n"quoted" \\\\ ä 😀', jsonb_build_object('n', n, 'nothing', null, 'deep', array[n]),
                decode(lpad(to_hex(n), 8, '0'), 'hex'), date '2024-02-29' + n, timestamptz '2026-03-29 01:59:59.123456+01' + n * interval '1 hour',
                n / 7.0::numeric, n / 7.0::float8, case when n % 2 = 0 then array['a,b', 'NULL', null, ''] end
         from generate_series(1, 1234) n`,
      );
      await from.pool.query('update shelves set first_book = 1234 where id = 1');
    });
    afterAll(() => Promise.all([from.close(), to.close()]));
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'waymark-transfer-'));
      await emptyStore(to);
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const content = async (store: Store) => ({
      users: (await store.pool.query('select * from users order by id')).rows,
      shelves: (await store.pool.query('select * from shelves order by id')).rows,
      books: (await store.pool.query('select * , at::text as exact from books order by id')).rows,
    });

    test.each(['all.jsonl', 'all.jsonl.gz'])('everything arrives unchanged by %s', async (name) => {
      const file = join(folder, name);
      await writeLines(file, exportLines(from));
      const result = await importLines(to, readLines(file), 'empty');
      expect(result.added).toBe(result.read);
      expect(await content(to)).toEqual(await content(from));
      // Numbers go on after the last one.
      await to.pool.query(`insert into books (shelf, title) values (1, 'next')`);
      expect((await to.pool.query('select max(id) from books')).rows).toEqual([{ max: 1235 }]);
      // References are guarded again.
      await expect(to.pool.query(`insert into books (shelf, title) values (99, 'lost')`)).rejects.toMatchObject({
        code: '23503',
      });
    });

    test('a store with data is only replaced or merged when asked', async () => {
      const file = join(folder, 'all.jsonl');
      await writeLines(file, exportLines(from));
      await to.pool.query(`insert into users (id, time_zone) values ('ada', 'UTC'), ('bob', null)`);
      await expect(importLines(to, readLines(file), 'empty')).rejects.toThrow(/not empty \(users\)/);

      const merged = await importLines(to, readLines(file), 'merge');
      expect(merged.read - merged.added).toBe(2);
      const zones = async () => (await to.pool.query('select id, time_zone from users order by id')).rows;
      expect(await zones()).toEqual([
        { id: 'ada', time_zone: 'UTC' },
        { id: 'bob', time_zone: null },
        { id: 'local', time_zone: null },
      ]);
      await importLines(to, readLines(file), 'replace');
      expect(await content(to)).toEqual(await content(from));
    });

    test('a damaged file changes nothing', async () => {
      const file = join(folder, 'all.jsonl.gz');
      await writeLines(file, exportLines(from));
      const lines = gunzipSync(await readFile(file))
        .toString()
        .trimEnd()
        .split('\n');
      const damaged = {
        'no end': lines.slice(0, -1),
        'a row less': lines.toSpliced(-2, 1),
        'half a line': [...lines.slice(0, 8), (lines[8] ?? '').slice(0, 10)],
        'no header': lines.slice(1),
        'a newer format': [(lines[0] ?? '').replace('"format":1', '"format":2'), ...lines.slice(1)],
        'an unknown migration': [(lines[0] ?? '').replace('"0100-users"', '"9999-future"'), ...lines.slice(1)],
        'an unknown table': lines.map((line) => line.replace('"table":"books"', '"table":"scrolls"')),
        'an unknown column': lines.map((line) => line.replace('"title"', '"subtitle"')),
        nothing: [],
      };
      for (const [name, text] of Object.entries(damaged)) {
        const bad = join(folder, 'bad.jsonl');
        await writeFile(bad, text.join('\n'));
        await expect(importLines(to, readLines(bad), 'empty'), name).rejects.toBeInstanceOf(TransferError);
      }
      expect(await content(to)).toMatchObject({ users: [{ id: 'local' }], shelves: [], books: [] });
    });
  });
});
