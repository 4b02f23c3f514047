import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'waymark-chat-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

interface Answer {
  readonly reply: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Record<string, unknown>;
    readonly ok: boolean;
  }[];
  readonly conversation: string;
}

function start(...args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [waymark, ...args], { env: { ...process.env, WAYMARK_MODEL: '', DATABASE_URL: '' } });
}

const flags = () => [
  'chat',
  '--json',
  '--data',
  data,
  '--now',
  '2026-11-18T15:30:00-05:00',
  '--tz',
  'America/New_York',
  '--conversation',
  'c1',
];

/** A process that is spoken to line by line. */
function open() {
  const child = start(...flags());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async say(message: string): Promise<Answer> {
      child.stdin.write(`${message}\n`);
      return JSON.parse((await lines.next()).value as string) as Answer;
    },
    kill: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

async function run(args: readonly string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(...args);
  child.stdin.end(input);
  const [out, err] = ['', ''].map(() => [] as string[]);
  child.stdout.on('data', (chunk: Buffer) => out?.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => err?.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out: out?.join('') ?? '', err: err?.join('') ?? '' };
}

describe('waymark chat --json', () => {
  test('goes on after the process is killed between any two turns [ABR-022]', async () => {
    const replies: string[] = [];
    for (const message of ['add buy milk tomorrow', 'show my tasks', 'delete number 1', 'yes', 'show my tasks']) {
      const chat = open();
      const answer = await chat.say(message);
      await chat.kill();
      expect(Object.keys(answer)).toEqual(['reply', 'calls', 'conversation']);
      expect(answer.conversation).toBe('c1');
      replies.push(answer.reply);
    }
    expect(replies).toEqual([
      "I've added 'buy milk' to your tasks (due Thu 19 Nov).",
      'Here is your task:\n1. buy milk (due Thu 19 Nov)',
      "Are you sure you want to delete 'buy milk'? This cannot be undone.",
      "I've deleted 'buy milk' from your tasks.",
      "You don't have any tasks yet.",
    ]);
  });

  test('answers every line of input, whoever the user is', async () => {
    const { code, out } = await run(
      ['chat', '--json', '--data', data, '--user', 'ada'],
      'add eggs\nwhat is the weather\n',
    );
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    expect(code).toBe(0);
    expect(answers.map(({ calls }) => calls.length)).toEqual([1, 0]);
    expect(new Set(answers.map(({ conversation }) => conversation)).size).toBe(1);
  });

  test.each([
    [['--now', 'someday'], '--now someday: not an ISO date and time'],
    [['--tz', 'Mars/Olympus'], '--tz Mars/Olympus: not a time zone'],
    [['--model', 'opnai/gpt-5'], 'did you mean "openai/gpt-5"?'],
    [['--modle', 'x'], 'Did you mean --model?'],
  ])('%j is refused in one line', async (extra, hint) => {
    const { code, err } = await run(['chat', '--json', '--data', data, ...extra]);
    expect(code).toBe(2);
    expect(err).toContain(hint);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('waymark tasks intents', () => {
  test('tells an intent for every line', async () => {
    const { out } = await run(['tasks', 'intents'], 'add milk\nshow my tasks\n\ndelete it\n');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { text: 'add milk', intent: 'add' },
      { text: 'show my tasks', intent: 'list' },
      { text: '', intent: 'other' },
      { text: 'delete it', intent: 'delete' },
    ]);
  });
});

describe('waymark eval', () => {
  test('says what is wrong with a file', async () => {
    expect(await run(['eval', 'nowhere.yaml'])).toMatchObject({
      code: 2,
      err: 'waymark: nowhere.yaml: no such file\n',
    });
  });
});
