import { describe, expect, test } from 'vitest';
import { ToolCallFailure } from '../connections/connection.ts';
import { errorOf, fakeCaller, load, oneNode, oneTool, resultOf, run, start } from '../graph.test-helpers.ts';
import { createInlineEngine } from './engine.ts';

const servers = 'mcpServers: { files: { command: files-server } }';
const transform = (expr: string) =>
  oneNode(`{ id: work, type: transform, transform: { expr: '${expr}' }, next: exit }`);
const mcp = (more = '') => oneNode(`{ id: work, type: mcp, server: files, tool: list, next: exit, ${more} }`, servers);

describe('a run', () => {
  test('goes from entry to exit and keeps every execution in order [GRAPH-001] [GRAPH-002] [GRAPH-003] [GRAPH-007] [GRAPH-072]', async () => {
    const handle = start(transform('{ "twice": $.entry.n * 2 }'), { n: 4 });
    expect(await handle.outcome).toMatchObject({ status: 'succeeded', result: { twice: 8 } });
    expect(
      handle.view().history.map(({ index, node, nodeType, output }) => ({ index, node, nodeType, output })),
    ).toEqual([
      { index: 0, node: 'entry', nodeType: 'entry', output: { n: 4 } },
      { index: 1, node: 'work', nodeType: 'transform', output: { twice: 8 } },
      { index: 2, node: 'exit', nodeType: 'exit', output: { twice: 8 } },
    ]);
  });

  test('gives the entry the arguments as they are, and its output to the nodes after it [GRAPH-004] [GRAPH-011] [GRAPH-054]', async () => {
    const args = { text: 'ü', list: [1, { deep: null }], 'a b': true };
    expect(await resultOf(transform('$.entry'), args)).toEqual(args);
  });

  test.each([
    ['0', 0],
    ['false', false],
    ['""', ''],
    ['null', null],
    ['[]', []],
    ['[1, 2]', [1, 2]],
    ['"text"', 'text'],
    ['$.nothing', null],
  ])('returns %s as what it is [GRAPH-012] [GRAPH-038] [GRAPH-058]', async (expr, result) => {
    expect(await resultOf(transform(expr))).toEqual(result);
  });

  test('keeps node ids that are names of object members apart [GRAPH-074]', async () => {
    const source = oneTool(`      - { id: entry, type: entry, next: constructor }
      - { id: constructor, type: transform, transform: { expr: '{ "n": 1 }' }, next: toString }
      - { id: toString, type: transform, transform: { expr: '$.constructor.n + 1' }, next: __proto__ }
      - { id: __proto__, type: transform, transform: { expr: '[$.constructor, $.toString, $executionCount("valueOf")]' }, next: exit }
      - { id: exit, type: exit }`);
    expect(await resultOf(source)).toEqual([{ n: 1 }, 2, 0]);
  });

  test('refuses arguments that do not fit before any node runs [GRAPH-031]', async () => {
    const source = transform('1').replace(
      '{ type: object }',
      '{ type: object, required: [n], properties: { n: { type: integer, minimum: 1 }, kind: { enum: [a, b] } } }',
    );
    const handle = start(source, { n: 0, kind: 'c' });
    const outcome = await handle.outcome;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT' } });
    expect(handle.view().history).toEqual([]);
    expect(JSON.stringify(outcome)).toContain('kind: must be equal to one of the allowed values');
  });

  test('checks the result against the output schema', async () => {
    const source = transform('{ "count": "seven" }').replace(
      'inputSchema',
      'outputSchema: { type: object, properties: { count: { type: number } } }\n    inputSchema',
    );
    expect(await errorOf(source)).toMatchObject({ code: 'INVALID_OUTPUT', node: 'exit' });
  });

  test('ends with an error that shows the expression [GRAPH-021]', async () => {
    const error = await errorOf(transform('$.entry.name + 1'), { name: 'x' });
    expect(error).toMatchObject({ code: 'EXPRESSION_ERROR', node: 'work', details: { offset: expect.any(Number) } });
    expect(error.message).toContain('Expression: $.entry.name + 1');
  });

  test('a pattern in the schema cannot hang the server', async () => {
    const source = transform('1').replace(
      '{ type: object }',
      () => "{ type: object, properties: { s: { pattern: '^(a+)+$' } } }",
    );
    expect(await errorOf(source, { s: `${'a'.repeat(40)}!` })).toMatchObject({ code: 'TIMEOUT' });
    expect(await resultOf(source, { s: 'aaa' })).toBe(1);
  });

  test('an entry that is come back to gives the arguments again', async () => {
    const source = oneTool(`      - { id: entry, type: entry, next: check }
      - { id: check, type: switch, conditions: [{ rule: { '<': [{ var: '$executionCount("entry")' }, 3] }, next: entry }], next: last }
      - { id: last, type: transform, transform: { expr: '$nodeExecutions("entry").n' }, next: exit }
      - { id: exit, type: exit }`);
    expect(await resultOf(source, { n: 7 })).toEqual([7, 7, 7]);
  });

  test('a thousand runs at once do not disturb one another', async () => {
    const document = load(mcp('args: { n: { expr: $.entry.n } }'));
    const caller = fakeCaller({ list: async ({ n }) => ({ n }) });
    const engine = createInlineEngine({ caller });
    const handles = Array.from({ length: 1000 }, (_, n) => engine.start({ document, tool: 't', args: { n } }));
    const outcomes = await Promise.all(handles.map((handle) => handle.outcome));
    expect(outcomes.map((outcome) => outcome.status === 'succeeded' && outcome.result)).toEqual(
      Array.from({ length: 1000 }, (_, n) => ({ n })),
    );
    expect(engine.active()).toEqual([]);
  });
});

describe('switch', () => {
  const source = oneTool(`      - { id: entry, type: entry, next: route }
      - id: route
        type: switch
        conditions:
          - rule: { and: [{ ">": [{ var: "entry.price" }, 100] }, { "==": [{ var: "entry.status" }, "active"] }] }
            next: dear
          - rule: { ">": [{ var: "$previousNode().price" }, 10] }
            next: fair
        next: cheap
      - { id: dear, type: transform, transform: { expr: '"dear"' }, next: exit }
      - { id: fair, type: transform, transform: { expr: '"fair"' }, next: exit }
      - { id: cheap, type: transform, transform: { expr: '$previousNode() & "!"' }, next: exit }
      - { id: exit, type: exit }`);

  test.each([
    [{ price: 500, status: 'active' }, 'dear'],
    [{ price: 500, status: 'sold' }, 'fair'],
    [{ price: 5, status: 'active' }, 'cheap!'],
  ])(
    'follows the first rule that holds: %j → %s [GRAPH-005] [GRAPH-023] [GRAPH-024] [GRAPH-026] [GRAPH-036]',
    async (args, result) => {
      expect(await resultOf(source, args)).toBe(result);
    },
  );

  test('has the id of the chosen node as its output [GRAPH-057]', async () => {
    const handle = start(source, { price: 1 });
    await handle.outcome;
    expect(handle.view().context['route']).toBe('cheap');
  });

  test('fails when nothing matches and there is no default', async () => {
    const error = await errorOf(source.replace('        next: cheap\n', '').replace('next: cheap', 'next: exit'), {
      price: 1,
    });
    expect(error.message).toBe('Switch node route: No conditions matched and no default case provided');
    expect(error.code).toBe('NO_MATCH');
  });
});

describe('loops', () => {
  const loop = (limits = '') =>
    oneTool(
      `      - { id: entry, type: entry, next: add }
      - id: add
        type: transform
        transform:
          expr: |
            $executionCount("add") = 0
              ? { "n": 1, "sum": 1 }
              : { "n": $nodeExecution("add", -1).n + 1, "sum": $nodeExecution("add", -1).sum + $nodeExecution("add", -1).n + 1 }
        next: check
      - id: check
        type: switch
        conditions: [{ rule: { "<": [{ var: "add.n" }, { var: "entry.to" }] }, next: add }]
        next: collect
      - id: collect
        type: transform
        transform: { expr: '{ "sum": $.add.sum, "times": $executionCount("add"), "first": $nodeExecution("add", 0).sum, "all": $nodeExecutions("add").sum }' }
        next: exit
      - { id: exit, type: exit }`,
      limits,
    );

  test('see the latest output in the context and every one in the history [GRAPH-006] [GRAPH-016] [GRAPH-017] [GRAPH-018] [GRAPH-073] [GRAPH-075]', async () => {
    expect(await resultOf(loop(), { to: 4 })).toEqual({ sum: 10, times: 4, first: 1, all: [1, 3, 6, 10] });
  });

  test('stop at the limit of node executions with that many records [GRAPH-046] [GRAPH-049]', async () => {
    const handle = start(loop('executionLimits: { maxNodeExecutions: 10 }'), { to: 1_000_000 });
    expect(await handle.outcome).toMatchObject({
      status: 'failed',
      error: {
        code: 'LIMIT_EXCEEDED',
        message: 'Execution limit exceeded: maximum node executions (10) reached. Current execution count: 10',
      },
    });
    expect(handle.view().history).toHaveLength(10);
  });

  test('stop at the limit of time between nodes [GRAPH-048]', async () => {
    const limits = 'executionLimits: { maxNodeExecutions: 100000000, maxExecutionTimeMs: 40 }';
    const error = await errorOf(loop(limits), { to: 100_000_000 });
    expect(error.message).toMatch(
      /^Execution limit exceeded: maximum execution time \(40ms\) reached\. Elapsed time: \d+ms$/,
    );
  });

  test('leave the event loop its turns, so that a run can be cancelled', async () => {
    const controller = new AbortController();
    const limits = 'executionLimits: { maxNodeExecutions: 100000000 }';
    const handle = start(loop(limits), { to: 100_000_000 }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await handle.outcome).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
  });
});

describe('mcp', () => {
  test('calls the named tool of the named server with arguments made of expressions and literals [GRAPH-032] [GRAPH-033] [GRAPH-034]', async () => {
    const caller = fakeCaller({ list: () => ({ ok: true }) });
    const source = mcp(
      'args: { path: { expr: $.entry.dir }, options: { depth: [1, { expr: $.entry.n }], text: "$5 and ${HOME}" }, none: { expr: $.missing } }',
    );
    expect(await resultOf(source, { dir: '/a', n: 2 }, { caller })).toEqual({ ok: true });
    expect(caller.calls).toMatchObject([
      { server: 'files', tool: 'list', args: { path: '/a', options: { depth: [1, 2], text: '$5 and ${HOME}' } } },
    ]);
    expect(Object.keys(caller.calls[0]?.args ?? {})).toEqual(['path', 'options']);
  });

  test.each([
    ['structured content first', { content: [{ type: 'text', text: 'no' }], structuredContent: { a: 1 } }, { a: 1 }],
    ['text that is JSON', { content: [{ type: 'text', text: '{"a": [1]}' }] }, { a: [1] }],
    ['a number in text', { content: [{ type: 'text', text: '42' }] }, 42],
    ['text that is not JSON', { content: [{ type: 'text', text: 'a, b' }] }, 'a, b'],
    ['empty text', { content: [{ type: 'text', text: '' }] }, { type: 'text', text: '' }],
    [
      'an image',
      { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ],
    ['nothing', { content: [] }, null],
  ])('takes as output: %s [GRAPH-055]', async (_name, answer, output) => {
    expect(await resultOf(mcp(), {}, { caller: fakeCaller({ list: () => answer }) })).toEqual(output);
  });

  test('keeps every content item where the node asks for the full result', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///x', name: 'x' },
    ];
    const caller = fakeCaller({ list: () => ({ content, structuredContent: { n: 1 } }) });
    expect(await resultOf(mcp('result: full'), {}, { caller })).toEqual({ content, structuredContent: { n: 1 } });
  });

  test("ends the run with the tool's error [GRAPH-061]", async () => {
    const caller = fakeCaller({
      list: () => ({ content: [{ type: 'text', text: 'no such directory' }], isError: true }),
    });
    expect(await errorOf(mcp(), {}, { caller })).toMatchObject({
      code: 'TOOL_ERROR',
      node: 'work',
      message: 'no such directory',
      details: { result: { isError: true } },
    });
  });

  test('tells how a server failed, with what it wrote to stderr', async () => {
    const caller = fakeCaller({
      list: () => {
        throw new ToolCallFailure('SERVER_UNAVAILABLE', 'Connection closed', {
          rpcCode: -32000,
          stderr: ['no such file'],
        });
      },
    });
    expect(await errorOf(mcp(), {}, { caller })).toMatchObject({
      code: 'SERVER_UNAVAILABLE',
      message: 'Connection closed',
      details: { rpcCode: -32000, stderr: ['no such file'] },
    });
  });

  test('refuses an answer over the payload limit', async () => {
    const caller = fakeCaller({ list: () => ({ text: 'x'.repeat(2000) }) });
    const source = mcp().replace('tools:', 'executionLimits: { maxPayloadBytes: 1000 }\ntools:');
    expect(await errorOf(source, {}, { caller })).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test('the time limit of the run interrupts a call that hangs', async () => {
    let aborted = false;
    const caller = fakeCaller({
      list: (_args, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (aborted = true));
        }),
    });
    const source = mcp().replace('tools:', 'executionLimits: { maxExecutionTimeMs: 30 }\ntools:');
    expect(await errorOf(source, {}, { caller })).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(aborted).toBe(true);
  });

  test('cancelling the run cancels the call', async () => {
    const controller = new AbortController();
    const seen: AbortSignal[] = [];
    const caller = fakeCaller({
      list: (_args, { signal }) => {
        seen.push(signal);
        controller.abort();
        return new Promise(() => {});
      },
    });
    const outcome = await run(mcp(), {}, { caller, signal: controller.signal });
    expect(outcome.status).toBe('cancelled');
    expect(seen[0]?.aborted).toBe(true);
  });

  test('hands progress on, and a key that makes repeating safe', async () => {
    const caller = fakeCaller({
      list: (_args, { onProgress }) => {
        onProgress?.({ progress: 1, total: 2, message: 'half' });
        return {};
      },
    });
    const handle = start(mcp(), {}, { caller, run: 'r1', meta: { traceparent: '00-1-2-01' } });
    await handle.outcome;
    expect(handle.events()).toContainEqual(
      expect.objectContaining({ type: 'node-progressed', node: 'work', progress: 1, total: 2 }),
    );
    expect(caller.calls[0]?.options.meta).toEqual({
      traceparent: '00-1-2-01',
      'waymark/idempotencyKey': 'r1::work:0:1',
    });
  });
});

describe('secrets', () => {
  test('reach the server and stay out of events, history and errors', async () => {
    const source = oneTool(
      `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: files, tool: list, args: { token: { expr: $constants.token } }, next: exit }
      - { id: exit, type: exit }`,
      `${servers}\nconstants: { token: "Bearer \${API_KEY}", region: "\${REGION:-eu}" }`,
    );
    const document = load(source, { environment: { API_KEY: 'k-123456' } });
    const caller = fakeCaller({
      list: ({ token }) => ({ content: [{ type: 'text', text: `bad token ${String(token)}` }], isError: true }),
    });
    const handle = start(document, {}, { caller });
    const outcome = await handle.outcome;
    expect(caller.calls[0]?.args).toEqual({ token: 'Bearer k-123456' });
    const shown = JSON.stringify([outcome, handle.events(), handle.view()]);
    expect(shown).not.toContain('k-123456');
    expect(shown).toContain('bad token Bearer ${API_KEY}');
  });
});
