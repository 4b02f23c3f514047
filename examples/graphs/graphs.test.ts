import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Graphs, openGraphs } from '../../packages/waymark/src/graph/open-graphs.ts';
import { createRoots, silentLogger, type User } from '../../packages/waymark/src/kit/index.ts';
import { connectOwnToolset } from '../../packages/waymark/src/server/own-toolsets.ts';
import { createServices, type Services } from '../../packages/waymark/src/server/services.ts';

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../..');
const user: User = { id: 'local', scopes: 'all' };

let data: string;
let services: Services;
let graphs: Graphs;
let files: string[];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'waymark-examples-'));
  services = createServices({ dataDirectory: data, roots: await createRoots([repository, data]), log: silentLogger });
  files = (await readdir(here)).filter((name) => name.endsWith('.yaml')).map((name) => join(here, name));
  graphs = await openGraphs({ files, watch: false, connectToolset: connectOwnToolset(services, {}) });
});
afterAll(async () => {
  await graphs.close();
  await services.close();
  await rm(data, { recursive: true, force: true });
});

async function run(graph: string, tool: string, args: Record<string, unknown>, answer?: 'accept' | 'decline') {
  const { document } = graphs.library.get(graph);
  if (!document) throw new Error(`${graph} does not load`);
  const handle = await graphs.runs.start({ document, tool, args, user });
  if (answer) {
    await expect.poll(() => handle.questions()).toHaveLength(1);
    handle.answer(handle.questions()[0]?.id ?? '', { action: answer });
  }
  const outcome = await handle.outcome;
  if (outcome.status !== 'succeeded') throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.result;
}

describe('the examples', () => {
  test('are at least eight, and all of them load without errors [GRAPH-065] [GRAPH-067]', () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
    const errors = graphs.library
      .list()
      .flatMap(({ problems }) => problems.filter(({ severity }) => severity === 'error'));
    expect(errors).toEqual([]);
    expect(graphs.library.list().every(({ document }) => document)).toBe(true);
  });

  test('count_files counts with the real filesystem server [GRAPH-062] [GRAPH-063] [GRAPH-064] [GRAPH-066] [GRAPH-033]', async () => {
    const entries = await readdir(here);
    expect(await run('fileUtils', 'count_files', { directory: relative(repository, here) })).toEqual({
      count: entries.length,
    });
  });

  test('triage takes the first rule that holds', async () => {
    expect(await run('triage', 'triage', { amount: 5000, customer: 'gold' })).toMatchObject({ handler: 'manager' });
    expect(await run('triage', 'triage', { amount: 50, customer: 'gold' })).toMatchObject({ handler: 'automatic' });
    expect(await run('triage', 'triage', { amount: 50, customer: 'new' })).toMatchObject({ handler: 'clerk' });
  });

  test('collatz loops until it is done', async () => {
    expect(await run('collatz', 'collatz', { n: 27 })).toEqual({ steps: 111, highest: 9232 });
    expect(await run('collatz', 'collatz', { n: 1 })).toEqual({ steps: 0, highest: 1 });
  });

  test('read_all reads every file it can, in order', async () => {
    const ignored = (await readFile(join(repository, '.gitignore'), 'utf8')).split('\n')[0];
    expect(await run('readAll', 'first_lines', { paths: ['package.json', 'no-such-file', '.gitignore'] })).toEqual({
      lines: [
        { path: 'package.json', line: '{' },
        { path: '.gitignore', line: ignored },
      ],
      unreadable: ['no-such-file'],
    });
  });

  test('overview asks three servers at once', async () => {
    const { client, close } = await tasks();
    await client.callTool({ name: 'add_task', arguments: { user_id: 'local', title: 'Water the plants' } });
    await close();
    const result = (await run('overview', 'overview', { directory: 'examples' })) as {
      entries: number;
      openTasks: string[];
      words: number;
    };
    expect(result.entries).toBe((await readdir(join(repository, 'examples'))).length);
    expect(result.openTasks).toContain('Water the plants');
    expect(result.words).toBeGreaterThan(100);
  });

  test('onboarding uses the procedures, tasks and books of Waymark itself', async () => {
    const book = join(data, 'case.hnpx');
    const result = (await run('onboarding', 'open_case', { customer: 'Ada', book })) as { task: string };
    expect(result).toMatchObject({ chapter: 'Case of Ada', procedure: 'examples/sop/refund.md' });
    expect(await readFile(book, 'utf8')).toContain(`Opened with task ${result.task}`);
    const { client, close } = await tasks();
    const { structuredContent } = await client.callTool({ name: 'list_tasks', arguments: { user_id: 'local' } });
    await close();
    expect(JSON.stringify(structuredContent)).toContain('Refund for Ada');
  });

  test('approval asks a person about long texts only', async () => {
    expect(await run('approval', 'publish', { title: 'News', words: 10 })).toEqual({
      published: true,
      note: 'short enough',
    });
    expect(await run('approval', 'publish', { title: 'News', words: 2000 }, 'accept')).toEqual({
      published: true,
      note: 'approved',
    });
    expect(await run('approval', 'publish', { title: 'News', words: 2000 }, 'decline')).toEqual({
      published: false,
      note: 'not approved',
    });
  });

  test('fallback goes on where a file cannot be read', async () => {
    expect(await run('fallback', 'read_or_default', { path: 'no-such-file' })).toEqual({
      text: 'nothing to read',
      from: 'default',
    });
    expect(await run('fallback', 'read_or_default', { path: '.gitignore' })).toMatchObject({ from: 'file' });
  });

  test('shopping calls tools of its own file and of another', async () => {
    const items = [
      { item: 'eggs', amount: 2 },
      { item: 'flour', amount: 1 },
    ];
    expect(await run('shopping', 'total', { items })).toEqual({ total: 6.8 });
    await expect(run('shopping', 'total', { items: [{ item: 'caviar', amount: 1 }] })).rejects.toThrow(
      'no price for caviar',
    );
  });
});

async function tasks() {
  const client = await connectOwnToolset(services, {})('tasks', user, {});
  return { client, close: () => client.close() };
}
