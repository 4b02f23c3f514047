import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHistory } from '../../src/graph/history-store.ts';
import { openStore } from '../../src/store/index.ts';

const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const faultServer = fileURLToPath(new URL('../../src/graph/connections/fault-server.mjs', import.meta.url));

const file = (more = '') => `version: "1.0"
server: { name: demo, version: "3.2.1", title: A demo, instructions: Handle with care. }
mcpServers:
  fault: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(faultServer)}] }
tools:
  - name: slow
    description: Notes that it began, then takes its time
    inputSchema: { type: object, properties: { file: { type: string }, ms: { type: number } } }
    nodes:
      - { id: entry, type: entry, next: note }
      - { id: note, type: mcp, server: fault, tool: note, args: { file: "$.entry.file", line: began }, next: wait }
      - { id: wait, type: mcp, server: fault, tool: slow, args: { ms: "$.entry.ms" }, next: exit }
      - { id: exit, type: exit }
  - name: pid
    description: The process of the server
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: ask }
      - { id: ask, type: mcp, server: fault, tool: pid, args: {}, next: exit }
      - { id: exit, type: exit }
${more}`;

const extra = `  - name: extra
    description: Came later
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: exit }
      - { id: exit, type: exit }
`;

let directory: string;
let path: string;
const clients: Client[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-graph-stdio-'));
  path = join(directory, 'demo.yaml');
  await writeFile(path, file());
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await rm(directory, { recursive: true, force: true });
});

async function start(...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [waymark, 'graph', ...args],
    stderr: 'pipe',
  });
  const errors: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(transport);
  return { client, pid: transport.pid as number, errors };
}

const serve = (...more: string[]) => start('serve', '-g', path, ...more);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pidOf = async (client: Client) =>
  ((await client.callTool({ name: 'pid', arguments: {} })).structuredContent as { pid: number }).pid;

describe('waymark graph serve', () => {
  test('serves the file under the name it gives itself, with its tools [GRAPH-070] [GRAPH-008] [GRAPH-043]', async () => {
    const { client } = await serve();
    expect(client.getServerVersion()).toEqual({ name: 'demo', version: '3.2.1', title: 'A demo' });
    expect(client.getInstructions()).toBe('Handle with care.');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['slow', 'pid']);
  });

  test('shares one server among parallel calls and ends it when the client goes', async () => {
    const { client, pid } = await serve();
    const pids = await Promise.all(Array.from({ length: 10 }, () => pidOf(client)));
    const [child = 0] = new Set(pids);
    expect(new Set(pids).size).toBe(1);
    expect(isAlive(child)).toBe(true);
    await client.close();
    await expect.poll(() => [isAlive(pid), isAlive(child)], { timeout: 10_000 }).toEqual([false, false]);
  });

  test('ends its servers when it is told to stop', async () => {
    const { client, pid } = await serve();
    const child = await pidOf(client);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => [isAlive(pid), isAlive(child)], { timeout: 10_000 }).toEqual([false, false]);
  });

  test('leaves no server behind when it is killed', async () => {
    const { client, pid } = await serve();
    const child = await pidOf(client);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
  });

  test('tells the client when the file has changed, and stays with the last good version', async () => {
    const { client, errors } = await serve();
    let told = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      told++;
    });
    await writeFile(path, file(extra));
    await expect.poll(() => told, { timeout: 10_000 }).toBe(1);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['slow', 'pid', 'extra']);
    await writeFile(path, file(extra.replace('next: exit', 'next: exti')));
    await expect.poll(() => errors.join(''), { timeout: 10_000 }).toContain('did you mean');
    expect(errors.join('')).toMatch(/demo\.yaml:\d+:\d+ error missing-target/);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['slow', 'pid', 'extra']);
  });
});

describe('a run whose process is killed', () => {
  test('is listed as interrupted, with the history it had', async () => {
    const data = join(directory, 'data');
    const witness = join(directory, 'witness.txt');
    const { client, pid } = await serve('--data', data);
    const call = client.callTool({ name: 'slow', arguments: { file: witness, ms: 600_000 } });
    call.catch(() => {});
    await expect.poll(() => readFile(witness, 'utf8').catch(() => ''), { timeout: 20_000 }).toBe('began\n');

    const store = await openStore({ dataDirectory: data });
    const history = await openHistory(store);
    const [running] = (await history.list()).runs;
    expect(running).toMatchObject({ tool: 'slow', status: 'running' });
    const endedNodes = async () =>
      (await history.events(running?.run ?? '')).flatMap((event) => (event.type === 'node-ended' ? [event.node] : []));
    await expect.poll(endedNodes, { timeout: 10_000 }).toEqual(['entry', 'note']);
    expect(await history.sweep()).toBe(0);

    process.kill(pid, 'SIGKILL');
    await expect(call).rejects.toThrow();
    const sweptRuns = async () => {
      await history.sweep().catch(() => 0);
      return (await history.list()).runs;
    };
    await expect
      .poll(() => sweptRuns().catch(() => []), { timeout: 20_000 })
      .toMatchObject([{ tool: 'slow', status: 'interrupted', error: { code: 'INTERRUPTED' } }]);
    expect(await endedNodes()).toEqual(['entry', 'note']);
    const details = await history.get(running?.run ?? '');
    expect(details?.input).toEqual({ file: witness, ms: 600_000 });
    await history.close();
    await store.close();
  });
});
