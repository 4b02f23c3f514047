import { describe, expect, test } from 'vitest';
import { errorOf, fakeCaller, load, oneNode, oneTool, resultOf, start } from '../graph.test-helpers.ts';
import { createInlineEngine } from './engine.ts';

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

describe('failures', () => {
  const failing = (more: string) =>
    oneTool(
      `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: s, tool: work, next: exit, ${more} }
      - { id: rescue, type: transform, transform: { expr: '{ "rescued": $.work.error.code, "node": $.work.error.node }' }, next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
  const broken = () => ({ content: [{ type: 'text', text: 'broken' }], isError: true });

  test('onError goes on elsewhere with the error as output', async () => {
    expect(await resultOf(failing('onError: rescue'), {}, { caller: fakeCaller({ work: broken }) })).toEqual({
      rescued: 'TOOL_ERROR',
      node: 'work',
    });
  });

  test('continueOnError goes on to the next node', async () => {
    expect(
      await resultOf(failing('continueOnError: true'), {}, { caller: fakeCaller({ work: broken }) }),
    ).toMatchObject({
      error: { code: 'TOOL_ERROR', message: 'broken' },
    });
  });

  test('retry tries again with growing delays, then onError applies', async () => {
    let tries = 0;
    const caller = fakeCaller({ work: () => (++tries < 3 ? broken() : { ok: true }) });
    const handle = start(failing('retry: { attempts: 3, delayMs: 2, factor: 3, jitter: 0 }'), {}, { caller });
    expect(await handle.outcome).toMatchObject({ result: { ok: true } });
    const delays = handle.events().flatMap((event) => (event.type === 'node-retried' ? [event.delayMs] : []));
    expect(delays).toEqual([2, 6]);
    expect(handle.view().history.map(({ node }) => node)).toEqual(['entry', 'work', 'exit']);
    const spent = fakeCaller({ work: broken });
    expect(
      await resultOf(failing('retry: { attempts: 2, delayMs: 0 }, onError: rescue'), {}, { caller: spent }),
    ).toMatchObject({ rescued: 'TOOL_ERROR' });
    expect(spent.calls).toHaveLength(2);
  });

  test('retry leaves alone what cannot pass by itself, and what `on` does not name', async () => {
    const caller = fakeCaller({ work: broken });
    await errorOf(failing('retry: { attempts: 3, delayMs: 0, on: [TIMEOUT] }'), {}, { caller });
    expect(caller.calls).toHaveLength(1);
    const expression = oneNode('{ id: work, type: transform, transform: { expr: \'"x" + 1\' }, retry: 5, next: exit }');
    expect(await errorOf(expression)).toMatchObject({ code: 'EXPRESSION_ERROR' });
  });

  test('timeoutMs interrupts a call that hangs', async () => {
    let aborted = false;
    const caller = fakeCaller({
      work: (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    });
    const error = await errorOf(failing('timeoutMs: 20'), {}, { caller });
    expect(error).toMatchObject({ code: 'TIMEOUT', node: 'work', message: 'Node work took longer than 20 ms' });
    expect(aborted).toBe(true);
  });

  test('timeoutMs of a foreach ends everything inside it', async () => {
    const aborted: unknown[] = [];
    const source = oneTool(
      `      - { id: entry, type: entry, next: each }
      - id: each
        type: foreach
        items: [1, 2]
        concurrency: 2
        timeoutMs: 20
        onError: rescue
        nodes: [{ id: work, type: mcp, server: s, tool: work, args: { item: { expr: $.item } } }]
        next: exit
      - { id: rescue, type: transform, transform: { expr: '$.each.error.code' }, next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
    const caller = fakeCaller({
      work: ({ item }, { signal }) => new Promise(() => signal.addEventListener('abort', () => aborted.push(item))),
    });
    expect(await resultOf(source, {}, { caller })).toBe('TIMEOUT');
    expect(aborted).toEqual([1, 2]);
  });
});

describe('cache', () => {
  const cached = (more: string) =>
    oneNode(
      `{ id: work, type: mcp, server: s, tool: work, args: { n: { expr: $.entry.n } }, cache: ${more}, next: exit }`,
      servers,
    );

  test('answers the same arguments once for all runs of an engine, until it is too old', async () => {
    let now = 1000;
    let calls = 0;
    const caller = fakeCaller({ work: () => ({ calls: ++calls }) });
    const engine = createInlineEngine({ caller, now: () => now });
    const document = load(cached('{ ttlMs: 100 }'));
    const ask = async (n: number) => {
      const outcome = await engine.start({ document, tool: 't', args: { n } }).outcome;
      return outcome.status === 'succeeded' ? (outcome.result as { calls: number }).calls : outcome.error;
    };
    expect([await ask(1), await ask(1), await ask(2)]).toEqual([1, 1, 2]);
    now += 101;
    expect(await ask(1)).toBe(3);
  });

  test('takes a key of its own', async () => {
    const caller = fakeCaller({ work: ({ n }) => ({ n }) });
    const engine = createInlineEngine({ caller });
    const document = load(cached("{ key: '$.entry.group' }"));
    const first = await engine.start({ document, tool: 't', args: { n: 1, group: 'a' } }).outcome;
    const second = await engine.start({ document, tool: 't', args: { n: 2, group: 'a' } }).outcome;
    expect([first, second]).toMatchObject([{ result: { n: 1 } }, { result: { n: 1 } }]);
  });
});

describe('wait', () => {
  test('waits for milliseconds or an instant, and can be cancelled', async () => {
    expect(await resultOf(oneNode('{ id: work, type: wait, ms: 5, next: exit }'))).toEqual({
      waitedMs: expect.any(Number),
    });
    expect(
      await resultOf(oneNode('{ id: work, type: wait, until: { expr: $.entry.at }, next: exit }'), {
        at: '2020-01-01T00:00:00Z',
      }),
    ).toEqual({
      waitedMs: expect.any(Number),
    });
    const handle = start(oneNode('{ id: work, type: wait, ms: 3600000, next: exit }'));
    handle.cancel('enough');
    expect(await handle.outcome).toMatchObject({ status: 'cancelled', error: { message: 'enough' } });
  });

  test('refuses what is no time', async () => {
    expect(await errorOf(oneNode("{ id: work, type: wait, until: 'tomorrow', next: exit }"))).toMatchObject({
      code: 'WRONG_VALUE',
    });
  });
});

describe('approve', () => {
  const approval = (more = '') =>
    oneTool(`      - { id: entry, type: entry, next: ask }
      - { id: ask, type: approve, message: { expr: '"Delete " & $.entry.name & "?"' }, form: { type: object, properties: { why: { type: string } } }, next: yes${more} }
      - { id: yes, type: transform, transform: { expr: '{ "did": $.ask.answers.why, "by": $.ask.by }' }, next: exit }
      - { id: no, type: transform, transform: { expr: '{ "refused": $.ask.action }' }, next: exit }
      - { id: exit, type: exit }`);

  test('asks a person and goes on with the answer', async () => {
    const handle = start(approval(), { name: 'x.txt' });
    await until(() => handle.questions().length > 0);
    const [question] = handle.questions();
    expect(question).toMatchObject({
      kind: 'approve',
      node: 'ask',
      message: 'Delete x.txt?',
      form: { type: 'object' },
    });
    expect(handle.answer('q99', { action: 'accept' })).toBe(false);
    expect(handle.answer(question?.id ?? '', { action: 'accept', content: { why: 'old' }, by: 'ann' })).toBe(true);
    expect(await handle.outcome).toMatchObject({ result: { did: 'old', by: 'ann' } });
    expect(handle.events().map((event) => event.type)).toContain('question-answered');
  });

  test('a refusal leads to `rejected`, or fails without it', async () => {
    const refused = start(approval(', rejected: no'), { name: 'x' });
    await until(() => refused.questions().length > 0);
    refused.answer('q1', { action: 'decline' });
    expect(await refused.outcome).toMatchObject({ result: { refused: 'decline' } });
    const failed = start(approval(), { name: 'x' });
    await until(() => failed.questions().length > 0);
    failed.answer('q1', { action: 'cancel' });
    expect(await failed.outcome).toMatchObject({ status: 'failed', error: { code: 'REJECTED', node: 'ask' } });
  });

  test('timeoutMs withdraws the question', async () => {
    const handle = start(approval(', timeoutMs: 10, onError: no'), { name: 'x' });
    expect(await handle.outcome).toMatchObject({ status: 'succeeded' });
    expect(handle.questions()).toEqual([]);
  });

  test("a downstream server's question takes the same way", async () => {
    const caller = fakeCaller({
      work: async (_args, { onElicit }) => ({
        answer: await onElicit?.({
          message: 'Which?',
          requestedSchema: { type: 'object', properties: { pick: { type: 'string' } } },
        }),
      }),
    });
    const handle = start(
      oneNode('{ id: work, type: mcp, server: s, tool: work, next: exit }', servers),
      {},
      { caller },
    );
    await until(() => handle.questions().length > 0);
    expect(handle.questions()).toMatchObject([{ kind: 'elicit', message: 'Which?' }]);
    handle.answer('q1', { action: 'accept', content: { pick: 'b' } });
    expect(await handle.outcome).toMatchObject({ result: { answer: { action: 'accept', content: { pick: 'b' } } } });
  });
});

describe('mocks and dry runs', () => {
  const source = oneTool(
    `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: s, tool: work, args: { n: { expr: $.entry.n } }, next: exit }
      - { id: exit, type: exit }`,
    servers,
  );

  test('a mock replaces a node, with one output, several, or an error', async () => {
    expect(await resultOf(source, {}, { mocks: { work: { output: { m: 1 } } } })).toEqual({ m: 1 });
    expect(
      await errorOf(source, {}, { mocks: { work: { error: { message: 'down', code: 'TIMEOUT' } } } }),
    ).toMatchObject({ code: 'TIMEOUT', message: 'down' });
    const each = oneTool(
      `      - { id: entry, type: entry, next: each }
      - { id: each, type: foreach, items: [1, 2, 3], nodes: [{ id: work, type: mcp, server: s, tool: work }], next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
    expect(await resultOf(each, {}, { mocks: { work: { outputs: ['a', 'b'] } } })).toEqual(['a', 'b', 'b']);
  });

  test('a dry run calls nothing and shows what it would have sent', async () => {
    const caller = fakeCaller({ work: () => ({ real: true }) });
    expect(await resultOf(source, { n: 3 }, { caller, dryRun: true })).toEqual({
      dryRun: true,
      server: 's',
      tool: 'work',
      args: { n: 3 },
    });
    expect(caller.calls).toEqual([]);
  });
});
