import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../events.ts';
import { fakeCaller, load, oneTool, start } from '../graph.test-helpers.ts';
import { createInlineEngine } from '../inline/engine.ts';
import type { GraphDocument } from '../model.ts';
import { apply } from './apply.ts';
import { fold } from './fold.ts';
import { createState, ready } from './state.ts';

/** A program made of blocks, which is turned into a graph and, beside it, into its expected result. */
type Block =
  | { kind: 'add'; by: number }
  | { kind: 'call'; by: number }
  | { kind: 'parallel'; branches: Block[][] }
  | { kind: 'foreach'; items: number[]; concurrency: number; body: Block[] };

const { block } = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
  block: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('add' as const), by: fc.integer({ min: -9, max: 9 }) }),
    fc.record({ kind: fc.constant('call' as const), by: fc.integer({ min: -9, max: 9 }) }),
    fc.record({
      kind: fc.constant('parallel' as const),
      branches: fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('foreach' as const),
      items: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      body: tie('blocks'),
    }),
  ),
}));
const program = fc.array(block, { minLength: 1, maxLength: 4 });

/** What a program makes of a number. Branches and items are added up. */
function expected(blocks: readonly Block[], value: number): number {
  return blocks.reduce((current, step) => {
    if (step.kind === 'add' || step.kind === 'call') return current + step.by;
    if (step.kind === 'parallel') return step.branches.reduce((sum, branch) => sum + expected(branch, current), 0);
    return step.items.reduce((sum, item) => sum + expected(step.body, item), 0);
  }, value);
}

/** The nodes of a program between the node before, whose output is a number, and `end`. */
class Builder {
  #count = 0;

  list(blocks: readonly Block[], end: string | undefined): { first: string; nodes: Record<string, unknown>[] } {
    let next = end;
    let nodes: Record<string, unknown>[] = [];
    for (const step of blocks.toReversed()) {
      const built = this.#block(step, next);
      nodes = [...built.nodes, ...nodes];
      next = built.first;
    }
    return { first: next ?? '', nodes };
  }

  #block(step: Block, next: string | undefined): { first: string; nodes: Record<string, unknown>[] } {
    const id = `n${this.#count++}`;
    const follow = next === undefined ? {} : { next };
    if (step.kind === 'add') {
      return {
        first: id,
        nodes: [{ id, type: 'transform', transform: { expr: `$previousNode() + ${step.by}` }, ...follow }],
      };
    }
    if (step.kind === 'call') {
      const args = { value: { expr: '$previousNode()' }, by: step.by };
      return { first: id, nodes: [{ id, type: 'mcp', server: 's', tool: 'add', args, ...follow }] };
    }
    const sum = { id: `${id}sum`, type: 'transform', transform: { expr: '$sum($previousNode().*)' }, ...follow };
    if (step.kind === 'foreach') {
      const inner = this.list([{ kind: 'add', by: 0 }, ...step.body], undefined);
      const total = { ...sum, transform: { expr: '$sum($previousNode())' } };
      return {
        first: id,
        nodes: [
          { id, type: 'foreach', items: step.items, concurrency: step.concurrency, nodes: inner.nodes, next: total.id },
          total,
        ],
      };
    }
    const branches = step.branches.map((branch) => this.list(branch, `${id}join`));
    return {
      first: id,
      nodes: [
        { id, type: 'parallel', branches: branches.map((branch) => branch.first) },
        ...branches.flatMap((branch, index) => wireStart(branch.nodes, index)),
        { id: `${id}join`, type: 'join', next: sum.id },
        sum,
      ],
    };
  }
}

/** A branch begins after the parallel node, whose output is a list of ids: its first node looks one further back. */
function wireStart(nodes: Record<string, unknown>[], _index: number): Record<string, unknown>[] {
  const [first, ...rest] = nodes;
  if (!first) return [];
  return [
    JSON.parse(JSON.stringify(first).replaceAll('$previousNode()', '$previousNode(2)')) as Record<string, unknown>,
    ...rest,
  ];
}

function toGraph(blocks: readonly Block[]): GraphDocument {
  // Only nodes that read the value before them may begin a branch or follow a parallel node.
  const built = new Builder().list(padded(blocks), 'exit');
  const nodes = [
    { id: 'entry', type: 'entry', next: 'value' },
    { id: 'value', type: 'transform', transform: { expr: '$.entry.value' }, next: built.first },
    ...built.nodes,
    { id: 'exit', type: 'exit' },
  ];
  return load(
    JSON.stringify({
      version: '1.0',
      server: { name: 'random', version: '1' },
      executionLimits: { maxNodeExecutions: 100_000 },
      mcpServers: { s: { command: 'server' } },
      tools: [{ name: 't', description: 't', inputSchema: { type: 'object' }, nodes }],
    }),
  );
}

/** Puts a plain step before every block inside a branch, so that the branch's first node is one that reads. */
function padded(blocks: readonly Block[]): Block[] {
  return blocks.map((step) => {
    if (step.kind === 'parallel') {
      return { ...step, branches: step.branches.map((branch) => [{ kind: 'add' as const, by: 0 }, ...padded(branch)]) };
    }
    return step.kind === 'foreach' ? { ...step, body: padded(step.body) } : step;
  });
}

describe('random graphs of branches, loops and calls', () => {
  test('give the expected result whatever order the calls end in, and their events fold to the same state', async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.integer({ min: 0, max: 9 }), fc.scheduler(), async (blocks, value, scheduler) => {
        const document = toGraph(blocks);
        const caller = fakeCaller({
          add: (args) =>
            scheduler.schedule(
              Promise.resolve({
                content: [{ type: 'text', text: String(Number(args['value']) + Number(args['by'])) }],
              }),
            ),
        });
        const handle = start(document, { value }, { caller });
        await scheduler.waitFor(handle.outcome);
        const outcome = await handle.outcome;
        expect(outcome).toMatchObject({ status: 'succeeded', result: expected(blocks, value) });

        const { history } = handle.view();
        expect(history.map(({ index }) => index)).toEqual(history.map((_record, index) => index));
        const tool = document.tools.get('t');
        if (!tool) throw new Error('no tool');
        const folded = fold(document, tool, handle.events());
        expect(folded.history).toEqual(history);
        expect({ ...folded.root?.context }).toEqual({ ...handle.view().context });
        expect(folded.tokens.size).toBe(0);
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 3000 : 150 },
    );
  });

  test('a fork from any point ends as the run did', async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.nat(), async (blocks, at) => {
        const document = toGraph(blocks);
        const add = (args: Record<string, unknown>) => ({
          content: [{ type: 'text', text: String(Number(args['value']) + Number(args['by'])) }],
        });
        const first = start(document, { value: 1 }, { caller: fakeCaller({ add }) });
        const outcome = await first.outcome;
        const events = first.events();
        const { seq } = events[at % events.length] as RunEvent;
        const fork = createInlineEngine({ caller: fakeCaller({ add }) }).start({
          document,
          tool: 't',
          args: {},
          fork: { run: first.id, events, seq },
        });
        expect(await fork.outcome).toMatchObject({
          status: 'succeeded',
          result: outcome.status === 'succeeded' ? outcome.result : undefined,
        });
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 3000 : 150 },
    );
  });
});

describe('the reducer', () => {
  const document = load(
    oneTool(`      - { id: entry, type: entry, next: fan }
      - { id: fan, type: parallel, branches: [a, b] }
      - { id: a, type: wait, ms: 1, next: both }
      - { id: b, type: wait, ms: 1, next: both }
      - { id: both, type: join, next: exit }
      - { id: exit, type: exit }`),
  );
  const tool = document.tools.get('t');

  test('says what can be done next after each event, without a clock or a server', () => {
    if (!tool) throw new Error('no tool');
    let state = createState(document, tool);
    let seq = 0;
    const step = (event: Record<string, unknown>) => {
      state = apply(state, { seq: seq++, at: 0, ...event } as RunEvent);
      return ready(state).map(({ path, node }) => `${path}:${node.id}`);
    };
    const execute = (path: string, node: string, output: unknown) => {
      step({ type: 'node-started', node, path, attempt: 1, nodeType: 'wait' });
      return step({
        type: 'node-ended',
        node,
        path,
        attempt: 1,
        nodeType: 'wait',
        index: state.history.length,
        durationUs: 1,
        output,
      });
    };
    expect(
      step({ type: 'run-started', run: 'r', tool: 't', input: {}, graphHash: '', user: 'u', mode: 'inline' }),
    ).toEqual([':entry']);
    expect(execute('', 'entry', {})).toEqual([':fan']);
    expect(execute('', 'fan', ['a', 'b'])).toEqual(['fan>a:a', 'fan>b:b']);
    expect(execute('fan>b', 'b', 2)).toEqual(['fan>a:a']);
    expect(execute('fan>a', 'a', 1)).toEqual([':both']);
    expect(state.tokens.get('')?.outcome).toEqual({ output: { a: 1, b: 2 } });
    expect(execute('', 'both', { a: 1, b: 2 })).toEqual([':exit']);
    expect(execute('', 'exit', { a: 1, b: 2 })).toEqual([]);
    expect(state.outcome).toEqual({ result: { a: 1, b: 2 } });
  });

  test('ignores events about what is not there', () => {
    if (!tool) throw new Error('no tool');
    const state = fold(document, tool, [
      {
        type: 'node-ended',
        seq: 0,
        at: 0,
        node: 'x',
        nodeType: 'wait',
        path: 'nowhere',
        attempt: 1,
        index: 0,
        durationUs: 0,
        output: 1,
      },
      {
        type: 'node-retried',
        seq: 1,
        at: 0,
        node: 'x',
        nodeType: 'wait',
        path: 'nowhere',
        attempt: 1,
        delayMs: 0,
        error: { code: 'X', message: 'x' },
      },
    ]);
    expect(state.history).toEqual([]);
  });
});
