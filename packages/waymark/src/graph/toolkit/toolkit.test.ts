import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectInProcess, createCatalog, createHost } from '../../kit/index.ts';
import { type Graphs, openGraphs } from '../open-graphs.ts';
import { createToolkit } from './toolkit.ts';

const faultServer = fileURLToPath(new URL('../connections/fault-server.mjs', import.meta.url));

const source = `version: "1.0"
# The best server there is.
server:
  name: "files"      # quoted on purpose
  version: "1.0.0"
  title: "File utilities"

tools:
  # Says what it is given.
  - name: existing
    description: "Existing tool"   # short
    inputSchema: { type: object }
    outputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: exit }
      - { id: exit, type: exit }
`;

const draft = {
  name: 'double',
  description: 'Doubles',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  outputSchema: { type: 'number' },
  nodes: [
    { id: 'entry', type: 'entry', next: 'work' },
    { id: 'work', type: 'transform', transform: { expr: '$.entry.n * 2' }, next: 'exit' },
    { id: 'exit', type: 'exit' },
  ],
};

let directory: string;
let path: string;
let graphs: Graphs;
let client: Client;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-toolkit-'));
  path = join(directory, 'files.yaml');
  await writeFile(path, source);
});
afterEach(async () => {
  await graphs.close();
  await rm(directory, { recursive: true, force: true });
});

async function open({ mcp = true, secret = 'hush-hush' } = {}): Promise<void> {
  const mcpFile = join(directory, 'mcp.json');
  const fault = { command: process.execPath, args: [faultServer], env: { SECRET: '${TOOLKIT_SECRET}' } };
  const dead = { command: 'no-such-command', args: [] };
  await writeFile(mcpFile, JSON.stringify({ mcpServers: { fault, dead } }));
  const environment = { ...process.env, TOOLKIT_SECRET: secret };
  graphs = await openGraphs({ files: [path], environment, ...(mcp ? { mcpFile } : {}) });
  const toolkit = createToolkit({ ...graphs, graph: 'files', hasMcpFile: mcp });
  client = await connectInProcess(createCatalog([toolkit]), createHost(), { user: { id: 'local', scopes: 'all' } });
  await client.listTools();
}

async function call<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  const { text } = (result.content as { text: string }[])[0] ?? { text: '' };
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent as T;
}

async function refusal(name: string, args: Record<string, unknown> = {}): Promise<{ error: string; message: string }> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  const { text } = (result.content as { text: string }[])[0] ?? { text: '' };
  return JSON.parse(text) as { error: string; message: string };
}

describe('the toolkit', () => {
  test('has the thirteen tools, within the budget of a model', async () => {
    await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'getGraphServer',
      'listGraphTools',
      'getGraphTool',
      'listMcpServers',
      'listMcpServerTools',
      'getMcpServerTool',
      'addGraphTool',
      'updateGraphTool',
      'deleteGraphTool',
      'runGraphTool',
      'testJSONata',
      'testJSONLogic',
      'testMcpTool',
    ]);
    const text = tools
      .map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
      .join('');
    expect(text.length / 4 / tools.length).toBeLessThan(150);
  });

  test('shows the server and its tools', async () => {
    await open();
    expect(await call('getGraphServer')).toEqual({ name: 'files', version: '1.0.0', title: 'File utilities' });
    expect(await call('listGraphTools')).toEqual({ items: [{ name: 'existing', description: 'Existing tool' }] });
    expect(await call('getGraphTool', { toolName: 'existing' })).toMatchObject({
      nodes: [{ id: 'entry' }, { id: 'exit' }],
    });
    expect(await refusal('getGraphTool', { toolName: 'exsting' })).toMatchObject({
      message: 'Tool "exsting" not found; did you mean "existing"?',
    });
    expect(await refusal('getGraphTool')).toMatchObject({ message: 'toolName is required' });
  });

  test('shows the servers of the -m file and their tools', async () => {
    await open();
    const { items } = await call<{ items: { name: string }[] }>('listMcpServers');
    expect(items.map(({ name }) => name)).toEqual(['fault', 'dead']);
    const listed = await call<{ items: { name: string; server: string }[]; unavailable: { server: string }[] }>(
      'listMcpServerTools',
    );
    expect(listed.items).toContainEqual({ name: 'add', description: 'Does add.', server: 'fault' });
    expect(listed.unavailable).toMatchObject([{ server: 'dead' }]);
    expect(
      (await call<{ items: unknown[] }>('listMcpServerTools', { serverName: 'fault' })).items.length,
    ).toBeGreaterThan(5);
    expect(await call('getMcpServerTool', { serverName: 'fault', toolName: 'add' })).toMatchObject({ name: 'add' });
    expect(await refusal('getMcpServerTool', { serverName: 'fault', toolName: 'ad' })).toMatchObject({
      error: 'TOOL_NOT_FOUND',
    });
    expect(await refusal('listMcpServerTools', { serverName: 'falt' })).toMatchObject({
      message: 'Server "falt" not found; did you mean "fault"?',
    });
  });

  test('says that the -m file is missing where it is needed', async () => {
    await open({ mcp: false });
    expect((await refusal('listMcpServers')).message).toContain('MCP file not provided');
    expect((await refusal('listMcpServerTools')).message).toContain('MCP file not provided');
  });

  test('adds, changes and deletes a tool and leaves the rest of the file alone', async () => {
    await open();
    await call('addGraphTool', { tool: draft });
    const added = await readFile(path, 'utf8');
    expect(added.startsWith(source)).toBe(true);
    expect(await call('getGraphTool', { toolName: 'double' })).toEqual(draft);
    await call('updateGraphTool', {
      toolName: 'existing',
      tool: { ...(await call('getGraphTool', { toolName: 'existing' })), description: 'Changed' },
    });
    const changed = await readFile(path, 'utf8');
    expect(changed).toBe(added.replace('"Existing tool"   # short', '"Changed"   # short'));
    await call('deleteGraphTool', { toolName: 'double' });
    expect(await readFile(path, 'utf8')).toBe(source.replace('Existing tool', 'Changed'));
    expect((await refusal('deleteGraphTool', { toolName: 'double' })).message).toContain('not found');
  });

  test('writes nothing that would not load', async () => {
    await open();
    const broken = [
      { ...draft, nodes: [{ id: 'a', type: 'nosuchtype' }] },
      { ...draft, nodes: draft.nodes.slice(0, 2) },
      {
        ...draft,
        nodes: draft.nodes.map((node) => (node.id === 'work' ? { ...node, transform: { expr: '1 +' } } : node)),
      },
      { ...draft, nodes: draft.nodes.map((node) => (node.id === 'work' ? { ...node, next: 'nowhere' } : node)) },
      { ...draft, inputSchema: { type: 'nonsense' } },
    ];
    for (const tool of broken) {
      expect(await refusal('addGraphTool', { tool })).toMatchObject({ error: 'INVALID_GRAPH' });
      expect(await refusal('updateGraphTool', { toolName: 'existing', tool })).toMatchObject({
        error: 'INVALID_GRAPH',
      });
    }
    expect(await refusal('addGraphTool', { tool: { ...draft, name: 'existing' } })).toMatchObject({
      error: 'TOOL_EXISTS',
    });
    expect(await readFile(path, 'utf8')).toBe(source);
  });

  test('keeps every one of many changes at once', async () => {
    await open();
    const names = Array.from({ length: 10 }, (_, index) => `tool${index}`);
    await Promise.all(names.map((name) => call('addGraphTool', { tool: { ...draft, name } })));
    const { items } = await call<{ items: { name: string }[] }>('listGraphTools');
    expect(items.map(({ name }) => name)).toEqual(['existing', ...names]);
  });

  test('runs a tool of the graph and a draft that is not in it', async () => {
    await open();
    expect(await call('runGraphTool', { toolName: 'existing', arguments: { a: 1 } })).toMatchObject({
      result: { a: 1 },
    });
    const ran = await call<{ result: unknown; executionHistory: { nodeId: string }[]; logging: unknown[] }>(
      'runGraphTool',
      {
        toolDefinition: draft,
        arguments: { n: 21 },
        logging: true,
      },
    );
    expect(ran.result).toBe(42);
    expect(ran.executionHistory.map(({ nodeId }) => nodeId)).toEqual(['entry', 'work', 'exit']);
    expect(ran.logging.length).toBeGreaterThan(0);
    expect(await readFile(path, 'utf8')).toBe(source);
  });

  test('shows how far a run came that failed', async () => {
    await open();
    const failing = {
      ...draft,
      nodes: draft.nodes.map((node) => (node.id === 'work' ? { ...node, transform: { expr: '$error("no")' } } : node)),
    };
    const told = (await refusal('runGraphTool', { toolDefinition: failing, arguments: { n: 1 } })) as unknown as {
      executionHistory: { nodeId: string; error?: unknown }[];
    };
    expect(told).toMatchObject({ error: 'EXPRESSION_ERROR', node: 'work' });
    expect(told.executionHistory.map(({ nodeId }) => nodeId)).toEqual(['entry', 'work']);
    expect(
      (await refusal('runGraphTool', { toolName: 'existing', toolDefinition: draft, arguments: {} })).message,
    ).toContain('Cannot specify both');
    expect((await refusal('runGraphTool', { arguments: {} })).message).toContain('toolName or toolDefinition');
    expect((await refusal('runGraphTool', { toolName: 'nowhere', arguments: {} })).message).toContain('not found');
    expect(await refusal('runGraphTool', { toolDefinition: { ...draft, nodes: [] }, arguments: {} })).toMatchObject({
      error: 'INVALID_GRAPH',
    });
  });

  test('tries expressions and rules, with results of any kind', async () => {
    await open();
    const context = { value: 5, list: [1, 2] };
    expect(await call('testJSONata', { expression: '{"result": $.value * 2}', context })).toEqual({
      result: { result: 10 },
    });
    expect(await call('testJSONata', { expression: 'list', context })).toEqual({ result: [1, 2] });
    expect(await call('testJSONata', { expression: '"text"', context })).toEqual({ result: 'text' });
    expect(await call('testJSONata', { expression: 'nothing', context })).toEqual({ result: null });
    expect(await call('testJSONata', { expression: '{"a": $.value + }', context })).toMatchObject({
      result: null,
      error: { message: expect.any(String) as string },
    });
    expect(
      await call('testJSONata', { expression: '($f := function($x) { $f($x) + 1 }; $f(1))', context }),
    ).toMatchObject({ result: null, error: {} });
    expect(await call('testJSONLogic', { expression: { '>': [{ var: 'value' }, 3] }, context })).toEqual({
      result: true,
    });
    expect(await call('testJSONLogic', { expression: { '>': [{ var: 'value' }, 9] }, context })).toEqual({
      result: false,
    });
    expect(await call('testJSONLogic', { expression: { nonsense: [1] }, context })).toMatchObject({
      result: null,
      error: {},
    });
  });

  test('tries a tool of a server the way a node would call it', async () => {
    await open();
    const tried = await call('testMcpTool', {
      server: 'fault',
      tool: 'echo',
      args: { value: { deep: [{ expr: '$.n + 1' }, 'literal'] } },
      context: { n: 1 },
    });
    expect(tried).toMatchObject({
      output: { value: { deep: [2, 'literal'] } },
      evaluatedArgs: { value: { deep: [2, 'literal'] } },
    });
    expect(await call('testMcpTool', { server: 'fault', tool: 'say', args: { text: 'hello' } })).toMatchObject({
      output: 'hello',
    });
    expect(await call('testMcpTool', { server: 'fault', tool: 'fail' })).toMatchObject({
      output: null,
      error: { message: 'the disk is full' },
    });
    expect(await call('testMcpTool', { server: 'dead', tool: 'x' })).toMatchObject({
      output: null,
      error: { message: expect.stringContaining('no-such-command') as string },
    });
    expect((await refusal('testMcpTool', { server: 'falt', tool: 'x' })).message).toContain('did you mean "fault"?');
  });

  test('never shows a secret', async () => {
    await open({ secret: 'very-secret-token' });
    const tried = await call('testMcpTool', { server: 'fault', tool: 'env', args: { name: 'SECRET' } });
    expect(JSON.stringify(tried)).not.toContain('very-secret-token');
  });

  test('works on the file as it is, and not on one with mistakes', async () => {
    await open();
    await writeFile(path, source.replace('next: exit', 'next: nowhere'));
    await graphs.library.reload();
    expect(await refusal('addGraphTool', { tool: draft })).toMatchObject({ error: 'BROKEN_FILE' });
    await writeFile(path, source.replace('Existing', 'Edited'));
    await graphs.library.reload();
    await call('addGraphTool', { tool: draft });
    expect(await readFile(path, 'utf8')).toContain('Edited tool');
  });

  test('teaches the format, with an example that runs', async () => {
    await open();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['graph_format', 'build_graph_tool', 'repair_graph_tool']);
    const { messages } = await client.getPrompt({ name: 'build_graph_tool', arguments: { goal: 'count files' } });
    const [{ text = '' } = {}] = messages.map(({ content }) => content as { text?: string });
    expect(text).toContain('Build a graph tool: count files');
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    const result = graphs.library.check('files', example);
    expect(result.problems.filter(({ code }) => code !== 'unset-variable')).toEqual([]);
    expect(result.ok).toBe(true);
  });
});
