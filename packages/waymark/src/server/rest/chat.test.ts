import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../kit/index.ts';
import { configSchema } from '../config.ts';
import { type RunningServer, startServer } from '../serve.ts';

let server: RunningServer;
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'waymark-chat-'));
  server = await startServer(configSchema.parse({ port: 0, data, toolsets: ['tasks'] }), silentLogger);
});
afterAll(async () => {
  await server.close();
  await rm(data, { recursive: true, force: true });
});

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL('/api/chat', server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function read(path: string, method = 'GET') {
  const response = await fetch(new URL(path, server.url), { method });
  return {
    status: response.status,
    body: response.status === 204 ? undefined : ((await response.json()) as Record<string, unknown>),
  };
}

describe('POST /api/chat', () => {
  test('answers as JSON and goes on with the conversation', async () => {
    const first = (await (await post({ message: 'add buy milk' })).json()) as { conversation_id: string };
    expect(first).toMatchObject({
      reply: "I've added 'buy milk' to your tasks.",
      calls: [{ tool: 'add_task', arguments: { title: 'buy milk' }, ok: true }],
    });
    const second = await (await post({ message: 'delete it', conversation_id: first.conversation_id })).json();
    expect(second).toMatchObject({
      conversation_id: first.conversation_id,
      pending: { tool: 'delete_task', tasks: ['buy milk'] },
    });
    const third = await (await post({ message: 'yes', conversation_id: first.conversation_id })).json();
    expect(third).toMatchObject({ reply: "I've deleted 'buy milk' from your tasks." });
    expect(third).not.toHaveProperty('pending');
  });

  test('streams calls, words and the whole answer', async () => {
    const response = await post({ message: 'add eggs', conversation_id: 'stream' }, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = [...(await response.text()).matchAll(/event: (\w+)\ndata: (.+)\n/g)].map(([, name, json]) => ({
      name,
      data: JSON.parse(json ?? '') as Record<string, unknown>,
    }));
    expect(events[0]).toMatchObject({ name: 'call', data: { tool: 'add_task', ok: true } });
    expect(
      events
        .filter(({ name }) => name === 'delta')
        .map(({ data }) => data['text'])
        .join(''),
    ).toBe("I've added 'eggs' to your tasks.");
    expect(events.at(-1)).toMatchObject({
      name: 'done',
      data: { conversation_id: 'stream', reply: "I've added 'eggs' to your tasks." },
    });
  });

  test('streams a question that no model said', async () => {
    const response = await post({ message: 'delete eggs', conversation_id: 'stream' }, { accept: 'text/event-stream' });
    expect(await response.text()).toMatch(/event: delta\ndata: .*Are you sure/);
  });

  test.each([
    {},
    { message: '' },
    { message: 5 },
    { message: 'hi', conversation_id: 'a b' },
    { message: 'x'.repeat(20_001) },
  ])('refuses %j', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
  });

  test('lists, shows and forgets conversations', async () => {
    await post({ message: 'show my tasks', conversation_id: 'kept' });
    expect((await read('/api/chat/conversations')).body).toMatchObject({
      conversations: expect.arrayContaining([expect.objectContaining({ id: 'kept', turns: 1 })]) as unknown,
    });
    expect((await read('/api/chat/conversations/kept')).body).toMatchObject({ turns: [{ message: 'show my tasks' }] });
    expect((await read('/api/chat/conversations/kept', 'DELETE')).status).toBe(204);
    expect((await read('/api/chat/conversations/kept')).status).toBe(404);
  });
});
