import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Member } from './members.ts';

/** The long form is for nights; the short one for every run. */
const kills = process.env['WAYMARK_FULL'] ? 60 : 8;

let directory: string;
let members: Member[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-crash-'));
  const member = await openMember();
  await member.query('create table ledger (id integer primary key, body text not null)');
  await member.query('create table total (count integer not null)');
  await member.query('insert into total values (0)');
  await member.kill();
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.kill()));
  members = [];
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function openMember(): Promise<Member> {
  const member = new Member();
  members.push(member);
  await member.ask('open', { dataDirectory: directory });
  return member;
}

interface Ledger {
  readonly ids: readonly number[];
  readonly torn: number;
  readonly total: number;
}

async function readLedger(member: Member): Promise<Ledger> {
  const rows = await member.query<{ id: number }>('select id from ledger order by id');
  const [torn] = await member.query<{ count: number }>(
    'select count(*) from ledger where body <> repeat(id::text, 50)',
  );
  const [total] = await member.query<{ count: number }>('select count from total');
  return { ids: rows.map((row) => row.id), torn: torn?.count ?? -1, total: total?.count ?? -1 };
}

const written = (member: Member): number[] =>
  member.said.filter((it) => 'wrote' in it).map((it) => it['wrote'] as number);

test(
  `a process killed ${kills} times while it writes loses no acknowledged write`,
  { timeout: kills * 10_000 },
  async () => {
    let next = 1;
    let writer = await openMember();
    for (let round = 1; round <= kills; round++) {
      void writer.ask('write', { from: next }).catch(() => {});
      // A different place in the stream of writes each time.
      await writer.until((said) => said.length >= 3 + ((round * 7) % 23));
      await writer.kill();
      const acknowledged = written(writer);

      const reader = await openMember();
      const { ids, torn, total } = await readLedger(reader);
      expect(torn).toBe(0);
      expect(total).toBe(ids.length);
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      // At most the one that was under way.
      expect(ids.length - (next - 1) - acknowledged.length).toBeLessThanOrEqual(1);
      next = ids.length + 1;
      writer = reader;
    }
  },
);

test('three processes write while their holder is killed: every acknowledged write is there, once', async () => {
  const all = [await openMember(), await openMember(), await openMember()];
  const before = await readLedger(all[0] as Member);
  all.forEach((member, index) => {
    void member.ask('write', { from: 1_000_000 * (index + 1) }).catch(() => {});
  });
  await Promise.all(all.map((member) => member.until(() => written(member).length >= 10)));
  const [holder, ...others] = all;
  expect(await holder?.ask('role')).toBe('holder');
  await holder?.kill();
  const atKill = others.map((member) => member.said.length);
  await Promise.all(others.map((member, index) => member.until((said) => said.length >= (atKill[index] ?? 0) + 10)));
  const failures = others.flatMap((member) => member.said.filter((it) => 'failed' in it));
  await Promise.all(others.map((member) => member.kill()));

  const { ids, torn, total } = await readLedger(await openMember());
  expect(torn).toBe(0);
  expect(total).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...before.ids, ...all.flatMap(written)]));
  expect(failures.every((it) => it['code'] === 'STORE_UNAVAILABLE')).toBe(true);
  // Not acknowledged, and yet there: at most what was under way in each process at the kill and at the end.
  const unacknowledged = ids.length - before.ids.length - all.flatMap(written).length;
  expect(unacknowledged).toBeLessThanOrEqual(failures.length + all.length);
});

test('a process killed while it creates the store leaves nothing in the way', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'waymark-crash-fresh-'));
  try {
    // Moments of the kill, spread over the time that creating takes.
    for (const delay of [0, 60, 140, 260, 420]) {
      const member = new Member();
      members.push(member);
      member.ask('open', { dataDirectory: fresh }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, delay));
      await member.kill();
    }
    const member = new Member();
    members.push(member);
    await member.ask('open', { dataDirectory: fresh });
    expect(await member.query('select id from users')).toEqual([{ id: 'local' }]);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
});
