import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEvents, type User, type WaymarkEvent } from '../../kit/index.ts';
import type { Store } from '../../store/index.ts';
import { emptyStore, openTestStore } from '../../store/store.test-helpers.ts';
import { registerTaskRoutes } from './tasks.ts';

const clock = () => new Date('2026-11-18T15:30:00-05:00');

describe('the REST routes of the board', () => {
  let store: Store;
  let app: FastifyInstance;
  let events: WaymarkEvent[];
  let user: User | undefined;

  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    app = await serve(store);
    user = { id: 'local', scopes: 'all' };
  });

  async function serve(to: Store | Promise<Store>, readOnly = false): Promise<FastifyInstance> {
    events = [];
    const bus = createEvents();
    bus.subscribe((event) => events.push(event));
    const server = Fastify();
    registerTaskRoutes(server, {
      store: async () => to,
      events: bus,
      clock,
      readOnly,
      async userOf(_request, reply) {
        if (!user) await reply.code(401).send({ error: 'login' });
        return user;
      },
    });
    await server.ready();
    return server;
  }

  async function request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    zone = 'America/New_York',
  ) {
    const response = await app.inject({ method, url, headers: { 'x-time-zone': zone }, ...(body ? { body } : {}) });
    return { status: response.statusCode, ...response.json() } as Record<string, ReturnType<typeof JSON.parse>>;
  }
  const add = async (title: string): Promise<string> => (await request('POST', '/api/tasks', { title }))['task'].id;
  const titles = async (query = '') =>
    (await request('GET', `/api/tasks${query}`))['tasks'].map((task: { title: string }) => task.title);

  test('add, list, change, complete, reopen and delete', async () => {
    const created = await request('POST', '/api/tasks', { title: 'buy milk', due_date: 'tomorrow', labels: ['#home'] });
    expect(created).toMatchObject({
      status: 200,
      task: { title: 'buy milk', due_date: '2026-11-19', labels: ['home'] },
    });
    const { id } = created['task'];
    expect(await titles('?label=home&search=MILK&completed=false&due_before=2026-11-20')).toEqual(['buy milk']);
    expect(await request('PATCH', `/api/tasks/${id}`, { priority: 'high', due_date: null })).toMatchObject({
      changed: true,
      task: { priority: 'high', due_date: null },
    });
    expect(await request('POST', `/api/tasks/${id}/complete`)).toMatchObject({
      changed: true,
      task: { completed: true },
    });
    expect(await request('POST', `/api/tasks/${id}/complete`)).toMatchObject({ changed: false });
    expect(await request('POST', `/api/tasks/${id}/reopen`)).toMatchObject({ task: { completed: false } });
    expect(await request('DELETE', `/api/tasks/${id}`)).toMatchObject({ deleted_task: { id, title: 'buy milk' } });
    expect(await request('GET', `/api/tasks/${id}`)).toMatchObject({ status: 404, error: { code: 'TASK_NOT_FOUND' } });
    expect(events.map(({ data }) => data['change'])).toEqual(['added', 'updated', 'completed', 'reopened', 'deleted']);
  });

  test('tasks are put in any order, however often', async () => {
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    await request('POST', `/api/tasks/${c}/move`, { after: null });
    expect(await titles()).toEqual(['c', 'a', 'b']);
    await request('POST', `/api/tasks/${a}/move`, { after: b });
    expect(await titles()).toEqual(['c', 'b', 'a']);
    for (let round = 0; round < 70; round++) {
      await request('POST', `/api/tasks/${round % 2 ? a : b}/move`, { after: c });
    }
    expect(await titles()).toEqual(['c', 'a', 'b']);
    expect(await request('POST', `/api/tasks/${a}/move`, { after: 'task_none' })).toMatchObject({ status: 404 });
  });

  test('quick entry, overview and undo', async () => {
    expect(await request('POST', '/api/tasks/quick', { text: 'pay rent every month on the 1st p1' })).toMatchObject({
      task: { title: 'pay rent', recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1', priority: 'high', due_date: '2026-12-01' },
    });
    expect(await request('GET', '/api/tasks/overview?days=14')).toMatchObject({ upcoming: [{ title: 'pay rent' }] });
    expect(await request('POST', '/api/tasks/undo')).toMatchObject({ removed: [{ title: 'pay rent' }] });
    expect(await request('POST', '/api/tasks/undo')).toMatchObject({ status: 409, error: { code: 'NOTHING_TO_UNDO' } });
  });

  test('pages follow one another', async () => {
    for (const title of ['a', 'b', 'c']) await add(title);
    const first = await request('GET', '/api/tasks?limit=2');
    expect(first['count']).toBe(2);
    expect(await titles(`?limit=2&cursor=${first['next_cursor']}`)).toEqual(['c']);
  });

  test.each([
    ['POST', '/api/tasks', { title: ' ' }, 400, 'INVALID_TITLE'],
    ['POST', '/api/tasks', { title: 'a', due_date: 'blursday' }, 400, 'INVALID_DATE'],
    ['POST', '/api/tasks', { title: 'a', priority: 'top' }, 400, 'INVALID_INPUT'],
    ['POST', '/api/tasks', { name: 'a' }, 400, 'INVALID_INPUT'],
    ['POST', '/api/tasks', { title: 'a', labels: ['b c'] }, 400, 'INVALID_LABEL'],
    ['GET', '/api/tasks?limit=1000', undefined, 400, 'INVALID_INPUT'],
    ['GET', '/api/tasks?due_before=blursday', undefined, 400, 'INVALID_FILTER'],
    ['GET', '/api/tasks?cursor=x', undefined, 400, 'INVALID_FILTER'],
    ['PATCH', '/api/tasks/task_none', { title: 'a' }, 404, 'TASK_NOT_FOUND'],
    ['DELETE', '/api/tasks/%00', undefined, 404, 'TASK_NOT_FOUND'],
  ] as const)('%s %s with %j is refused', async (method, url, body, status, code) => {
    expect(await request(method, url, body)).toMatchObject({ status, error: { code } });
  });

  test('users see and change only what is theirs and what their scopes allow', async () => {
    const id = await add('local task');
    user = { id: 'ada', scopes: new Set(['tasks:read']) };
    expect(await titles()).toEqual([]);
    expect(await request('GET', `/api/tasks/${id}`)).toMatchObject({ status: 403, error: { code: 'UNAUTHORIZED' } });
    expect(await request('POST', '/api/tasks', { title: 'a' })).toMatchObject({
      status: 403,
      error: { code: 'INSUFFICIENT_SCOPE' },
    });
    user = undefined;
    expect(await request('GET', '/api/tasks')).toMatchObject({ status: 401 });
  });

  test('a read-only server changes nothing', async () => {
    const id = await add('kept');
    app = await serve(store, true);
    expect(await request('DELETE', `/api/tasks/${id}`)).toMatchObject({ status: 403, error: { code: 'READ_ONLY' } });
    expect(await titles()).toEqual(['kept']);
  });

  test('what fails inside is not told outside', async () => {
    app = await serve(Promise.reject(new Error('postgres://user:secret@host is down')));
    const answer = await request('GET', '/api/tasks');
    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});
