import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../src/kit/index.ts';
import { createFileLog } from '../../src/sop/conversation-files.ts';
import { createTestDatabase } from '../../src/store/store.test-helpers.ts';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-command-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function waymark(
  words: string,
  options: { env?: Record<string, string>; uid?: number; input?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { DATABASE_URL: _, WAYMARK_DATA: __, ...environment } = process.env;
    const child = spawn(process.execPath, [program, ...words.split(' ')], {
      cwd: directory,
      env: { ...environment, ...options.env },
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(options.input ?? '');
  });
}

test('users are added, listed and removed', async () => {
  expect(await waymark('users add ada --time-zone Europe/London')).toEqual({ code: 0, out: 'Added ada\n', err: '' });
  expect(await waymark('users add ada')).toMatchObject({ code: 1, err: 'waymark: The user ada exists already\n' });
  const { out } = await waymark('users list --json');
  const users = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; time_zone: string | null });
  expect(users.map((user) => [user.id, user.time_zone])).toEqual([
    ['ada', 'Europe/London'],
    ['local', null],
  ]);
  expect(await waymark('users remove ada')).toMatchObject({ code: 0, out: 'Removed ada\n' });
  expect(await waymark('users remove ada')).toMatchObject({ code: 1, err: expect.stringContaining('no user ada') });
  expect((await waymark('users list')).out).toMatch(/^local {2}since \d{4}-\d\d-\d\d\n$/);
});

test('a user is exported and removed with recorded conversations', async () => {
  await waymark('users add ada');
  const record = { type: 'started', user: 'ada', at: '2026-03-01T10:00:00.000Z' } as const;
  createFileLog(join(directory, '.waymark', 'sop'), silentLogger).append('conversation-of-ada', record);
  const { out } = await waymark('users export ada');
  expect(JSON.parse(out)).toMatchObject({ sop_conversations: [{ id: 'conversation-of-ada', records: [record] }] });
  expect(await waymark('users remove ada')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ada has data (recorded conversations)'),
  });
  expect(await waymark('users remove ada --yes')).toMatchObject({ code: 0, out: 'Removed ada\n' });
  expect(await waymark('users export ada')).toMatchObject({ code: 1, err: expect.stringContaining('no user ada') });
});

test('mistakes get one line and exit code 2', async () => {
  const mistakes = {
    'users add ada --time-zone Mars/Base': /not a time zone/,
    'users remove local': /always exists/,
    'users add': /missing required argument/,
    'users ad ada': /Did you mean add/,
    'data import nowhere.jsonl': /nowhere.jsonl: no such file/,
    'data export': /missing required argument/,
    'data import x --replace --merge': /cannot be used with/,
  };
  for (const [words, message] of Object.entries(mistakes)) {
    const { code, out, err } = await waymark(words);
    expect({ words, code, out }).toEqual({ words, code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  }
});

test('data moves from the embedded store through a pipe and a file', async () => {
  await waymark('users add ada');
  const exported = await waymark('data export -');
  expect(exported.out.split('\n')[0]).toContain('"waymark":"export"');
  expect(await waymark('data import - --data second', { input: exported.out })).toMatchObject({
    code: 0,
    out: 'Imported 2 rows\n',
  });
  expect((await waymark('users list --data second')).out).toContain('ada');
  expect(await waymark('data import - --data second', { input: exported.out })).toMatchObject({
    code: 1,
    err: 'waymark: -: the store is not empty (users): add --replace or --merge. Nothing was changed.\n',
  });
  await writeFile(join(directory, 'broken.jsonl'), exported.out.slice(0, -20));
  expect(await waymark('data import broken.jsonl --data third')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was changed'),
  });
});

test.skipIf(!process.env['WAYMARK_TEST_POSTGRES'])('data moves to a Postgres server and back', async () => {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url };
  await waymark('users add ada');
  await waymark('data export there.jsonl.gz');
  expect(await waymark('data import there.jsonl.gz', { env })).toMatchObject({ code: 0, out: 'Imported 2 rows\n' });
  expect((await waymark('users list', { env })).out).toContain('ada');
  await waymark('users add bob', { env });
  await waymark('data export back.jsonl.gz', { env });
  expect(await waymark('data import back.jsonl.gz --replace')).toMatchObject({ code: 0, out: 'Imported 3 rows\n' });
  await database.drop();
});

test('a database that is down is told in one line', async () => {
  const { code, err } = await waymark('users list', {
    env: { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/tasks' },
  });
  expect(code).toBe(1);
  expect(err).toMatch(/^waymark: Cannot reach the database tasks at 127.0.0.1:1: .*\n$/);
  expect(err).not.toContain('secret');
});

/** Root may write anywhere, so the test becomes somebody else, if that somebody can read this checkout. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;
const canRun =
  spawnSync(process.execPath, [program, '--version'], nobody === undefined ? {} : { uid: nobody, cwd: tmpdir() })
    .status === 0;

test.skipIf(!canRun || process.platform === 'win32')('a read-only data directory is told in one line', async () => {
  if (nobody !== undefined) chownSync(directory, nobody, nobody);
  chmodSync(directory, 0o555);
  const { code, err } = await waymark('users list', nobody === undefined ? {} : { uid: nobody });
  chmodSync(directory, 0o755);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^waymark: Cannot use the data directory .*\.waymark: no permission to write there\. Choose another .*\n$/,
  );
});
