import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServe } from '../cli/waymark.test-helpers.ts';

const faultServer = fileURLToPath(new URL('../../src/graph/connections/fault-server.mjs', import.meta.url));

const file = (more = '') => `version: "1.0"
server: { name: demo, version: "3.2.1", title: A demo, instructions: Handle with care. }
mcpServers:
  fault: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(faultServer)}] }
tools:
  - name: echo
    description: Says it again
    inputSchema: { type: object, properties: { value: {} } }
    nodes:
      - { id: entry, type: entry, next: call }
      - { id: call, type: mcp, server: fault, tool: echo, args: { value: "$.entry.value" }, next: exit }
      - { id: exit, type: exit }
  - name: ask
    description: Asks first
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: approve }
      - { id: approve, type: approve, message: Really?, next: exit }
      - { id: exit, type: exit }
  - name: slow
    description: Takes its time
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: call }
      - { id: call, type: mcp, server: fault, tool: slow, args: { ms: 600000 }, next: exit }
      - { id: exit, type: exit }
  - name: note
    description: Makes a task
    inputSchema: { type: object, properties: { title: { type: string } }, required: [title] }
    nodes:
      - { id: entry, type: entry, next: add }
      - { id: add, type: mcp, server: "waymark:tasks", tool: add_task, args: { user_id: local, title: "$.entry.title" }, next: exit }
      - { id: exit, type: exit }
${more}`;

const wires: [name: string, options: ClientOptions][] = [
  ['the session wire', {}],
  ['the stateless wire', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];

let directory: string;
let path: string;
let server: Awaited<ReturnType<typeof startServe>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-graph-http-'));
  path = join(directory, 'demo.yaml');
  await writeFile(path, file());
  server = await startServe(['--data', join(directory, 'data'), '--graph', path], { cwd: directory });
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  await rm(directory, { recursive: true, force: true });
});

async function connect(endpoint: string, options: ClientOptions): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, ...options },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint, server.url)));
  return client;
}

describe.each(wires)('a graph under waymark serve, on %s', (_name, options) => {
  test('is a server of its own name at its own address [GRAPH-008] [GRAPH-009]', async () => {
    const client = await connect('/mcp/graph/demo', options);
    expect(client.getServerVersion()).toMatchObject({ name: 'demo', version: '3.2.1', title: 'A demo' });
    expect(client.getInstructions()).toBe('Handle with care.');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'ask', 'slow', 'note']);
    const values = Array.from({ length: 20 }, (_, index) => index);
    const results = await Promise.all(values.map((value) => client.callTool({ name: 'echo', arguments: { value } })));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(values.map((value) => ({ value })));
    await client.close();
  });

  test('stops when the client gives up', async () => {
    const client = await connect('/mcp/graph/demo', options);
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'slow', arguments: {} },
      { signal: stop.signal, onprogress: ({ message }) => message?.startsWith('call: half') && stop.abort() },
    );
    await expect(call).rejects.toThrow();
    const latest = async () => {
      const url = new URL('/api/runs?tool=slow&limit=1', server.url);
      const { runs } = (await (await fetch(url)).json()) as { runs: { status: string }[] };
      return runs[0]?.status;
    };
    await expect.poll(latest, { timeout: 10_000 }).toBe('cancelled');
    await client.close();
  });

  test('asks the person through the client', async () => {
    const client = await connect('/mcp/graph/demo', options);
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', (request) => {
      asked.push(request.params.message);
      return { action: 'accept', content: { approved: true } };
    });
    const result = await client.callTool({ name: 'ask', arguments: {} });
    expect(result.structuredContent).toMatchObject({ approved: true });
    expect(asked).toEqual(['Really?']);
    await client.close();
  });

  test('uses the toolsets of the server it runs in', async () => {
    const client = await connect('/mcp/graph/demo', options);
    const title = `from ${_name}`;
    expect((await client.callTool({ name: 'note', arguments: { title } })).isError).toBeFalsy();
    await client.close();
    const tasks = await connect('/mcp/tasks', options);
    const { structuredContent } = await tasks.callTool({ name: 'list_tasks', arguments: { user_id: 'local' } });
    expect(JSON.stringify(structuredContent)).toContain(title);
    await tasks.close();
  });

  test('leaves its runs to be seen', async () => {
    const client = await connect('/mcp/graph', options);
    const { runs } = (await client.callTool({ name: 'list_runs', arguments: { tool: 'echo', limit: 200 } }))
      .structuredContent as { runs: { run: string; status: string }[] };
    expect(runs.length).toBeGreaterThanOrEqual(20);
    expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
    const shown = (await (await fetch(new URL(`/api/runs/${runs[0]?.run}`, server.url))).json()) as object;
    expect(shown).toMatchObject({ graph: 'demo', tool: 'echo', status: 'succeeded' });
    await client.close();
  });
});

test('a file that changes under waymark serve changes what is served', async () => {
  const client = await connect('/mcp/graph/demo', {});
  let told = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    told++;
  });
  await client.listTools();
  const extra = `  - name: extra
    description: Came later
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: exit }
      - { id: exit, type: exit }
`;
  await writeFile(path, file(extra));
  await expect
    .poll(async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name), {
      timeout: 10_000,
    })
    .toContain('extra');
  expect(told).toBeGreaterThan(0);
  await client.close();
});
