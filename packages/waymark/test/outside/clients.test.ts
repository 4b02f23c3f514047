import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveTools, nodeOf, type Outcome, programs, run, waymark } from './programs.ts';
import { type Serving, startServing } from './serving.ts';

const contractTools = ['add_task', 'list_tasks', 'load_graph', 'goto_node', 'todo'];
const newTask = { user_id: 'local', title: 'buy milk' };
const addedTask = { success: true, task: { title: 'buy milk', completed: false } };

let serving: Serving;
let endpoint: string;
let folder: string;
beforeAll(async () => {
  serving = await startServing();
  endpoint = new URL('/mcp', serving.url).href;
  folder = await mkdtemp(join(tmpdir(), 'waymark-clients-'));
});
afterAll(async () => {
  expect(await serving.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** The command of a stdio server with a data directory of its own. */
function stdioCommand(name: string, node: string = process.execPath): [string, ...string[]] {
  return [node, waymark, 'mcp', '--data', join(folder, name)];
}

const node24 = nodeOf(24);
const nodes: [name: string, path: string][] = [
  ['this Node', process.execPath],
  ...(node24 ? [['Node 24', node24] satisfies [string, string]] : []),
];

const wires = [
  ['2025-11-25', undefined],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] as const;

async function listAndAdd(client: Client) {
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: 'add_task', arguments: newTask });
  await client.close();
  return { names: tools.map((tool) => tool.name), result: result.structuredContent };
}

describe.each(wires)('the SDK client on %s', (revision, options) => {
  const connect = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
    const client = new Client({ name: 'waymark-test', version: '1' }, options);
    await client.connect(transport);
    return client;
  };

  test('lists and calls over HTTP', async () => {
    const { names, result } = await listAndAdd(await connect(new StreamableHTTPClientTransport(new URL(endpoint))));
    expect(names).toEqual(expect.arrayContaining(contractTools));
    expect(result).toMatchObject(addedTask);
  });

  test.each(nodes)('lists and calls over stdio, served by %s', async (name, node) => {
    const [command, ...args] = stdioCommand(`sdk-${revision}-${name}`, node);
    const { names, result } = await listAndAdd(await connect(new StdioClientTransport({ command, args })));
    expect(names).toEqual(expect.arrayContaining(contractTools));
    expect(result).toMatchObject(addedTask);
  });
});

describe.skipIf(!node24)('on Node 24', () => {
  test.each(wires)('serve starts, lists, calls and stops on %s', async (_revision, options) => {
    const newer = await startServing(node24);
    const health = (await (await fetch(new URL('/healthz', newer.url))).json()) as { status: string };
    expect(health.status).toBe('ok');
    const client = new Client({ name: 'waymark-test', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', newer.url)));
    const { result } = await listAndAdd(client);
    expect(result).toMatchObject(addedTask);
    expect(await newer.stop()).toBe(0);
  });
});

describe.skipIf(!haveTools)('the client of the previous SDK', () => {
  const script = fileURLToPath(new URL('../tools/v1-client.mjs', import.meta.url));
  const use = async (kind: 'http' | 'stdio', args: Record<string, unknown>) => {
    const target = kind === 'http' ? [endpoint] : stdioCommand('v1');
    const command = [script, kind, ...target, 'add_task', JSON.stringify(args)];
    const { code, stdout, stderr } = await run(process.execPath, command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as { tools: string[]; result: { isError?: boolean; structuredContent: unknown } };
  };

  test.each(['http', 'stdio'] as const)('lists and calls over %s', async (kind) => {
    const { tools, result } = await use(kind, newTask);
    expect(tools).toEqual(expect.arrayContaining(contractTools));
    expect(result.structuredContent).toMatchObject(addedTask);
  });

  test('reads a refusal, which it checks against the output schema like any answer', async () => {
    const { result } = await use('http', { ...newTask, title: '' });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_TITLE' } } });
  });
});

const node22 = nodeOf(22);
const targets = [
  ['stdio', []],
  ['HTTP, older wire', ['--protocol-era', 'legacy']],
  ['HTTP, stateless wire', ['--protocol-era', 'modern']],
] as const;

describe.skipIf(!haveTools || !node22).each(targets)('the MCP Inspector over %s', (kind, era) => {
  const inspect = (...request: readonly string[]): Promise<Outcome> => {
    const [target, command] =
      kind === 'stdio'
        ? [[], ['--', ...stdioCommand('inspector')]]
        : [['--server-url', endpoint, '--transport', 'http', ...era], []];
    const args = [programs.inspector, '--cli', ...target, ...request, '--format', 'json', '-q', ...command];
    return run(node22 ?? '', args);
  };

  test('lists every tool, and its schema lint finds no error', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
    expect({ code, errors: stderr.match(/^Error: .*$/gm) }).toEqual({ code: 0, errors: null });
    for (const name of contractTools) expect(stdout).toContain(`"${name}"`);
  });

  test('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'add_task', '--tool-args-json', JSON.stringify(newTask)];
    const { code, stdout } = await inspect(...call);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: { structuredContent: addedTask } });
  });

  test('sees wrong arguments and an unknown tool as tool errors', async () => {
    const wrong = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'add_task',
      '--tool-args-json',
      '{"titel":"x"}',
    );
    expect(wrong.code).toBe(5);
    const unknown = await inspect('--method', 'tools/call', '--tool-name', 'add_tusk', '--tool-args-json', '{}');
    expect(unknown.code).toBe(5);
  });
});

/** Scenarios of the conformance suite that need no fixtures: the product itself must pass them. */
const productScenarios = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'server-session-lifecycle'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'input-required-result-unsupported-methods'],
] as const;

test.skipIf(!haveTools || !node22).each(productScenarios)('conformance %s: %s', async (revision, scenario) => {
  const args = ['server', '--url', endpoint, '--scenario', scenario, '--spec-version', revision];
  const { code, stdout } = await run(node22 ?? '', [programs.conformance, ...args]);
  expect({ code, failed: /(\d+) failed/.exec(stdout)?.[1] ?? stdout }).toEqual({ code: 0, failed: '0' });
});
