import { describe, expect, test } from 'vitest';
import { errorOf, fakeCaller, load, oneTool, resultOf, start } from '../graph.test-helpers.ts';

const servers = 'mcpServers: { s: { command: server } }';

/** Answers that come when the test says so. */
function gate() {
  const open = new Map<string, (value: unknown) => void>();
  const waiting: string[] = [];
  return {
    waiting,
    hold(name: string): Promise<unknown> {
      waiting.push(name);
      return new Promise((resolve) => open.set(name, resolve));
    },
    release(name: string, value: unknown = { name }) {
      open.get(name)?.(value);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('parallel and join', () => {
  const fan = (mode: string, top = servers) =>
    oneTool(
      `      - { id: entry, type: entry, next: fan }
      - { id: fan, type: parallel, branches: [left, right] }
      - { id: left, type: mcp, server: s, tool: left, next: after_left }
      - { id: after_left, type: transform, transform: { expr: '{ "was": $previousNode() }' }, next: both }
      - { id: right, type: mcp, server: s, tool: right, next: both }
      - { id: both, type: join, mode: ${mode}, next: exit }
      - { id: exit, type: exit }`,
      top,
    );

  test('runs the branches at the same time and joins their last outputs by branch', async () => {
    const answers = gate();
    const caller = fakeCaller({ left: () => answers.hold('left'), right: () => answers.hold('right') });
    const handle = start(fan('all'), {}, { caller });
    await until(() => answers.waiting.length === 2);
    answers.release('right', { r: 1 });
    answers.release('left', { l: 1 });
    expect(await handle.outcome).toMatchObject({
      status: 'succeeded',
      result: { left: { was: { l: 1 } }, right: { r: 1 } },
    });
    expect(handle.view().history.map(({ node, path }) => `${path}:${node}`)).toEqual([
      ':entry',
      ':fan',
      'fan>right:right',
      'fan>left:left',
      'fan>left:after_left',
      ':both',
      ':exit',
    ]);
  });

  test('all: a failure cancels the other branches', async () => {
    let cancelled = false;
    const caller = fakeCaller({
      left: () => ({ content: [{ type: 'text', text: 'broken' }], isError: true }),
      right: (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => (cancelled = true))),
    });
    expect(await errorOf(fan('all'), {}, { caller })).toMatchObject({
      code: 'TOOL_ERROR',
      node: 'left',
      path: 'fan>left',
    });
    expect(cancelled).toBe(true);
  });

  test('settled: a failure is that branch’s output', async () => {
    const caller = fakeCaller({
      left: () => ({ content: [{ type: 'text', text: 'broken' }], isError: true }),
      right: () => ({ r: 1 }),
    });
    expect(await resultOf(fan('settled'), {}, { caller })).toMatchObject({
      left: { error: { code: 'TOOL_ERROR', message: 'broken' } },
      right: { r: 1 },
    });
  });

  test('any: the first success wins, the others are cancelled', async () => {
    let cancelled = false;
    const caller = fakeCaller({
      left: (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => (cancelled = true))),
      right: () => ({ r: 1 }),
    });
    expect(await resultOf(fan('any'), {}, { caller })).toEqual({ right: { r: 1 } });
    expect(cancelled).toBe(true);
  });

  test('any: fails only when every branch has failed', async () => {
    const failing = () => ({ content: [{ type: 'text', text: 'broken' }], isError: true });
    expect(await errorOf(fan('any'), {}, { caller: fakeCaller({ left: failing, right: failing }) })).toMatchObject({
      code: 'TOOL_ERROR',
    });
  });

  test('nests', async () => {
    const source = oneTool(`      - { id: entry, type: entry, next: outer }
      - { id: outer, type: parallel, branches: [a, inner] }
      - { id: a, type: transform, transform: { expr: '"a"' }, next: end }
      - { id: inner, type: parallel, branches: [b, c] }
      - { id: b, type: transform, transform: { expr: '"b"' }, next: middle }
      - { id: c, type: transform, transform: { expr: '"c"' }, next: middle }
      - { id: middle, type: join, next: end }
      - { id: end, type: join, next: exit }
      - { id: exit, type: exit }`);
    expect(await resultOf(source)).toEqual({ a: 'a', inner: { b: 'b', c: 'c' } });
  });
});

describe('foreach', () => {
  const each = (more: string, body: string, top = servers) =>
    oneTool(
      `      - { id: entry, type: entry, next: each }
      - id: each
        type: foreach
        items: $.entry.items
        ${more}
        nodes:
${body}
        next: exit
      - { id: exit, type: exit }`,
      top,
    );
  const call =
    '          - { id: work, type: mcp, server: s, tool: work, args: { item: { expr: $.item }, index: { expr: $.index } } }';

  test('keeps the order of the items whatever order they end in, and never runs more at once than it may', async () => {
    const answers = gate();
    let most = 0;
    let running = 0;
    const caller = fakeCaller({
      work: async ({ item }) => {
        most = Math.max(most, ++running);
        await answers.hold(String(item));
        running--;
        return { item };
      },
    });
    const handle = start(each('concurrency: 2', call), { items: ['a', 'b', 'c', 'd'] }, { caller });
    await until(() => answers.waiting.length === 2);
    answers.release('b');
    await until(() => answers.waiting.length === 3);
    answers.release('c');
    await until(() => answers.waiting.length === 4);
    answers.release('d');
    answers.release('a');
    expect(await handle.outcome).toMatchObject({
      result: [{ item: 'a' }, { item: 'b' }, { item: 'c' }, { item: 'd' }],
    });
    expect(most).toBe(2);
    expect(
      handle
        .view()
        .history.map(({ path }) => path)
        .filter((path) => path !== ''),
    ).toEqual(['each[1]', 'each[2]', 'each[3]', 'each[0]']);
  });

  test('the body sees the item, its index, the outer context and its own nodes only', async () => {
    const body = `          - { id: double, type: transform, transform: { expr: '$.n * 2' }, next: sum }
          - { id: sum, type: transform, transform: { expr: '{ "sum": $.double + $.index + $.entry.add, "times": $executionCount("double"), "prev": $previousNode(2) }' } }`;
    expect(await resultOf(each('as: n', body), { items: [10, 20], add: 1 })).toEqual([
      { sum: 21, times: 1, prev: 10 },
      { sum: 42, times: 1, prev: 20 },
    ]);
  });

  test('an item that fails fails the node, and what waits is not started', async () => {
    const caller = fakeCaller({ work: ({ item }) => (item === 'bad' ? { content: [], isError: true } : { item }) });
    const error = await errorOf(each('', call), { items: ['a', 'bad', 'c'] }, { caller });
    expect(error).toMatchObject({ code: 'TOOL_ERROR', node: 'work', path: 'each[1]' });
    expect(caller.calls).toHaveLength(2);
  });

  test('itemErrors: keep turns failures into results', async () => {
    const caller = fakeCaller({ work: ({ item }) => (item === 'bad' ? { content: [], isError: true } : { item }) });
    expect(await resultOf(each('itemErrors: keep', call), { items: ['a', 'bad'] }, { caller })).toMatchObject([
      { item: 'a' },
      { error: { code: 'TOOL_ERROR' } },
    ]);
  });

  test.each([[[]], [undefined], [null]])('of %j runs nothing', async (items) => {
    expect(await resultOf(each('', call), items === undefined ? {} : { items }, { caller: fakeCaller({}) })).toEqual(
      [],
    );
  });

  test('nests, and a single value is one item', async () => {
    const body = `          - id: inner
            type: foreach
            items: { expr: $.item.list }
            as: part
            nodes:
              - { id: pair, type: transform, transform: { expr: '$.item.name & $.part' } }`;
    const items = [
      { name: 'x', list: [1, 2] },
      { name: 'y', list: 3 },
    ];
    expect(await resultOf(each('', body), { items })).toEqual([['x1', 'x2'], ['y3']]);
  });

  test('counts towards the limit of node executions', async () => {
    const body = '          - { id: same, type: transform, transform: { expr: $.item } }';
    const source = each('', body, 'executionLimits: { maxNodeExecutions: 20 }');
    expect(await errorOf(source, { items: Array.from({ length: 100 }, (_, i) => i) })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });
});

describe('call', () => {
  const source = `version: "1.0"
server: { name: test, version: "1.0.0" }
tools:
  - name: t
    description: Calls the other
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: work }
      - { id: work, type: call, tool: square, args: { n: { expr: $.entry.n } }, next: exit }
      - { id: exit, type: exit }
  - name: square
    description: Squares
    inputSchema: { type: object, properties: { n: { type: number } }, required: [n] }
    nodes:
      - { id: entry, type: entry, next: work }
      - { id: work, type: transform, transform: { expr: '{ "square": $.entry.n * $.entry.n, "hidden": $exists($.fan) }' }, next: exit }
      - { id: exit, type: exit }
`;

  test('runs another tool of the graph with its own context [GRAPH-030]', async () => {
    const handle = start(source, { n: 7 });
    expect(await handle.outcome).toMatchObject({ result: { square: 49, hidden: false } });
    expect(handle.view().history.map(({ node, path }) => `${path}:${node}`)).toEqual([
      ':entry',
      'work():entry',
      'work():work',
      'work():exit',
      ':work',
      ':exit',
    ]);
  });

  test('checks the arguments of the called tool', async () => {
    expect(await errorOf(source, { n: 'x' })).toMatchObject({ code: 'INVALID_INPUT', node: 'work' });
  });

  test('does not nest without end', async () => {
    const endless = source
      .replaceAll('tool: square', 'tool: t')
      .replace('tools:', 'executionLimits: { maxCallDepth: 5 }\ntools:');
    const error = await errorOf(endless, { n: 1 });
    expect(error.code).toBe('CALL_DEPTH');
  });

  test('calls a tool of another file', async () => {
    const main = source
      .replace('tools:', 'graphs: { maths: ./maths.yaml }\ntools:')
      .replace('tool: square, args', 'tool: square, graph: maths, args');
    const document = load(main, {
      directory: '/graphs',
      readGraph: () => source.replace('$.entry.n * $.entry.n', '0 - $.entry.n'),
    });
    expect(await resultOf(document, { n: 3 })).toEqual({ square: -3, hidden: false });
  });
});
