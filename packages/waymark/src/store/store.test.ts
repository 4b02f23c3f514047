import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Store } from './store.ts';
import { describeStores, emptyStore } from './store.test-helpers.ts';

describeStores('a store', (open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
    await store.pool.query('create table notes (id bigint generated always as identity primary key, body jsonb)');
  });
  afterAll(() => store.close());
  beforeEach(() => emptyStore(store));

  const addUser = (id: string) => store.db.insertInto('users').values({ id, time_zone: null }).execute();
  const userIds = async () => {
    const rows = await store.db.selectFrom('users').select('id').orderBy('id').execute();
    return rows.map((row) => row.id);
  };

  test('has the local user from the start', async () => {
    const user = await store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(user).toEqual({ id: 'local', created_at: expect.any(Date), time_zone: null });
  });

  test('keeps what a transaction did only when it ends well', async () => {
    await store.transaction(async (transaction) => {
      await transaction.insertInto('users').values({ id: 'kept', time_zone: 'Europe/Berlin' }).execute();
    });
    const failing = store.transaction(async (transaction) => {
      await transaction.insertInto('users').values({ id: 'undone', time_zone: null }).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await userIds()).toEqual(['kept', 'local']);
  });

  test('reports a violated constraint with its SQLSTATE and stays usable', async () => {
    await expect(addUser('local')).rejects.toMatchObject({ code: '23505' });
    expect(await userIds()).toEqual(['local']);
  });

  test('never mixes concurrent transactions', async () => {
    const addPair = (name: string, fails: boolean) =>
      store.transaction(async (transaction) => {
        await transaction
          .insertInto('users')
          .values({ id: `${name}-1`, time_zone: null })
          .execute();
        await transaction
          .insertInto('users')
          .values({ id: `${name}-2`, time_zone: null })
          .execute();
        if (fails) throw new Error('undo');
      });
    const names = Array.from({ length: 12 }, (_, index) => `user${index}`);
    await Promise.allSettled(names.map((name, index) => addPair(name, index % 2 === 1)));
    const expected = names.filter((_, index) => index % 2 === 0).flatMap((name) => [`${name}-1`, `${name}-2`]);
    expect(await userIds()).toEqual([...expected, 'local'].toSorted());
  });

  test('undoes a transaction whose client was given back before it ended', async () => {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query(`insert into users (id) values ('forgotten')`);
    client.release();
    await addUser('later');
    expect(await userIds()).toEqual(['later', 'local']);
  });

  test('undoes a transaction whose client was thrown away', async () => {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query(`insert into users (id) values ('forgotten')`);
    client.release(new Error('broken'));
    await addUser('later');
    expect(await userIds()).toEqual(['later', 'local']);
  });

  test('gives the same kinds of values on every back end', async () => {
    const { rows } = await store.pool.query(`
      select count(*) as count, 9007199254740991::bigint as large, date '2026-02-03' as day,
             timestamptz '2026-02-03 04:05:06.789+02' as instant, timestamp '2026-02-03 04:05:06' as local_time,
             '{"a": [1, null]}'::jsonb as json, '\\x00ff'::bytea as bytes, 1.50::numeric as exact,
             array['a', 'b'] as list, null as nothing, true as flag, current_setting('TimeZone') as zone
      from users
    `);
    expect(rows).toEqual([
      {
        count: 1,
        large: Number.MAX_SAFE_INTEGER,
        day: '2026-02-03',
        instant: new Date('2026-02-03T02:05:06.789Z'),
        local_time: new Date('2026-02-03T04:05:06Z'),
        json: { a: [1, null] },
        bytes: Buffer.from([0, 255]),
        exact: '1.50',
        list: ['a', 'b'],
        nothing: null,
        flag: true,
        zone: 'UTC',
      },
    ]);
  });

  test('refuses to round a bigint that no number can hold', async () => {
    await expect(store.pool.query('select 9007199254740993::bigint as large')).rejects.toThrow(/9007199254740993/);
    expect(await userIds()).toEqual(['local']);
  });

  test('shares named statements between clients without a clash', async () => {
    const clients = await Promise.all([store.pool.connect(), store.pool.connect()]);
    const ask = (index: number, text: string) => clients[index]?.query({ name: 'same', text, values: [index] });
    try {
      await ask(0, 'select $1::int + 10 as value');
      await ask(1, 'select $1::int + 20 as value');
      expect((await ask(0, 'select $1::int + 10 as value'))?.rows).toEqual([{ value: 10 }]);
      expect((await ask(1, 'select $1::int + 20 as value'))?.rows).toEqual([{ value: 21 }]);
    } finally {
      for (const client of clients) client.release();
    }
  });

  test('carries large rows and many of them', async () => {
    const body = { text: 'ä'.repeat(700_000) };
    await store.pool.query('insert into notes (body) values ($1)', [body]);
    const { rows } = await store.pool.query('select body from notes');
    expect(rows[0].body).toEqual(body);
    const { rows: many } = await store.pool.query('select n, repeat(n::text, 20) from generate_series(1, 20000) n');
    expect(many).toHaveLength(20_000);
  });

  test('brings notifications to every listener, and to none that left', async () => {
    const heard: string[] = [];
    const waiters: (() => void)[] = [];
    const hear = (who: string) => (payload: string) => {
      heard.push(`${who}:${payload}`);
      waiters.shift()?.();
    };
    const next = (count: number) =>
      Promise.all(Array.from({ length: count }, () => new Promise<void>((resolve) => waiters.push(resolve))));
    const stopFirst = await store.listen('Tasks changed', hear('first'));
    const stopSecond = await store.listen('Tasks changed', hear('second'));
    const stopOther = await store.listen('other', hear('other'));

    let arrived = next(2);
    await store.notify('Tasks changed', 'one');
    await arrived;
    await stopFirst();
    arrived = next(1);
    await store.notify('Tasks changed', 'two');
    await arrived;
    await stopSecond();
    await store.notify('Tasks changed', 'three');
    arrived = next(1);
    await store.notify('other', 'four');
    await arrived;
    expect(heard).toEqual(['first:one', 'second:one', 'second:two', 'other:four']);
    await stopOther();
  });

  test('sends a notification only when its transaction commits', async () => {
    const heard: string[] = [];
    let arrived = () => {};
    const done = new Promise<void>((resolve) => (arrived = resolve));
    const stop = await store.listen('events', (payload) => {
      heard.push(payload);
      if (payload === 'last') arrived();
    });
    const notifyAndFail = store.transaction(async (transaction) => {
      await transaction.selectNoFrom((e) => e.fn('pg_notify', [e.val('events'), e.val('undone')]).as('x')).execute();
      throw new Error('undo');
    });
    await expect(notifyAndFail).rejects.toThrow('undo');
    await store.notify('events', 'last');
    await done;
    expect(heard).toEqual(['last']);
    await stop();
  });

  test('refuses a notification that Postgres would cut', async () => {
    await expect(store.notify('events', 'x'.repeat(8_000))).rejects.toThrow(/at most 7999 bytes/);
  });
});
