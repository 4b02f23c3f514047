import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Member } from './members.ts';

let directory: string;
let members: Member[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-several-'));
  members = [];
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.kill()));
  await rm(directory, { recursive: true, force: true });
});

function start(count: number): Member[] {
  const started = Array.from({ length: count }, () => new Member());
  members.push(...started);
  return started;
}

async function open(...opening: Member[]): Promise<void> {
  await Promise.all(opening.map((member) => member.ask('open', { dataDirectory: directory })));
}

/** The processes with the one that holds the store first. */
async function holderFirst(all: readonly Member[]): Promise<[Member, ...Member[]]> {
  const roles = await Promise.all(all.map((member) => member.ask<string>('role')));
  expect(roles.filter((role) => role === 'holder')).toHaveLength(1);
  const holder = all[roles.indexOf('holder')];
  if (!holder) throw new Error('nobody holds the store');
  return [holder, ...all.filter((member) => member !== holder)];
}

test('five processes that start together share one store, and survive its holder again and again', async () => {
  let alive: Member[] = start(5);
  await open(...alive);
  let expected = 0;
  while (alive.length > 0) {
    await Promise.all(
      alive.map((member, index) =>
        member.query('insert into users (id) values ($1)', [`round${alive.length}-${index}`]),
      ),
    );
    expected += alive.length;
    for (const member of alive) {
      const [row] = await member.query<{ count: number }>(`select count(*) from users where id <> 'local'`);
      expect(row?.count).toBe(expected);
    }
    const [holder, ...others] = await holderFirst(alive);
    await holder.kill();
    alive = others;
  }
  expect(expected).toBe(5 + 4 + 3 + 2 + 1);
});

test('a transaction of one process is never seen or joined by another', async () => {
  const [holder, other] = await startTwo();
  await other.ask('begin', { name: 'tx', text: `insert into users (id) values ('pending')` });
  const seen = holder.query<{ count: number }>('select count(*) from users');
  const added = holder.query(`insert into users (id) values ('mine')`);
  await other.ask('inTransaction', { name: 'tx', text: `insert into users (id) values ('pending-2')` });
  await other.ask('inTransaction', { name: 'tx', text: 'rollback' });
  expect(await seen).toEqual([{ count: 1 }]);
  await added;
  expect(await other.query('select id from users order by id')).toEqual([{ id: 'local' }, { id: 'mine' }]);
});

test('a process killed inside a transaction leaves nothing of it and blocks nobody', async () => {
  const [holder, other] = await startTwo();
  await other.ask('begin', { name: 'tx', text: `insert into users (id) values ('half')` });
  const waiting = holder.query('select id from users');
  await other.kill();
  expect(await waiting).toEqual([{ id: 'local' }]);
});

test('a call that waits for its turn when the holder is killed is answered by the next holder', async () => {
  const [holder, other] = await startTwo();
  await holder.ask('begin', { name: 'tx', text: `insert into users (id) values ('half')` });
  const waiting = other.query(`insert into users (id) values ('patient') returning id`);
  // The holder answers after it has received what was sent before.
  await holder.ask('inTransaction', { name: 'tx', text: 'select 1' });
  await holder.kill();
  expect(await waiting).toEqual([{ id: 'patient' }]);
  expect(await other.query('select id from users order by id')).toEqual([{ id: 'local' }, { id: 'patient' }]);
  expect(await other.ask('role')).toBe('holder');
});

test('a transaction that loses its holder fails with an error that says to try again, and is undone', async () => {
  const [holder, other] = await startTwo();
  await other.ask('begin', { name: 'tx', text: `insert into users (id) values ('half')` });
  await holder.kill();
  await expect(other.ask('inTransaction', { name: 'tx', text: 'select 1' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  expect(await other.query('select id from users')).toEqual([{ id: 'local' }]);
});

test('a holder that closes hands over, and what the others do next works', async () => {
  const [holder, other] = await startTwo();
  await holder.ask('close');
  expect(await other.query('select id from users')).toEqual([{ id: 'local' }]);
  expect(await other.ask('role')).toBe('holder');
});

test('prepared statements outlive the holder that prepared them', async () => {
  const [holder, other] = await startTwo();
  const ask = (value: number) =>
    other.ask('query', { text: { name: 'double', text: 'select $1::int * 2 as twice', values: [value] } });
  expect(await ask(4)).toEqual([{ twice: 8 }]);
  await holder.kill();
  expect(await ask(5)).toEqual([{ twice: 10 }]);
});

test('notifications reach the listeners of every process, also after a change of holder', async () => {
  const [holder, second, third] = await holderFirst(await opened(3));
  if (!second || !third) throw new Error('three processes expected');
  await second.ask('listen', { channel: 'news' });
  await third.ask('listen', { channel: 'news' });
  await holder.ask('notify', { channel: 'news', payload: 'first' });
  await Promise.all(
    [second, third].map((member) => member.until((said) => said.some((it) => it['heard'] === 'first'))),
  );
  await holder.kill();
  // Listening again takes a moment that no call waits for: speak until all have heard.
  const heard = Promise.all(
    [second, third].map((member) => member.until((said) => said.some((it) => it['heard'] === 'second'))),
  );
  let done = false;
  void heard.then(() => (done = true));
  while (!done) await third.ask('notify', { channel: 'news', payload: 'second' });
});

async function opened(count: number): Promise<Member[]> {
  const all = start(count);
  await open(...all);
  return all;
}

async function startTwo(): Promise<[Member, Member]> {
  const [holder, other] = await holderFirst(await opened(2));
  if (!other) throw new Error('two processes expected');
  return [holder, other];
}
