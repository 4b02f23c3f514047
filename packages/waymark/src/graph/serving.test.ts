import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  type User,
  type WaymarkEvent,
} from '../kit/index.ts';
import { type Graphs, openGraphs } from './open-graphs.ts';
import { createGraphToolset } from './tools.ts';

const faultServer = fileURLToPath(new URL('./connections/fault-server.mjs', import.meta.url));
const local: User = { id: 'local', scopes: 'all' };

const tool = (name: string, middle: string, schemas = '') => `
  - name: ${name}
    description: Does ${name}
    inputSchema: { type: object }
    ${schemas}
    nodes:
      - { id: entry, type: entry, next: work }
      - { id: work, ${middle}, next: exit }
      - { id: exit, type: exit }`;

const transform = (name: string, expression: string, schemas = '') =>
  tool(name, `type: transform, transform: { expr: ${JSON.stringify(expression)} }`, schemas);

const mcp = (name: string, call: string, args = '{}', more = '') =>
  tool(name, `type: mcp, server: fault, tool: ${call}, args: ${args}${more ? `, ${more}` : ''}`);

const file = (tools: string, top = '') => `version: "1.0"
server: { name: demo, version: "2.1.0", title: Demo graph, instructions: Use it well. }
${top}
mcpServers:
  fault: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(faultServer)}] }
tools:${tools}
`;

let directory: string;
let path: string;
let graphs: Graphs;
const events = createEvents();
const published: WaymarkEvent[] = [];
events.subscribe((event) => published.push(event));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-serving-'));
  path = join(directory, 'demo.yaml');
  published.length = 0;
});
afterEach(async () => {
  await graphs.close();
  await rm(directory, { recursive: true, force: true });
});

async function serve(text: string, options: { user?: User; client?: ClientOptions } = {}): Promise<Client> {
  await writeFile(path, text);
  graphs = await openGraphs({ files: [path], events });
  return connect(options);
}

function connect({ user = local, client = {} }: { user?: User; client?: ClientOptions } = {}): Promise<Client> {
  const served = graphs.served('demo');
  return connectInProcess(createCatalog([served.toolset]), createHost({ info: served.info() }), { user }, client);
}

function textOf(result: { content?: unknown }): string {
  return (result.content as { text: string }[])[0]?.text ?? '';
}

describe('a served graph', () => {
  test('is an MCP server with the name, version, title and instructions of its file [GRAPH-008] [GRAPH-009] [GRAPH-044]', async () => {
    const client = await serve(file(transform('one', '1')));
    expect(client.getServerVersion()).toEqual({ name: 'demo', version: '2.1.0', title: 'Demo graph' });
    expect(client.getInstructions()).toBe('Use it well.');
  });

  test('takes the name for a title and has no instructions where the file has none [GRAPH-043]', async () => {
    const client = await serve('version: "1.0"\nserver: { name: demo, version: "1.0.0" }\n');
    expect(client.getServerVersion()).toEqual({ name: 'demo', version: '1.0.0', title: 'demo' });
    expect(client.getInstructions()).toBeUndefined();
    expect((await client.listTools()).tools).toEqual([]);
  });

  test('lists exactly the tools of the file with their whole schemas [GRAPH-010] [GRAPH-029] [GRAPH-051] [GRAPH-052]', async () => {
    const client = await serve(
      file(
        transform(
          'plain',
          '{"n": 1}',
          'outputSchema: { type: object, properties: { n: { type: number, minimum: 0 } } }',
        ) + transform('list', '[1, 2]', 'outputSchema: { type: array, items: { type: number } }'),
      ),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['plain', 'Does plain'],
      ['list', 'Does list'],
    ]);
    expect(tools[0]?.outputSchema).toMatchObject({ type: 'object', properties: { n: { type: 'number', minimum: 0 } } });
    expect(tools[1]?.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'number' } } },
      required: ['result'],
    });
  });

  test('runs the graph of the tool that is called and no other [GRAPH-030] [GRAPH-012]', async () => {
    const client = await serve(file(transform('one', '{"is": "one"}') + transform('two', '{"is": "two"}')));
    const results = await Promise.all(['one', 'two', 'one'].map((name) => client.callTool({ name, arguments: {} })));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual([
      { is: 'one' },
      { is: 'two' },
      { is: 'one' },
    ]);
  });

  test.each([
    ['0', 0],
    ['false', false],
    ['""', ''],
    ['null', null],
    ['$.nothing', null],
    ['[]', []],
    ['[1, "a"]', [1, 'a']],
    ['"text"', 'text'],
    ['{}', {}],
  ])('returns the result of %s as it is [GRAPH-038]', async (expression, expected) => {
    const client = await serve(file(transform('value', expression)));
    await client.listTools();
    const result = await client.callTool({ name: 'value', arguments: {} });
    expect(JSON.parse(textOf(result))).toEqual(expected);
    const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
    expect(result.structuredContent).toEqual(isObject ? expected : { result: expected });
  });

  test('returns results that are no objects under their declared schema', async () => {
    const client = await serve(
      file(
        transform('number', '42', 'outputSchema: { type: number }') +
          transform('texts', '["a"]', 'outputSchema: { type: array }'),
      ),
    );
    await client.listTools();
    expect((await client.callTool({ name: 'number', arguments: {} })).structuredContent).toEqual({ result: 42 });
    expect((await client.callTool({ name: 'texts', arguments: {} })).structuredContent).toEqual({ result: ['a'] });
  });

  test('refuses arguments that do not fit before any node runs [GRAPH-031]', async () => {
    const text = file(mcp('note', 'note', '{ file: "$.entry.file", line: x }')).replace(
      'inputSchema: { type: object }',
      'inputSchema: { type: object, properties: { file: { type: string } }, required: [file] }',
    );
    const client = await serve(text);
    const result = await client.callTool({ name: 'note', arguments: { file: 5 } });
    expect(result.isError).toBe(true);
    const { error, message, run } = JSON.parse(textOf(result)) as { error: string; message: string; run: string };
    expect(error).toBe('INVALID_INPUT');
    expect(message).toContain('file: must be string');
    const ran = await graphs.runs.events(run, local);
    expect(ran.map(({ type }) => type)).toEqual(['run-started', 'run-ended']);
  });

  test('tells a failure with code, node, message and run [GRAPH-061]', async () => {
    const client = await serve(file(mcp('fails', 'fail')));
    const result = await client.callTool({ name: 'fails', arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: 'TOOL_ERROR',
      message: expect.stringContaining('the disk is full') as string,
      node: 'work',
      run: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  test.each([
    ['dies', 'die', 'CONNECTION_LOST'],
    ['answers garbage', 'garbage', 'INVALID_RESPONSE'],
    ['refuses', 'refuse', 'PROTOCOL_ERROR'],
    ['is not there', 'nowhere', 'PROTOCOL_ERROR'],
  ])('fails where the tool %s, and works again afterwards', async (_what, call, code) => {
    const client = await serve(file(mcp('broken', call) + mcp('fine', 'echo', '{ value: 1 }')));
    const result = await client.callTool({ name: 'broken', arguments: {} });
    expect(JSON.parse(textOf(result))).toMatchObject({ error: code, node: 'work' });
    expect((await client.callTool({ name: 'fine', arguments: {} })).structuredContent).toEqual({ value: 1 });
  });

  test('interrupts a tool that hangs when the time of the run is over [GRAPH-048]', async () => {
    const client = await serve(file(mcp('hangs', 'hang'), 'executionLimits: { maxExecutionTimeMs: 200 }'));
    const result = await client.callTool({ name: 'hangs', arguments: {} });
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'LIMIT_EXCEEDED' });
  });

  test('answers a hundred calls at once, each with its own result', async () => {
    const client = await serve(file(mcp('echo', 'echo', '{ value: "$.entry.value" }')));
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const results = await Promise.all(numbers.map((value) => client.callTool({ name: 'echo', arguments: { value } })));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(numbers.map((value) => ({ value })));
  });

  test('passes cancellation on to the run and to the tool it waits for', async () => {
    const client = await serve(file(mcp('slow', 'slow', '{ ms: 600000 }') + mcp('cancelled', 'cancelled')));
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'slow', arguments: {} },
      { signal: stop.signal, onprogress: ({ message }) => message?.startsWith('work: half') && stop.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect
      .poll(() => published.map(({ type, data }) => [type, data['status']]))
      .toContainEqual(['run-ended', 'cancelled']);
    const { structuredContent } = await client.callTool({ name: 'cancelled', arguments: {} });
    expect(structuredContent).toEqual({ cancelled: 1 });
  });

  test('reports progress that only grows', async () => {
    const client = await serve(file(mcp('slow', 'slow', '{ ms: 50 }')));
    const seen: number[] = [];
    await client.callTool({ name: 'slow', arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));
  });

  test('publishes what happens to runs to their owner [GRAPH-069]', async () => {
    const client = await serve(file(transform('one', '1')), { user: { id: 'ada', scopes: 'all' } });
    await client.callTool({ name: 'one', arguments: {} });
    expect(published.map(({ type, user }) => [type, user])).toEqual([
      ['run-started', 'ada'],
      ['run-ended', 'ada'],
    ]);
  });

  test('is closed to a caller without the right to run graphs', async () => {
    const client = await serve(file(transform('one', '1')), { user: { id: 'bob', scopes: new Set() } });
    const result = await client.callTool({ name: 'one', arguments: {} });
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'INSUFFICIENT_SCOPE' });
  });
});

describe('an approval in a served graph', () => {
  const approval = file(tool('ask', 'type: approve, message: "Delete {{everything}}?"') + mcp('colour', 'ask'));
  const canAsk: ClientOptions = { capabilities: { elicitation: { form: {} } } };

  test('is asked through the client and decides the run', async () => {
    const client = await serve(approval, { client: canAsk });
    const asked: string[] = [];
    const actions = ['accept', 'decline'] as const;
    client.setRequestHandler('elicitation/create', (request) => {
      const action = actions[asked.length] ?? 'cancel';
      asked.push(request.params.message);
      return action === 'accept' ? { action, content: { approved: true } } : { action };
    });
    const yes = await client.callTool({ name: 'ask', arguments: {} });
    expect(yes.structuredContent).toMatchObject({ approved: true, by: 'local' });
    const no = await client.callTool({ name: 'ask', arguments: {} });
    expect(JSON.parse(textOf(no))).toMatchObject({ error: 'REJECTED', node: 'work' });
    expect(asked).toEqual(['Delete {{everything}}?', 'Delete {{everything}}?']);
  });

  test('passes the question of a downstream server on', async () => {
    const client = await serve(approval, { client: canAsk });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
    const result = await client.callTool({ name: 'colour', arguments: {} });
    expect(result.structuredContent).toMatchObject({ answer: { action: 'accept', content: { colour: 'green' } } });
  });

  test('waits in the inbox where the client cannot ask', async () => {
    const client = await serve(approval);
    const call = client.callTool({ name: 'ask', arguments: {} });
    await expect
      .poll(() => graphs.runs.questions(local))
      .toMatchObject([{ graph: 'demo', tool: 'ask', kind: 'approve' }]);
    const [question] = graphs.runs.questions(local);
    const stranger: User = { id: 'eve', scopes: 'all' };
    expect(graphs.runs.questions(stranger)).toEqual([]);
    const { run, id } = question ?? { run: '', id: '' };
    expect(() => graphs.runs.answer(run, id, { action: 'accept' }, stranger)).toThrow('There is no run');
    graphs.runs.answer(run, id, { action: 'accept' }, local);
    expect((await call).structuredContent).toMatchObject({ approved: true });
    expect(() => graphs.runs.answer(run, id, { action: 'accept' }, local)).toThrow();
  });
});

describe('a file that changes', () => {
  test('changes the tools and tells the client', async () => {
    const client = await serve(file(transform('one', '1')));
    let told = 0;
    graphs.served('demo').toolset.onChange?.(() => told++);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['one']);
    await writeFile(path, file(transform('one', '2') + transform('two', '2')));
    await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(told).toBeGreaterThan(0);
    expect(textOf(await client.callTool({ name: 'one', arguments: {} }))).toBe('2');
  });

  test('is followed when an editor replaces it', async () => {
    const client = await serve(file(transform('one', '1')));
    const { rename } = await import('node:fs/promises');
    for (const value of ['2', '3']) {
      await writeFile(join(directory, 'new.yaml'), file(transform('one', value)));
      await rename(join(directory, 'new.yaml'), path);
      await expect.poll(async () => textOf(await client.callTool({ name: 'one', arguments: {} }))).toBe(value);
    }
  });

  test('keeps its last good version while it has mistakes, and says which', async () => {
    const client = await serve(file(transform('one', '1')));
    await writeFile(path, file(transform('one', '1 +')));
    await expect
      .poll(() => graphs.library.get('demo').problems.map(({ code }) => code))
      .toContain('invalid-expression');
    expect(textOf(await client.callTool({ name: 'one', arguments: {} }))).toBe('1');
    await writeFile(path, file(transform('one', '5')));
    await expect.poll(async () => textOf(await client.callTool({ name: 'one', arguments: {} }))).toBe('5');
    expect(graphs.library.get('demo').problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('ends the servers it no longer names, once their calls are answered', async () => {
    const text = file(mcp('pid', 'pid') + mcp('slow', 'slow', '{ ms: 300 }'));
    const client = await serve(text);
    const pidOf = async () =>
      (await client.callTool({ name: 'pid', arguments: {} })).structuredContent as { pid: number };
    const { pid } = await pidOf();
    const call = client.callTool({ name: 'slow', arguments: {} });
    await writeFile(path, text.replace(JSON.stringify(faultServer), `${JSON.stringify(faultServer)}, --other`));
    await expect.poll(async () => (await pidOf()).pid).not.toBe(pid);
    expect((await call).structuredContent).toEqual({ slept: 300 });
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 10_000 }).toBe(false);
  });

  test('lets a run that is under way finish as it began', async () => {
    const client = await serve(file(mcp('slow', 'slow', '{ ms: 300 }')));
    const call = client.callTool({ name: 'slow', arguments: {} });
    await writeFile(path, file(transform('slow', '"new"')));
    await expect
      .poll(() => graphs.library.get('demo').document?.tools.get('slow')?.body.nodes.get('work')?.type)
      .toBe('transform');
    expect((await call).structuredContent).toEqual({ slept: 300 });
  });
});

describe('saving a graph', () => {
  test('checks the text, guards against lost changes and writes atomically', async () => {
    await serve(file(transform('one', '1')));
    const { revision } = graphs.library.get('demo');
    const good = file(transform('one', '7'));
    await expect(graphs.library.put('demo', file(transform('one', '7 *')), revision)).rejects.toMatchObject({
      code: 'INVALID_GRAPH',
    });
    expect(await readFile(path, 'utf8')).toBe(file(transform('one', '1')));
    const saved = await graphs.library.put('demo', good, revision);
    expect(await readFile(path, 'utf8')).toBe(good);
    expect(saved.revision).not.toBe(revision);
    await expect(graphs.library.put('demo', good, revision)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('does not let a saved text start commands that the operator did not write', async () => {
    await serve(file(transform('one', '1')));
    const evil = file(transform('one', '1')).replace(
      'mcpServers:',
      'mcpServers:\n  evil: { command: sh, args: ["-c", "id"] }',
    );
    await expect(graphs.library.put('demo', evil)).rejects.toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    const changed = file(transform('one', '1')).replace(JSON.stringify(faultServer), '"other.mjs"');
    await expect(graphs.library.put('demo', changed)).rejects.toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    expect(await readFile(path, 'utf8')).toBe(file(transform('one', '1')));
    await graphs.close();
    graphs = await openGraphs({ files: [path], allowExec: true });
    await graphs.library.put('demo', evil);
    expect(await readFile(path, 'utf8')).toBe(evil);
  });

  test('does not let a saved text reach addresses that the operator did not write', async () => {
    const ours = file(transform('one', '1')).replace(
      'mcpServers:',
      'mcpServers:\n  ours: { url: "http://127.0.0.1:1/mcp" }',
    );
    await serve(ours);
    await graphs.library.put(
      'demo',
      ours.replace('mcpServers:', 'mcpServers:\n  theirs: { url: "http://127.0.0.1:2/mcp" }'),
    );
    await graphs.library.reload();
    expect(graphs.library.trusts(new URL('http://127.0.0.1:1/other'))).toBe(true);
    expect(graphs.library.trusts(new URL('http://127.0.0.1:2/mcp'))).toBe(false);
  });

  test('does not read other files for a text from elsewhere', async () => {
    await serve(file(transform('one', '1')));
    await writeFile(join(directory, 'secret.yaml'), file(transform('secret', '"secret"')));
    const text = `${file(transform('one', '1'))}graphs: { other: ./secret.yaml }\n`;
    const result = graphs.library.check('demo', text);
    expect(result.ok).toBe(false);
  });
});

describe('the graph tools for agents', () => {
  const agent = (user = local) =>
    connectInProcess(createCatalog([createGraphToolset({ graphs: async () => graphs })]), createHost(), { user });

  test('list graphs, run them and show the runs to their owner alone', async () => {
    await serve(file(transform('double', '$.entry.n * 2') + mcp('fails', 'fail')));
    const client = await agent();
    const { graphs: listed } = (await client.callTool({ name: 'list_graphs', arguments: {} })).structuredContent as {
      graphs: { graph: string; tools: { name: string }[] }[];
    };
    expect(listed.map((one) => [one.graph, one.tools.map(({ name }) => name)])).toEqual([
      ['demo', ['double', 'fails']],
    ]);
    const done = await client.callTool({
      name: 'run_graph',
      arguments: { graph: 'demo', tool: 'double', arguments: { n: 4 } },
    });
    expect(done.structuredContent).toMatchObject({ status: 'succeeded', result: 8 });
    const failed = await client.callTool({ name: 'run_graph', arguments: { graph: 'demo', tool: 'fails' } });
    expect(failed).toMatchObject({ isError: true, structuredContent: { error: 'TOOL_ERROR', node: 'work' } });
    const { runs } = (await client.callTool({ name: 'list_runs', arguments: {} })).structuredContent as {
      runs: { run: string; status: string }[];
    };
    expect(runs.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    const shown = await client.callTool({ name: 'get_run', arguments: { run: runs[1]?.run, history: true } });
    expect(shown.structuredContent).toMatchObject({
      input: { n: 4 },
      result: 8,
      history: [{ nodeId: 'entry' }, { nodeId: 'work', output: 8 }, { nodeId: 'exit' }],
    });
    const stranger = await agent({ id: 'eve', scopes: 'all' });
    expect((await stranger.callTool({ name: 'list_runs', arguments: {} })).structuredContent).toEqual({ runs: [] });
    const peeked = await stranger.callTool({ name: 'get_run', arguments: { run: runs[1]?.run } });
    expect(peeked).toMatchObject({ isError: true, structuredContent: { error: 'RUN_NOT_FOUND' } });
  });

  test('start a run without waiting, answer its question and stop another', async () => {
    await serve(file(tool('ask', 'type: approve, message: Sure?') + mcp('hangs', 'hang')));
    const client = await agent();
    const start = async (name: string) =>
      (await client.callTool({ name: 'run_graph', arguments: { graph: 'demo', tool: name, wait: false } }))
        .structuredContent as { run: string; status: string };
    const asking = await start('ask');
    expect(asking.status).toBe('running');
    const { questions } = (await client.callTool({ name: 'list_questions', arguments: {} })).structuredContent as {
      questions: { id: string; run: string }[];
    };
    expect(questions).toMatchObject([{ run: asking.run, message: 'Sure?' }]);
    await client.callTool({
      name: 'answer_question',
      arguments: { run: asking.run, question: questions[0]?.id, action: 'accept' },
    });
    const statusOf = async (run: string) =>
      ((await client.callTool({ name: 'get_run', arguments: { run } })).structuredContent as { status: string }).status;
    await expect.poll(() => statusOf(asking.run)).toBe('succeeded');
    const hanging = await start('hangs');
    const stopped = await client.callTool({ name: 'stop_run', arguments: { run: hanging.run } });
    expect(stopped.structuredContent).toEqual({ run: hanging.run, status: 'stopped' });
    expect(await statusOf(hanging.run)).toBe('stopped');
  });

  test('suggest the right name for a wrong one', async () => {
    await serve(file(transform('double', '1')));
    const client = await agent();
    const wrongGraph = await client.callTool({ name: 'run_graph', arguments: { graph: 'dmo', tool: 'double' } });
    expect(textOf(wrongGraph)).toContain('did you mean \\"demo\\"?');
    const wrongTool = await client.callTool({ name: 'run_graph', arguments: { graph: 'demo', tool: 'duble' } });
    expect(textOf(wrongTool)).toContain('did you mean \\"double\\"?');
  });
});
