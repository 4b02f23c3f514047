import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEvents, type User } from '../../kit/index.ts';
import { examplePacks } from '../../sage/sage.test-helpers.ts';
import type { Store } from '../../store/index.ts';
import { emptyStore, openTestStore } from '../../store/store.test-helpers.ts';
import { registerSageRoutes } from './sage.ts';

// Documents and answers are looked into field by field.
type Json = ReturnType<typeof JSON.parse>;

describe('the tutor over REST', () => {
  let store: Store;
  let app: FastifyInstance;
  let user: User | undefined;
  let document: Json;
  const used = new Set<string>();
  const ajv = new Ajv2020({ strict: false });

  beforeAll(async () => {
    store = await openTestStore();
    app = await serve();
    document = (await app.inject('/api/openapi.json')).json();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    user = { id: 'local', scopes: 'all' };
  });

  async function serve(readOnly = false): Promise<FastifyInstance> {
    const server = Fastify();
    registerSageRoutes(server, {
      store: async () => store,
      events: createEvents(),
      packs: examplePacks,
      clock: () => new Date('2026-11-18T09:00:00Z'),
      readOnly,
      async userOf(_request, reply) {
        if (!user) await reply.code(401).send({ error: 'login' });
        return user;
      },
    });
    await server.ready();
    return server;
  }

  /** Calls a route as the document describes it, and holds the answer against its schema. */
  async function call(
    method: 'GET' | 'POST',
    path: string,
    parts: { params?: Record<string, string>; body?: object; query?: string; key?: string } = {},
  ) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(operation, `${method} ${path} in the document`).toBeDefined();
    used.add(`${method} ${path}`);
    const url =
      path.replaceAll(/\{(\w+)\}/g, (_found: string, name: string) => parts.params?.[name] ?? '') + (parts.query ?? '');
    const headers = parts.key ? { 'idempotency-key': parts.key } : {};
    const response = await app.inject({ method, url, headers, ...(parts.body ? { body: parts.body } : {}) });
    const body: Json = response.json();
    const described = operation.responses[String(response.statusCode)] ?? operation.responses.default;
    const validate = ajv.compile(described.content['application/json'].schema);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    return { status: response.statusCode, body };
  }
  const start = async () => (await call('POST', '/api/sessions', { body: { goal: 'saying no' } })).body.id as string;

  test('a session from start to end [SAGE-072] [SAGE-074] [SAGE-075] [SAGE-082]', async () => {
    const created = await call('POST', '/api/sessions', { body: { goal: 'saying no' } });
    expect(created).toMatchObject({ status: 201, body: { goal: 'saying no', message_count: 0, ended_at: null } });
    const { id } = created.body;
    const ready = await call('POST', '/api/sessions/{id}/merge-data', {
      params: { id },
      body: { energy: 'low', time_available: 10 },
    });
    expect(ready.body).toEqual({
      status: 'ready',
      sessionId: id,
      adaptations: { pace: 'patient', depth: 'light', practiceEnabled: false },
    });
    const nested = {
      data: {
        set: { energy: 'high', time_available: 60 },
        setting: { environment: 'home' },
        intent: { session_goal: 'x' },
      },
    };
    const merged = await call('POST', '/api/sessions/{id}/merge-data', { params: { id }, body: nested });
    expect(merged.body.adaptations).toEqual({ pace: 'fast', depth: 'deep', practiceEnabled: true });
    const body = { session_id: id, message: 'hello' };
    const answer = await call('POST', '/api/mcp/message', { body, key: 'one' });
    expect(answer).toMatchObject({ status: 200, body: { mode: 'framing', fullResponse: { transitionTo: 'probing' } } });
    expect((await call('POST', '/api/mcp/message', { body, key: 'one' })).body).toEqual(answer.body);
    const read = await call('GET', '/api/sessions/{id}', { params: { id } });
    expect(read.body.messages.map(({ role }: Json) => role)).toEqual(['user', 'sage']);
    const listed = await call('GET', '/api/sessions');
    expect(listed.body.sessions).toContainEqual(expect.objectContaining({ id, message_count: 1, ended_at: null }));
    const ended = await call('POST', '/api/sessions/{session_id}/end', { params: { session_id: id } });
    expect(ended.body.summary.modeBreakdown).toEqual({ framing: 1 });
    expect((await call('POST', '/api/sessions/{session_id}/end', { params: { session_id: id } })).body).toEqual(
      ended.body,
    );
    expect(await call('POST', '/api/mcp/message', { body })).toMatchObject({
      status: 409,
      body: { error: 'SESSION_ENDED' },
    });
  });

  test('the learner: themselves, their state and their graph [SAGE-073] [SAGE-076] [SAGE-077]', async () => {
    const id = await start();
    await call('POST', '/api/mcp/message', { body: { session_id: id, message: 'hello' } });
    const { body: me } = await call('GET', '/api/learners/{id}', { params: { id: 'me' } });
    expect((await call('GET', '/api/learners/{id}', { params: { id: me.id } })).body).toEqual(me);
    const state = await call('GET', '/api/learners/{id}/state', { params: { id: me.id } });
    expect(state.body).toMatchObject({ learner: { id: me.id }, concepts: [{}, {}], proofs: [], pendingFollowups: [] });
    const graph = await call('GET', '/api/learners/{id}/graph', {
      params: { id: me.id },
      query: '?showOutcomes=false',
    });
    expect(graph.body).toMatchObject({ nodeCount: 2, edgeCount: 1, provenConcepts: 0 });
  });

  test('a practice from start to feedback [SAGE-078] [SAGE-079] [SAGE-080] [SAGE-081]', async () => {
    expect((await call('GET', '/api/scenarios/presets')).body.scenarios.map(({ id }: Json) => id)).toEqual([
      'weekend-report',
    ]);
    const started = await call('POST', '/api/practice/start', { body: { scenario_id: 'weekend-report' } });
    expect(started).toMatchObject({ status: 201, body: { scenario: { title: 'The weekend report' } } });
    const params = { session_id: started.body.practiceSessionId as string };
    const said = await call('POST', '/api/practice/{session_id}/message', {
      params,
      body: { message: "No, I can't." },
    });
    expect(said.body).toMatchObject({ turnNumber: 1, hintAvailable: true });
    expect((await call('POST', '/api/practice/{session_id}/hint', { params })).body.hint).toContain('The no is out');
    const ended = await call('POST', '/api/practice/{session_id}/end', { params });
    expect(ended.body).toMatchObject({ positives: [expect.stringContaining('Turn 1')], hintsUsed: 1 });
  });

  test('refusals have a code, a message and a status', async () => {
    const id = await start();
    user = { id: 'somebody-else', scopes: 'all' };
    const params = { id };
    expect(await call('GET', '/api/sessions/{id}', { params })).toMatchObject({
      status: 404,
      body: { error: 'SESSION_NOT_FOUND', sessionId: id },
    });
    expect(await call('GET', '/api/learners/{id}', { params: { id: 'learner_other' } })).toMatchObject({
      status: 404,
      body: { error: 'LEARNER_NOT_FOUND' },
    });
    expect(await call('POST', '/api/sessions', { body: { learner_id: 'learner_other' } })).toMatchObject({
      status: 404,
    });
    expect(await call('POST', '/api/sessions/{id}/merge-data', { params, body: { energy: 'huge' } })).toMatchObject({
      status: 422,
      body: { error: 'INVALID_ARGUMENT' },
    });
    expect(await call('POST', '/api/mcp/message', { body: { session_id: 'x' } })).toMatchObject({ status: 422 });
    expect(await call('POST', '/api/practice/start', { body: { scenario_id: 'x' } })).toMatchObject({
      status: 404,
      body: { error: 'SCENARIO_NOT_FOUND' },
    });
    expect(await call('GET', '/api/sessions/{id}', { params: { id: '%00' } })).toMatchObject({ status: 404 });
  });

  test('nobody is refused, scopes count, and read-only means it [SAGE-003] [SAGE-089]', async () => {
    user = { id: 'local', scopes: new Set(['learner:read']) };
    expect((await call('GET', '/api/learners/{id}', { params: { id: 'me' } })).status).toBe(200);
    expect(await call('POST', '/api/sessions', { body: {} })).toMatchObject({
      status: 403,
      body: { error: 'INSUFFICIENT_SCOPE', scopes: ['session:manage'] },
    });
    user = undefined;
    expect((await app.inject('/api/learners/me')).statusCode).toBe(401);
    user = { id: 'local', scopes: 'all' };
    const reading = await serve(true);
    expect((await reading.inject({ method: 'POST', url: '/api/sessions', body: {} })).json()).toMatchObject({
      error: 'READ_ONLY',
    });
  });

  test('every path of the document was called, and the document names the paths of the specification', () => {
    const described = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(new Set(described)).toEqual(used);
    expect(document.openapi).toBe('3.1.0');
  });
});
