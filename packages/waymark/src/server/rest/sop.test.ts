import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEvents, createRoots, type Scope, type User, type WaymarkEvent } from '../../kit/index.ts';
import { createWorkplace, readExample } from '../../sop/sop.test-helpers.ts';
import { registerSopRoutes } from './sop.ts';

const retail = await readExample('retail.md');
let app: FastifyInstance;
let directory: string;
let user: User;
let happened: WaymarkEvent[];

beforeEach(async () => {
  ({ directory } = await createWorkplace({
    'sops/retail.md': retail,
    'readme.md': '# nothing',
    'broken.md': '```mermaid\nflowchart TD\n A --> end\n```\n',
  }));
  user = { id: 'anna', scopes: 'all' };
  app = fastify();
  const roots = await createRoots([directory]);
  const events = createEvents();
  happened = [];
  events.subscribe((event) => happened.push(event));
  const elsewhere = await createWorkplace({ 'airline.md': await readExample('airline.md') });
  registerSopRoutes(app, {
    roots,
    events,
    dataDirectory: join(directory, '.data'),
    sops: [join(directory, 'sops/retail.md'), join(elsewhere.directory, 'airline.md')],
    userOf: async () => user,
  });
});
afterEach(() => app.close());

async function get(url: string) {
  const response = await app.inject({ url });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

async function post(url: string, payload: object) {
  const response = await app.inject({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

test('lists procedures and shows each with its problems', async () => {
  const { body } = await get('/api/sop/files');
  expect(body['files']).toMatchObject([{ file: 'airline_support' }, { file: 'broken.md' }, { file: 'sops/retail.md' }]);
  const shown = await get('/api/sop/file?file=sops/retail.md');
  expect(shown.body).toMatchObject({
    agent: 'retail_customer_support',
    source: retail,
    problems: [],
    prompts: { AUTH: { id: 'AUTH' } },
  });
  expect((shown.body['nodes'] as unknown[]).length).toBe(40);
  const broken = await get('/api/sop/file?file=broken.md');
  expect(broken).toMatchObject({
    status: 200,
    body: { problems: [{ severity: 'error', code: 'RESERVED_ID', line: 3, col: 8 }] },
  });
  expect(await get('/api/sop/file?file=../../etc/passwd')).toMatchObject({
    status: 403,
    body: { error: { code: 'PATH_OUTSIDE_ROOTS' } },
  });
  expect(await get('/api/sop/file?file=sops/retial.md')).toMatchObject({ status: 404 });
  expect(await get('/api/sop/file')).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
});

test('shows a procedure the operator named from elsewhere, but does not change it', async () => {
  const shown = await get('/api/sop/file?file=airline_support');
  expect(shown.body).toMatchObject({ file: 'airline.md', agent: 'airline_support' });
  const [step] = shown.body['nodes'] as { id: string }[];
  const edits = [{ node: step?.id, label: 'x' }];
  const { content_hash } = shown.body;
  const refused = await post('/api/sop/edit', { file: 'airline_support', content_hash, edits });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'CANNOT_EDIT' } } });
});

test('checks a text that is not saved yet', async () => {
  const { body } = await post('/api/sop/check', { source: '```mermaid\nflowchart TD\n A --> B([x])\n```' });
  expect(body['problems']).toMatchObject([{ code: 'NO_AGENT_NAME' }]);
});

test('edits without loss, and only what was read', async () => {
  const { body } = await get('/api/sop/file?file=sops/retail.md');
  const edit = {
    file: 'sops/retail.md',
    content_hash: body['content_hash'],
    edits: [{ node: 'AUTH', label: 'Who is it?' }],
  };
  const edited = await post('/api/sop/edit', edit);
  expect(edited.status).toBe(200);
  const saved = await readFile(join(directory, 'sops/retail.md'), 'utf8');
  expect(saved).toBe(retail.replace('"Authenticate via email or name + zip"', '"Who is it?"'));
  expect(edited.body['source']).toBe(saved);
  expect(happened).toMatchObject([{ type: 'sop-edited', user: 'anna', data: { file: 'sops/retail.md' } }]);
  expect(await post('/api/sop/edit', edit)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  const typo = { ...edit, content_hash: edited.body['content_hash'], edits: [{ node: 'AUHT', label: 'x' }] };
  expect(await post('/api/sop/edit', typo)).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining('AUTH') } },
  });
});

test('whoever may only follow procedures may not change them', async () => {
  const { body } = await get('/api/sop/file?file=sops/retail.md');
  user = { id: 'anna', scopes: new Set<Scope>(['sop:run']) };
  const edit = { file: 'sops/retail.md', content_hash: body['content_hash'], edits: [{ node: 'AUTH', label: 'x' }] };
  expect(await post('/api/sop/edit', edit)).toMatchObject({
    status: 403,
    body: { error: { code: 'INSUFFICIENT_SCOPE' } },
  });
});

test('shows conversations, their replay and coverage to the person they belong to', async () => {
  const workplace = await createWorkplace({ 'retail.md': retail }, { dataDirectory: join(directory, '.data') });
  const { call } = await workplace.connect({ user: 'anna', session: undefined });
  const { data } = await call('load_graph', { sop_file: 'retail.md' });
  const id = data['conversation_id'] as string;
  await call('goto_node', { node_ids: ['START', 'AUTH', 'INFO'], conversation_id: id });
  expect((await get('/api/sop/conversations')).body).toMatchObject({
    total: 1,
    conversations: [
      { conversation_id: id, agent: 'retail_customer_support', current_node: 'AUTH', moves: 2, refusals: 1 },
    ],
  });
  expect((await get(`/api/sop/conversations/${id}`)).body).toMatchObject({
    path: ['START', 'AUTH'],
    records: [
      { type: 'started' },
      { type: 'loaded' },
      { type: 'moved' },
      { type: 'moved' },
      { type: 'refused', to: 'INFO' },
    ],
    procedure: { agent: 'retail_customer_support' },
  });
  expect((await get(`/api/sop/conversations/${id}/replay?file=sops/retail.md`)).body).toMatchObject({
    moves: 3,
    differences: [],
  });
  expect((await get('/api/sop/coverage?file=sops/retail.md')).body).toMatchObject({
    conversations: 1,
    nodes: { visited: 2, total: 40 },
  });
  user = { id: 'bert', scopes: 'all' };
  expect((await get('/api/sop/conversations')).body).toEqual({ total: 0, conversations: [] });
  expect(await get(`/api/sop/conversations/${id}`)).toMatchObject({ status: 404 });
});
