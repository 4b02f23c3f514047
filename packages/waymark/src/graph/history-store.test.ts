import { spawn } from 'node:child_process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import type { RunEvent } from './events.ts';
import type { History } from './history/history.ts';
import { ownIdentity } from './history/process-identity.ts';
import type { GraphTables } from './history/tables.ts';
import { openHistory } from './history-store.ts';
import { defaultLimits, type GraphDocument } from './model.ts';

const document: GraphDocument = {
  file: 'demo.yaml',
  directory: '/',
  dialect: 'expr',
  version: '1.0',
  server: { name: 'demo', version: '1.0.0', title: 'demo' },
  limits: defaultLimits,
  servers: new Map(),
  constants: {},
  tools: new Map(),
  tests: [],
  graphs: new Map(),
  hash: 'ab'.repeat(32),
  source: 'version: "1.0" # a comment\n',
  warnings: [],
  secrets: [],
};

let store: Store;
let history: History;
let now = new Date('2026-03-01T00:00:00Z');

interface Sketch {
  readonly user?: string;
  readonly tool?: string;
  readonly at?: number;
  readonly input?: Record<string, unknown>;
  readonly outputs?: readonly unknown[];
  readonly end?: 'succeeded' | 'failed' | 'none';
}

function eventsOf(run: string, sketch: Sketch): RunEvent[] {
  const at = sketch.at ?? now.getTime();
  const outputs = sketch.outputs ?? [{ n: 1 }];
  const events: RunEvent[] = [
    {
      type: 'run-started',
      seq: 0,
      at,
      run,
      graphHash: document.hash,
      tool: sketch.tool ?? 'count',
      input: sketch.input ?? {},
      user: sketch.user ?? 'local',
      mode: 'inline',
    },
  ];
  for (const [index, output] of outputs.entries()) {
    const node = { node: `node${index}`, nodeType: 'transform', path: '', attempt: 1 } as const;
    events.push({ type: 'node-started', seq: events.length, at: at + index, ...node });
    events.push({ type: 'node-ended', seq: events.length, at: at + index, ...node, index, durationUs: 12, output });
  }
  const end = sketch.end ?? 'succeeded';
  if (end === 'none') return events;
  const common = { seq: events.length, at: at + 100, durationUs: 1500, nodeExecutions: outputs.length };
  const error = { code: 'TOOL_ERROR', message: 'the disk is full', node: 'node0' };
  events.push({
    type: 'run-ended',
    ...common,
    ...(end === 'failed' ? { status: 'failed', error } : { status: 'succeeded', result: outputs.at(-1) }),
  });
  return events;
}

function record(run: string, sketch: Sketch = {}): RunEvent[] {
  const recorder = history.recorder(document);
  const events = eventsOf(run, sketch);
  for (const event of events) recorder.append(run, event);
  return events;
}

describeStores('run history', (open) => {
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    now = new Date('2026-03-01T00:00:00Z');
    history = await openHistory(store, { clock: () => now });
  });

  describe('the history of runs', () => {
    test('gives back every event, the input and the result as they were', async () => {
      const outputs = [0, false, null, '', undefined, [1, [2]], { zebra: 1, apple: 'a\0b' }, 'x'.repeat(5000)];
      const input = { question: 'why?', list: Array.from({ length: 100 }, (_, index) => ({ index })) };
      const events = record('r1', { outputs, input });
      const read = await history.events('r1');
      expect(read).toEqual(events);
      expect(Object.keys((read[14] as { output: object }).output)).toEqual(['zebra', 'apple']);
      expect(await history.get('r1')).toMatchObject({
        run: 'r1',
        graph: 'demo',
        tool: 'count',
        status: 'succeeded',
        input,
        result: 'x'.repeat(5000),
        nodeExecutions: 8,
        durationMs: 1.5,
      });
      expect(await history.events('r1', { after: 2, limit: 2 })).toEqual(events.slice(3, 5));
    });

    test('keeps falsy results apart from no result', async () => {
      record('zero', { outputs: [0] });
      record('nothing', { outputs: [null] });
      record('absent', { outputs: [undefined] });
      expect(await history.get('zero')).toHaveProperty('result', 0);
      expect(await history.get('nothing')).toHaveProperty('result', null);
      expect(await history.get('absent')).not.toHaveProperty('result');
    });

    test('lists a run before anything else of it is written', async () => {
      const recorder = history.recorder(document);
      const [started] = eventsOf('early', { end: 'none' });
      recorder.append('early', started as RunEvent);
      await recorder.flush();
      const { runs } = await history.list();
      expect(runs).toMatchObject([{ run: 'early', status: 'running' }]);
    });

    test('writes by itself soon, without being asked', async () => {
      record('soon');
      const db = store.db.withTables<GraphTables>();
      await expect
        .poll(
          async () => (await db.selectFrom('graph_events').select('seq').where('run_id', '=', 'soon').execute()).length,
        )
        .toBe(4);
    });

    test('filters by user, tool, status and time', async () => {
      record('a', { user: 'ada', tool: 'count', at: 1000 });
      record('b', { user: 'ada', tool: 'sum', at: 2000, end: 'failed' });
      record('c', { user: 'bob', tool: 'count', at: 3000 });
      const ids = async (filter: Parameters<History['list']>[0]) =>
        (await history.list(filter)).runs.map(({ run }) => run);
      expect(await ids({})).toEqual(['c', 'b', 'a']);
      expect(await ids({ user: 'ada' })).toEqual(['b', 'a']);
      expect(await ids({ tool: 'count' })).toEqual(['c', 'a']);
      expect(await ids({ graph: 'other' })).toEqual([]);
      expect(await ids({ status: ['failed', 'interrupted'] })).toEqual(['b']);
      expect(await ids({ since: new Date(2000), until: new Date(3000) })).toEqual(['b']);
      const [failed] = (await history.list({ status: ['failed'] })).runs;
      expect(failed?.error).toEqual({ code: 'TOOL_ERROR', message: 'the disk is full', node: 'node0' });
    });

    test('pages without skipping or repeating, also where runs started at the same moment', async () => {
      for (let number = 0; number < 25; number++) record(`run${number}`, { at: 1000 + Math.floor(number / 10) });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await history.list({ limit: 4, cursor });
        seen.push(...page.runs.map(({ run }) => run));
        cursor = page.next;
      } while (cursor);
      expect(seen).toHaveLength(25);
      expect(new Set(seen).size).toBe(25);
      await expect(history.list({ cursor: 'nonsense' })).rejects.toThrow('cursor');
    });

    test('shows a run only to its owner', async () => {
      record('mine', { user: 'ada' });
      expect(await history.get('mine', 'ada')).toBeDefined();
      expect(await history.get('mine', 'bob')).toBeUndefined();
      expect(await history.export('mine', 'bob')).toBeUndefined();
      expect(await history.delete('mine', 'bob')).toBe(false);
    });

    test('exports a run with its graph and events', async () => {
      const events = record('out');
      const exported = await history.export('out');
      expect(exported).toMatchObject({ format: 'waymark-run/1', source: document.source, run: { run: 'out' } });
      expect(exported?.events).toEqual(events);
      expect(JSON.parse(JSON.stringify(exported))).toMatchObject({ run: { status: 'succeeded' } });
    });

    test('is small where a value grows step by step', async () => {
      let list: string[] = [];
      const outputs = Array.from({ length: 300 }, (_, index) => (list = [...list, `message ${index} `.repeat(40)]));
      record('loop', { outputs });
      await history.flush();
      const { rows } = await sql<{ bytes: number }>`
      select (select sum(length(value)) from graph_blobs) + (select sum(length(data)) from graph_events) as bytes
    `.execute(store.db);
      const snapshots = outputs.reduce((sum, output) => sum + JSON.stringify(output).length, 0);
      expect(Number(rows[0]?.bytes)).toBeLessThan(snapshots / 8);
      expect(await history.get('loop')).toMatchObject({ result: list });
    });
  });

  describe('runs whose process is gone', () => {
    async function leftBy(identity: { host: string; pid: number; started: string }, seenAt: Date): Promise<void> {
      const db = store.db.withTables<GraphTables>();
      record('left', { outputs: [1, 2], end: 'none' });
      record('done', { outputs: [1] });
      await history.flush();
      await db
        .insertInto('graph_processes')
        .values({ id: 'other', ...identity, seen_at: seenAt })
        .execute();
      await db.updateTable('graph_runs').set({ process: 'other' }).execute();
    }
    const statuses = async () =>
      Object.fromEntries((await history.list()).runs.map(({ run, status }) => [run, status]));

    test('are interrupted at the next start, with the history they had', async () => {
      const child = spawn(process.execPath, ['-e', '']);
      await new Promise((resolve) => child.once('exit', resolve));
      await leftBy({ ...ownIdentity(), pid: child.pid as number }, now);
      await openHistory(store, { clock: () => now });
      expect(await statuses()).toEqual({ left: 'interrupted', done: 'succeeded' });
      expect(await history.get('left')).toMatchObject({ error: { code: 'INTERRUPTED' }, nodeExecutions: 2 });
      expect(await history.events('left')).toHaveLength(5);
    });

    test('are told from those of a process that took over its number', async () => {
      await leftBy({ ...ownIdentity(), started: '1' }, now);
      expect(await history.sweep()).toBe(1);
      expect(await statuses()).toEqual({ left: 'interrupted', done: 'succeeded' });
    });

    test('are left alone while it lives', async () => {
      await leftBy(ownIdentity(), now);
      expect(await history.sweep()).toBe(0);
      expect(await statuses()).toEqual({ left: 'running', done: 'succeeded' });
    });

    test('are recognised on another machine by its silence', async () => {
      await leftBy({ host: 'elsewhere', pid: 1, started: '1' }, now);
      expect(await history.sweep()).toBe(0);
      now = new Date(now.getTime() + 60_000);
      expect(await history.sweep()).toBe(1);
      expect(await statuses()).toEqual({ left: 'interrupted', done: 'succeeded' });
    });
  });

  describe('retention', () => {
    const day = 86_400_000;
    const count = async (table: 'graph_events' | 'graph_blobs' | 'graph_definitions') =>
      (await store.db.withTables<GraphTables>().selectFrom(table).selectAll().execute()).length;

    test('deletes old runs with their events and parts, and keeps what others still use', async () => {
      const shared = 'shared '.repeat(500);
      record('old', { at: now.getTime() - 40 * day, outputs: [shared, 'only old '.repeat(500)] });
      record('new', { at: now.getTime() - day, outputs: [shared] });
      await history.flush();
      now = new Date(now.getTime() + day);
      expect(await history.prune({ maxAgeDays: 30 })).toBe(1);
      expect((await history.list()).runs.map(({ run }) => run)).toEqual(['new']);
      expect(await history.get('new')).toMatchObject({ result: shared });
      expect(await count('graph_events')).toBe(4);
      const { rows } = await sql<{ value: string }>`select value from graph_blobs`.execute(store.db);
      expect(rows.some(({ value }) => value.includes('only old'))).toBe(false);
      expect(await history.delete('new')).toBe(true);
      expect(await count('graph_blobs')).toBe(0);
      expect(await count('graph_definitions')).toBe(0);
    });

    test('keeps the latest runs of every user, and whatever still runs', async () => {
      for (let number = 0; number < 5; number++) {
        record(`ada${number}`, { user: 'ada', at: 1000 + number, end: number === 0 ? 'none' : 'succeeded' });
        record(`bob${number}`, { user: 'bob', at: 1000 + number });
      }
      await history.flush();
      expect(await history.prune({ maxRunsPerUser: 2 })).toBe(5);
      expect((await history.list()).runs.map(({ run }) => run).sort()).toEqual([
        'ada0',
        'ada3',
        'ada4',
        'bob3',
        'bob4',
      ]);
      expect(await history.delete('ada0')).toBe(false);
    });
  });

  test('ten thousand runs are listed page by page in a few milliseconds', async () => {
    await sql`
    insert into graph_runs (id, user_id, graph, tool, graph_hash, mode, status, input, node_executions, started_at, ended_at)
    select 'bulk' || number, case when number % 3 = 0 then 'ada' else 'local' end, 'demo', 'tool' || number % 7, 'h', 'inline',
      case when number % 50 = 0 then 'failed' else 'succeeded' end, '{}', 4,
      timestamptz '2026-01-01' + number * interval '1 second', timestamptz '2026-01-02'
    from generate_series(1, 10000) as number
  `.execute(store.db);
    await sql`analyze graph_runs`.execute(store.db);
    const timed = async (filter: Parameters<History['list']>[0]) => {
      const start = performance.now();
      const page = await history.list(filter);
      return { page, took: performance.now() - start };
    };
    await timed({ user: 'local' });
    const first = await timed({ user: 'local' });
    const failed = await timed({ user: 'local', status: ['failed'] });
    const deep = await timed({ user: 'local', cursor: first.page.next });
    expect([first, failed, deep].map(({ page }) => page.runs.length)).toEqual([50, 50, 50]);
    if (process.env['WAYMARK_FULL']) {
      for (const { took } of [first, failed, deep]) expect(took).toBeLessThan(50);
    }
  });
});
