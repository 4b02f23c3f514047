import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/index.ts';
import { examplePacks } from './sage.test-helpers.ts';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-sage-crash-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function start(...flags: string[]): { process: ChildProcess; answers: AsyncIterator<string> } {
  const child = spawn(
    process.execPath,
    [program, 'sage', 'chat', '--json', '--packs', examplePacks, '--data', directory, ...flags],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  if (!child.stdout) throw new Error('no output');
  return { process: child, answers: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

const words = [
  'hello',
  'no idea',
  'If I refuse right away they can look for someone else, and with lots of reasons they argue.',
];

test('killed in the middle of turns: every turn answered is there, whole, and none is half there', async () => {
  for (const answered of [1, 2]) {
    const { process: child, answers } = start('--goal', 'saying no');
    await answers.next();
    for (const line of words.slice(0, answered)) {
      child.stdin?.write(`${line}\n`);
      const { value } = await answers.next();
      expect(JSON.parse(value as string)).toMatchObject({ response: expect.any(String) });
    }
    // The rest is under way, nobody waits for it.
    child.stdin?.write(`${words.slice(answered).join('\n')}\n`);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const store = await openStore({ dataDirectory: directory });
    try {
      const { rows: sessions } = await store.pool.query<{ id: string; turns: number; mode: string }>(
        'select id, turns, mode from sage_sessions where ended_at is null',
      );
      expect(sessions).toHaveLength(1);
      const { rows: turns } = await store.pool.query<{ seq: number }>(
        'select seq from sage_turns where session_id = $1 order by seq',
        [sessions[0]?.id],
      );
      expect(turns.length).toBeGreaterThanOrEqual(answered);
      expect(turns.map(({ seq }) => seq)).toEqual(turns.map((_turn, index) => index + 1));
      expect(sessions[0]?.turns).toBe(turns.length);
      const { rows: dangling } = await store.pool.query(
        `select 1 from sage_edges e where type = 'requires'
         and (not exists (select 1 from sage_outcomes where id = e.from_id) or not exists (select 1 from sage_concepts where id = e.to_id))`,
      );
      expect(dangling).toEqual([]);
    } finally {
      await store.close();
    }
  }
}, 60_000);

test('after a kill the next session goes on where the learner was', async () => {
  const first = start('--goal', 'saying no');
  await first.answers.next();
  first.process.stdin?.write('hello\nno idea\n');
  await first.answers.next();
  await first.answers.next();
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');

  const second = start();
  await second.answers.next();
  second.process.stdin?.end('let us go on\n');
  const { value } = await second.answers.next();
  expect(JSON.parse(value as string)).toMatchObject({
    mode: 'probing',
    conceptsDiscussed: ['clear_no'],
    outcomeProgress: 0.13,
  });
  const { value: end } = await second.answers.next();
  expect(JSON.parse(end as string)).toMatchObject({ nextSteps: [expect.any(String), expect.any(String)] });
  await once(second.process, 'exit');
}, 60_000);
