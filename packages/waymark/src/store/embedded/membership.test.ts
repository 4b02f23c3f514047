import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../kit/context.ts';
import { StoreOpenError } from '../errors.ts';
import { addressOf } from './address.ts';
import { Broker, type Session, type SessionPeer } from './broker.ts';
import type { Engine } from './engine.ts';
import { readHolderNote } from './holder-file.ts';
import { acquireLock } from './lock.ts';
import { Membership, type MembershipOptions } from './membership.ts';
import { simpleQuery } from './wire.ts';

/** Understands `begin`, `commit`, `rollback` and `crash`; keeps a record of what it ran. */
class FakeEngine implements Engine {
  readonly serverVersion = '18';
  readonly ran: string[] = [];
  closed = false;
  #open = false;

  execute(messages: Buffer): Buffer {
    const text = messages.toString('utf8', 5, messages.length - 1);
    if (text === 'crash') throw new Error('out of memory');
    this.ran.push(text);
    if (text === 'begin') this.#open = true;
    if (text === 'commit' || text === 'rollback') this.#open = false;
    return Buffer.from(`Z\0\0\0\u0005${this.#open ? 'T' : 'I'}`);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

/** A session as tests like it: ask and get the status, or the reason it was lost. */
async function converse(open: (peer: SessionPeer) => Session | Promise<Session>) {
  let settle: ((outcome: string) => void) | undefined;
  const losses: string[] = [];
  const session = await open({
    started: () => true,
    reply: (_answer, status) => settle?.(status ?? '-'),
    notified: () => {},
    lost: (reason) => {
      losses.push(reason.message);
      settle?.(`lost: ${reason.message}`);
    },
  });
  return {
    losses,
    close: () => session.close(),
    ask: (text: string) =>
      new Promise<string>((resolve) => {
        settle = resolve;
        session.submit(simpleQuery(text));
      }),
  };
}

describe('a broker', () => {
  test('keeps the engine for a transaction until it ends', async () => {
    const engine = new FakeEngine();
    const broker = new Broker(engine);
    const first = await converse((peer) => broker.open(peer));
    const second = await converse((peer) => broker.open(peer));
    expect(await first.ask('begin')).toBe('T');
    const waiting = second.ask('other');
    expect(await first.ask('mine')).toBe('T');
    expect(await first.ask('commit')).toBe('I');
    expect(await waiting).toBe('I');
    expect(engine.ran).toEqual(['begin', 'mine', 'commit', 'other']);
  });

  test('undoes the transaction of a session that leaves', async () => {
    const engine = new FakeEngine();
    const broker = new Broker(engine);
    const first = await converse((peer) => broker.open(peer));
    const second = await converse((peer) => broker.open(peer));
    await first.ask('begin');
    const waiting = second.ask('other');
    first.close();
    await waiting;
    expect(engine.ran).toEqual(['begin', 'rollback', 'other']);
  });

  test('ends a transaction that makes others wait and does nothing', async () => {
    const engine = new FakeEngine();
    const broker = new Broker(engine, { idleInTransactionLimit: 20 });
    const idle = await converse((peer) => broker.open(peer));
    const other = await converse((peer) => broker.open(peer));
    await idle.ask('begin');
    expect(await other.ask('other')).toBe('I');
    expect(idle.losses).toEqual([expect.stringContaining('without doing anything')]);
    expect(engine.ran).toEqual(['begin', 'rollback', 'other']);
  });

  test('does not run a batch whose sender cannot be told that it starts', async () => {
    const engine = new FakeEngine();
    const broker = new Broker(engine);
    const gone = broker.open({ started: async () => false, reply: () => {}, notified: () => {}, lost: () => {} });
    gone.submit(simpleQuery('lost'));
    const other = await converse((peer) => broker.open(peer));
    await other.ask('other');
    expect(engine.ran).toEqual(['other']);
  });
});

describe('a membership', () => {
  let directory: string;
  let engines: FakeEngine[];
  let members: Membership[];

  beforeEach(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-member-')));
    engines = [];
    members = [];
  });
  afterEach(async () => {
    await Promise.all(members.map((member) => member.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  function newMember(options: Partial<MembershipOptions> = {}): Membership {
    const member = new Membership({
      dataDirectory: directory,
      log: silentLogger,
      openEngine: async () => {
        const engine = new FakeEngine();
        engines.push(engine);
        return engine;
      },
      ...options,
    });
    members.push(member);
    return member;
  }
  const talkTo = (member: Membership) => converse((peer) => member.openSession(peer));

  test('the second opener forwards to the first and takes over when that closes', async () => {
    const [first, second] = [newMember(), newMember()];
    await (await talkTo(first)).ask('one');
    const forwarded = await talkTo(second);
    expect(await forwarded.ask('two')).toBe('I');
    expect([first.isHolder, second.isHolder]).toEqual([true, false]);
    expect(engines[0]?.ran).toEqual(['one', 'two']);

    await first.close();
    expect(engines[0]?.closed).toBe(true);
    expect(await (await talkTo(second)).ask('three')).toBe('I');
    expect(second.isHolder).toBe(true);
    expect(engines[1]?.ran).toEqual(['three']);
  });

  test('an engine that fails is opened again, and who was in it is told', async () => {
    const member = newMember();
    const unlucky = await talkTo(member);
    expect(await unlucky.ask('crash')).toBe('lost: out of memory');
    expect(await (await talkTo(member)).ask('next')).toBe('I');
    expect(engines).toHaveLength(2);
  });

  test('a store that cannot be opened says why to every process', async () => {
    const openEngine = async () => {
      throw new StoreOpenError('the disk is full');
    };
    const [first, second] = [newMember({ openEngine }), newMember({ openEngine })];
    const outcomes = await Promise.allSettled([talkTo(first), talkTo(second)]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the disk is full' } });
  });

  test('only who can read the data directory is served', async () => {
    const holder = newMember();
    await talkTo(holder);
    expect(statSync(join(directory, 'holder.json')).mode & 0o077).toBe(0);
    const stranger = connect(addressOf(directory).address);
    const said: Buffer[] = [];
    stranger.on('data', (chunk: Buffer) => said.push(chunk));
    // A greeting, then a proof without the secret, then a query.
    stranger.write(Buffer.concat([Buffer.from([0, 0, 0, 17, 1, 1]), Buffer.alloc(16)]));
    stranger.write(Buffer.concat([Buffer.from([0, 0, 0, 32, 2]), Buffer.alloc(32)]));
    stranger.write(Buffer.concat([Buffer.from([0, 0, 0, 12, 4]), simpleQuery('secret')]));
    await once(stranger, 'close');
    expect(engines[0]?.ran).toEqual([]);
    expect(Buffer.concat(said).toString('latin1')).not.toContain(readHolderNote(directory)?.secret);
  });

  test('a program that took the name of the lock first learns nothing and is not believed', async () => {
    const heard: Buffer[] = [];
    const squatter = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk: Buffer) => {
        heard.push(chunk);
        socket.write(Buffer.concat([Buffer.from([0, 0, 0, 49, 1, 1]), Buffer.alloc(48)]));
      });
    });
    squatter.listen(addressOf(directory).address);
    await once(squatter, 'listening');
    writeFileSync(join(directory, 'holder.json'), JSON.stringify({ pid: 1, secret: 'top-secret', place: 'here' }));
    utimesSync(join(directory, 'holder.json'), 0, 0);
    const member = newMember({ patience: 1 });
    await expect(talkTo(member)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(Buffer.concat(heard).toString('latin1')).not.toContain('top-secret');
    squatter.close();
  });

  test('a directory that is open on another machine or container is refused, until that is gone', async () => {
    const note = join(directory, 'holder.json');
    writeFileSync(note, JSON.stringify({ pid: 1, secret: 'x', place: 'elsewhere net:[1]' }));
    await expect(talkTo(newMember())).rejects.toThrow(/open in Waymark on elsewhere.*DATABASE_URL/);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(note, longAgo, longAgo);
    expect(await (await talkTo(newMember())).ask('mine')).toBe('I');
  });
});

describe('a lock with a socket file', () => {
  test('is exclusive, replaces the file of a killed process, and is freed by release', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-lock-'));
    const address = { address: join(folder, 'lock.sock'), leavesFile: true };
    // What a killed process leaves: a file nobody listens on.
    writeFileSync(address.address, '');
    const contenders = await Promise.all(Array.from({ length: 5 }, () => acquireLock(address, () => {})));
    const winners = contenders.filter((lock) => lock !== undefined);
    expect(winners).toHaveLength(1);
    expect(await acquireLock(address, () => {})).toBeUndefined();
    await winners[0]?.release();
    const next = await acquireLock(address, () => {});
    expect(next).toBeDefined();
    await next?.release();
    expect(existsSync(`${address.address}.takeover`)).toBe(false);
    rmSync(folder, { recursive: true, force: true });
  });
});
