import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Graphs, openGraphs } from '../../graph/open-graphs.ts';
import type { User } from '../../kit/index.ts';
import type { Store } from '../../store/index.ts';
import { emptyStore, openTestStore } from '../../store/store.test-helpers.ts';
import { closeEventStreams } from './events.ts';
import { registerGraphRoutes } from './graph.ts';

const source = `version: "1.0"
server: { name: demo, version: "1.0.0", title: Demo }   # ours
tools:
  - name: sum
    description: Adds up
    inputSchema: { type: object, properties: { n: { type: number } }, required: [n] }
    nodes:
      - { id: entry, type: entry, next: double }
      - { id: double, type: transform, transform: { expr: "$.entry.n * 2" }, next: choose }
      - id: choose
        type: switch
        conditions: [{ rule: { ">": [{ var: "$.double" }, 10] }, next: big }]
        next: small
      - { id: big, type: transform, transform: { expr: '{"big": $.double}' }, next: exit }
      - { id: small, type: transform, transform: { expr: '{"small": $.double}' }, next: exit }
      - { id: exit, type: exit }
  - name: ask
    description: Asks
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: approve }
      - { id: approve, type: approve, message: Really?, next: exit }
      - { id: exit, type: exit }
  - name: wait
    description: Waits
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: pause }
      - { id: pause, type: wait, ms: 600000, next: exit }
      - { id: exit, type: exit }
`;

let store: Store;
let directory: string;
let path: string;
let graphs: Graphs;
let app: FastifyInstance;
let user: User | undefined;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await emptyStore(store);
  directory = await mkdtemp(join(tmpdir(), 'waymark-graph-rest-'));
  path = join(directory, 'demo.yaml');
  await writeFile(path, source);
  graphs = await openGraphs({ files: [path], store: async () => store });
  user = { id: 'local', scopes: 'all' };
  app = serve();
});
afterEach(async () => {
  closeEventStreams();
  await app.close();
  await graphs.close();
  await rm(directory, { recursive: true, force: true });
});

function serve(readOnly = false): FastifyInstance {
  const server = Fastify();
  registerGraphRoutes(server, {
    graphs: async () => graphs,
    readOnly,
    async userOf(_request, reply) {
      if (!user) await reply.code(401).send({ error: 'login' });
      return user;
    },
  });
  return server;
}

type Body = Record<string, ReturnType<typeof JSON.parse>>;

async function request(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) {
  const response = await app.inject({ method, url, ...(body ? { body } : {}) });
  return { status: response.statusCode, body: (response.body === '' ? {} : response.json()) as Body };
}

async function start(tool: string, more: object = {}): Promise<string> {
  const { status, body } = await request('POST', '/api/graphs/demo/runs', { tool, ...more });
  expect(status).toBe(201);
  return body['run'] as string;
}

const statusOf = async (run: string) => (await request('GET', `/api/runs/${run}`)).body['status'] as string;

describe('graphs over REST', () => {
  test('are listed and shown with their text, their picture and their problems [GRAPH-039] [GRAPH-077]', async () => {
    const { body: list } = await request('GET', '/api/graphs');
    expect(list['graphs']).toMatchObject([
      {
        name: 'demo',
        endpoint: '/mcp/graph/demo',
        stale: false,
        tools: [{ name: 'sum' }, { name: 'ask' }, { name: 'wait' }],
      },
    ]);
    const { body } = await request('GET', '/api/graphs/demo');
    expect(body['text']).toBe(source);
    const [sum] = body['tools'] as { nodes: object[]; edges: object[] }[];
    expect(sum?.nodes).toContainEqual({
      id: 'double',
      type: 'transform',
      title: 'double',
      line: 9,
      detail: '$.entry.n * 2',
    });
    expect(sum?.edges).toContainEqual({
      from: 'choose',
      to: 'big',
      kind: 'condition',
      label: '{">":[{"var":"$.double"},10]}',
    });
    expect(sum?.edges).toContainEqual({ from: 'choose', to: 'small', kind: 'otherwise' });
    expect(JSON.stringify(body)).not.toContain(directory);
  });

  test('are checked without being written', async () => {
    const { body: good } = await request('POST', '/api/graphs/demo/check', { text: source });
    expect(good).toMatchObject({ ok: true, tools: [{ name: 'sum' }, { name: 'ask' }, { name: 'wait' }] });
    const { body: bad } = await request('POST', '/api/graphs/demo/check', {
      text: source.replace('next: double', 'next: doble'),
    });
    expect(bad['ok']).toBe(false);
    expect((bad['problems'] as object[])[0]).toMatchObject({ severity: 'error', code: 'missing-target', line: 8 });
    expect(await readFile(path, 'utf8')).toBe(source);
  });

  test('are saved when they are right and nobody else was faster', async () => {
    const { revision } = (await request('GET', '/api/graphs/demo')).body as { revision: string };
    const changed = source.replace('Adds up', 'Adds it all up');
    const wrong = await request('PUT', '/api/graphs/demo', {
      text: source.replace('next: double', 'next: doble'),
      revision,
    });
    expect(wrong).toMatchObject({ status: 422, body: { error: { code: 'INVALID_GRAPH' } } });
    expect(((wrong.body['error'] as Body)['problems'] as object[])[0]).toMatchObject({ line: 8 });
    const saved = await request('PUT', '/api/graphs/demo', { text: changed, revision });
    expect(saved).toMatchObject({ status: 200, body: { tools: [{ description: 'Adds it all up' }, {}, {}] } });
    expect(await readFile(path, 'utf8')).toBe(changed);
    const late = await request('PUT', '/api/graphs/demo', { text: source, revision });
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', revision: saved.body['revision'] as string } },
    });
    const evil = await request('PUT', '/api/graphs/demo', { text: `${changed}mcpServers: { x: { command: sh } }\n` });
    expect(evil).toMatchObject({ status: 403, body: { error: { code: 'COMMAND_NOT_ALLOWED' } } });
    expect(await readFile(path, 'utf8')).toBe(changed);
  });

  test('answer mistakes with what would be right', async () => {
    expect(await request('GET', '/api/graphs/dmo')).toMatchObject({
      status: 404,
      body: { error: { message: 'There is no graph "dmo"; did you mean "demo"?' } },
    });
    expect(await request('POST', '/api/graphs/demo/runs', { tool: 'smu' })).toMatchObject({
      status: 404,
      body: { error: { message: '"demo" has no tool "smu"; did you mean "sum"?' } },
    });
    expect(await request('POST', '/api/graphs/demo/runs', { tol: 'sum' })).toMatchObject({ status: 400 });
    expect(await request('GET', '/api/runs?status=nonsense')).toMatchObject({ status: 400 });
    expect(await request('GET', '/api/runs?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_CURSOR' } },
    });
    expect(await request('GET', '/api/runs/nowhere')).toMatchObject({
      status: 404,
      body: { error: { code: 'RUN_NOT_FOUND' } },
    });
    expect(await request('GET', '/api/graphs/demo/servers/x/tools')).toMatchObject({ status: 404 });
  });
});

describe('runs over REST', () => {
  test('are started, listed, shown, exported and deleted', async () => {
    const run = await start('sum', { arguments: { n: 3 } });
    await expect.poll(() => statusOf(run)).toBe('succeeded');
    const { body } = await request('GET', `/api/runs/${run}`);
    expect(body).toMatchObject({
      graph: 'demo',
      tool: 'sum',
      input: { n: 3 },
      result: { small: 6 },
      nodeExecutions: 5,
    });
    const failed = await start('sum', { arguments: { n: 'x' } });
    await expect.poll(() => statusOf(failed)).toBe('failed');
    const list = async (query = '') =>
      ((await request('GET', `/api/runs${query}`)).body['runs'] as { run: string }[]).map((one) => one.run);
    expect(await list()).toEqual([failed, run]);
    expect(await list('?status=succeeded,running')).toEqual([run]);
    expect(await list('?graph=demo&tool=ask')).toEqual([]);
    expect(await list('?since=2100-01-01T00:00:00Z')).toEqual([]);
    const exported = await request('GET', `/api/runs/${run}/export`);
    expect(exported.body).toMatchObject({ format: 'waymark-run/1', source, run: { run } });
    expect((await request('DELETE', `/api/runs/${run}`)).status).toBe(204);
    expect(await list()).toEqual([failed]);
  });

  test('are followed as they happen, and caught up with after a gap [GRAPH-069]', async () => {
    const url = await app.listen({ port: 0 });
    const run = await start('sum', { arguments: { n: 3 }, startPaused: true });
    const response = await fetch(`${url}/api/runs/${run}/events`, { headers: { accept: 'text/event-stream' } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await request('POST', `/api/runs/${run}/resume`);
    const types = [...(await response.text()).matchAll(/^event: (.+)$/gm)].map(([, type]) => type);
    expect(types[0]).toBe('run-started');
    expect(types.filter((type) => type === 'node-ended')).toHaveLength(5);
    expect(types.at(-1)).toBe('run-ended');
    const { events } = (await request('GET', `/api/runs/${run}/events?after=2`)).body as { events: { seq: number }[] };
    expect(events[0]?.seq).toBe(3);
    const headers = { accept: 'text/event-stream', 'last-event-id': String(events.at(-2)?.seq) };
    const rest = await (await fetch(`${url}/api/runs/${run}/events`, { headers })).text();
    expect([...rest.matchAll(/^event: (.+)$/gm)].map(([, type]) => type)).toEqual(['run-ended']);
  });

  test('are held, stepped, looked into, changed and let go [GRAPH-078]', async () => {
    const run = await start('sum', { arguments: { n: 3 }, breakpoints: [{ node: 'choose' }] });
    await expect.poll(() => statusOf(run)).toBe('paused');
    const { body } = await request('GET', `/api/runs/${run}`);
    expect(body).toMatchObject({ currentNode: 'choose', breakpoints: [{ node: 'choose' }] });
    expect((await request('POST', `/api/runs/${run}/evaluate`, { expression: '$.double + 1' })).body).toEqual({
      value: 7,
    });
    expect(await request('POST', `/api/runs/${run}/evaluate`, { expression: '1 +' })).toMatchObject({ status: 422 });
    expect((await request('PATCH', `/api/runs/${run}/values`, { node: 'double', value: 50 })).status).toBe(200);
    const stepped = await request('POST', `/api/runs/${run}/step`);
    expect(stepped.body).toMatchObject({ status: 'paused', currentNode: 'big' });
    await request('PUT', `/api/runs/${run}/breakpoints`, { breakpoints: [{ node: 'exit', condition: 'big.big > 1' }] });
    await request('POST', `/api/runs/${run}/resume`);
    await expect.poll(() => statusOf(run)).toBe('paused');
    expect(await request('POST', `/api/runs/${run}/pause`)).toMatchObject({
      status: 409,
      body: { error: { code: 'WRONG_STATE' } },
    });
    await request('POST', `/api/runs/${run}/resume`);
    await expect.poll(() => statusOf(run)).toBe('succeeded');
    expect((await request('GET', `/api/runs/${run}`)).body['result']).toEqual({ big: 50 });
    expect(await request('POST', `/api/runs/${run}/step`)).toMatchObject({
      status: 409,
      body: { error: { code: 'RUN_ENDED' } },
    });
  });

  test('go back in time and fork with other data [GRAPH-076]', async () => {
    const run = await start('sum', { arguments: { n: 3 } });
    await expect.poll(() => statusOf(run)).toBe('succeeded');
    const at = async (index: number) =>
      (await request('GET', `/api/runs/${run}/context?index=${index}`)).body['context'] as object;
    expect(await at(0)).toEqual({ entry: { n: 3 } });
    expect(await at(1)).toEqual({ entry: { n: 3 }, double: 6 });
    const { events } = (await request('GET', `/api/runs/${run}/events`)).body as {
      events: { seq: number; type: string; node?: string }[];
    };
    const seq = events.find(({ type, node }) => type === 'node-ended' && node === 'double')?.seq;
    const { status, body } = await request('POST', `/api/runs/${run}/fork`, { seq, changes: { double: 99 } });
    expect(status).toBe(201);
    const forked = body['run'] as string;
    await expect.poll(() => statusOf(forked)).toBe('succeeded');
    expect((await request('GET', `/api/runs/${forked}`)).body).toMatchObject({
      result: { big: 99 },
      forkedFrom: { run, seq },
    });
    await request('DELETE', `/api/runs/${run}`);
    const kept = (await request('GET', `/api/runs/${forked}/events`)).body['events'] as {
      type: string;
      node?: string;
    }[];
    expect(kept.filter(({ type }) => type === 'node-ended').map(({ node }) => node)).toEqual([
      'entry',
      'double',
      'choose',
      'big',
      'exit',
    ]);
    expect(await request('POST', `/api/runs/${forked}/fork`, { seq: 9999 })).toMatchObject({ status: 400 });
  });

  test('fork from the graph as it was, after its file has changed', async () => {
    const run = await start('sum', { arguments: { n: 3 } });
    await expect.poll(() => statusOf(run)).toBe('succeeded');
    await request('PUT', '/api/graphs/demo', { text: source.replace('"small"', '"tiny"') });
    const { body } = await request('POST', `/api/runs/${run}/fork`, { seq: 4 });
    await expect.poll(() => statusOf(body['run'] as string)).toBe('succeeded');
    expect((await request('GET', `/api/runs/${body['run'] as string}`)).body['result']).toEqual({ small: 6 });
  });

  test('take mocks instead of nodes, and stop', async () => {
    const mocked = await start('ask', { mocks: { approve: { approved: true } } });
    await expect.poll(() => statusOf(mocked)).toBe('succeeded');
    const waiting = await start('wait');
    expect((await request('DELETE', `/api/runs/${waiting}`)).status).toBe(409);
    expect((await request('POST', `/api/runs/${waiting}/stop`)).body['status']).toBe('stopped');
    await expect.poll(() => statusOf(waiting)).toBe('stopped');
  });

  test('wait for a person in the inbox', async () => {
    const run = await start('ask');
    const { questions } = (await request('GET', '/api/approvals')).body as { questions: { run: string; id: string }[] };
    expect(questions).toMatchObject([{ run, message: 'Really?', graph: 'demo', tool: 'ask' }]);
    const answered = await request('POST', `/api/approvals/${run}/${questions[0]?.id}`, { action: 'accept' });
    expect(answered).toMatchObject({ status: 200, body: { answered: true } });
    await expect.poll(() => statusOf(run)).toBe('succeeded');
    expect((await request('GET', '/api/approvals')).body).toEqual({ questions: [] });
    expect((await request('POST', `/api/approvals/${run}/${questions[0]?.id}`, { action: 'accept' })).status).toBe(404);
  });
});

describe('who may do what', () => {
  test('nobody sees the runs of others', async () => {
    const run = await start('wait');
    user = { id: 'eve', scopes: 'all' };
    expect((await request('GET', '/api/runs')).body).toEqual({ runs: [] });
    for (const [method, url] of [
      ['GET', `/api/runs/${run}`],
      ['GET', `/api/runs/${run}/events`],
      ['GET', `/api/runs/${run}/export`],
      ['GET', `/api/runs/${run}/context`],
      ['POST', `/api/runs/${run}/stop`],
      ['DELETE', `/api/runs/${run}`],
    ] as const) {
      expect((await request(method, url)).status, `${method} ${url}`).toBe(404);
    }
    expect((await request('POST', `/api/runs/${run}/fork`, { seq: 0 })).status).toBe(404);
  });

  test('scopes, a missing login and a read-only server are heeded', async () => {
    user = { id: 'bob', scopes: new Set(['graphs:run']) };
    expect((await request('GET', '/api/graphs')).status).toBe(200);
    expect(await request('PUT', '/api/graphs/demo', { text: source })).toMatchObject({
      status: 403,
      body: { error: { code: 'INSUFFICIENT_SCOPE' } },
    });
    user = { id: 'bob', scopes: new Set() };
    expect((await request('GET', '/api/graphs')).status).toBe(403);
    user = undefined;
    expect((await request('GET', '/api/graphs')).status).toBe(401);
    user = { id: 'local', scopes: 'all' };
    app = serve(true);
    expect((await request('GET', '/api/graphs')).status).toBe(200);
    expect(await request('POST', '/api/graphs/demo/runs', { tool: 'ask' })).toMatchObject({
      status: 403,
      body: { error: { code: 'READ_ONLY' } },
    });
  });
});
