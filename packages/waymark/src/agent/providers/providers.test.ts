import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../store/index.ts';
import { emptyStore, openTestStore } from '../../store/store.test-helpers.ts';
import { ada, createAgent, titlesOf } from '../agent.test-helpers.ts';
import { loadModel } from './load-model.ts';
import { type Line, type ProviderServer, serveProvider } from './wire.test-helpers.ts';

let store: Store;
let provider: ProviderServer | undefined;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  await emptyStore(store);
  await store.pool.query("insert into users (id) values ('ada')");
});
afterEach(() => provider?.close());
afterAll(() => store.close());

const wires = [
  {
    wire: 'openai',
    model: 'openai/gpt-test',
    variable: 'OPENAI_BASE_URL',
    key: 'OPENAI_API_KEY',
    path: '/v1/responses',
    header: 'authorization',
  },
  {
    wire: 'anthropic',
    model: 'anthropic/claude-test',
    variable: 'ANTHROPIC_BASE_URL',
    key: 'ANTHROPIC_API_KEY',
    path: '/v1/messages',
    header: 'x-api-key',
  },
  {
    wire: 'google',
    model: 'google/gemini-test',
    variable: 'GOOGLE_BASE_URL',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    path: '/v1/models/gemini-test:streamGenerateContent?alt=sse',
    header: 'x-goog-api-key',
  },
  {
    wire: 'chat',
    model: 'ollama/llama-test',
    variable: 'OLLAMA_BASE_URL',
    key: 'WAYMARK_MODEL_KEY',
    path: '/v1/chat/completions',
    header: 'authorization',
  },
] as const;

describe.each(wires)('$wire', ({ wire, model, variable, key, path, header }) => {
  async function agentOf(script: (body: Record<string, unknown>, count: number) => Line, timeoutMs = 5000) {
    const server = await serveProvider(wire, script);
    provider = server;
    const loaded = await loadModel(
      model,
      { [variable]: server.url, [key]: 'key-123' },
      { timeoutMs, temperature: 0.2, maxTokens: 500 },
    );
    return { server, agent: createAgent(store, { model: loaded }) };
  }

  test('calls tools, hears their results and streams the answer', async () => {
    const { server, agent } = await agentOf((_body, count) =>
      count === 1
        ? { calls: [{ name: 'add_task', arguments: { title: 'eggs', priority: 'high' } }] }
        : { text: "I've added 'eggs' for you." },
    );
    const heard: string[] = [];
    const answer = await agent.turn({ user: ada, message: 'add eggs, important', onText: (text) => heard.push(text) });
    expect(answer).toMatchObject({
      reply: "I've added 'eggs' for you.",
      calls: [{ tool: 'add_task', ok: true }],
      model,
      usage: { inputTokens: 22, outputTokens: 14, requests: 2 },
    });
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.join('')).toBe("I've added 'eggs' for you.");
    expect(await titlesOf(store)).toEqual(['eggs']);
    expect(server.requests.map((request) => request.path)).toEqual([path, path]);
    expect(server.requests[0]?.headers[header]).toContain('key-123');
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('delete_task');
    expect(first).not.toContain('user_id');
    expect(second).toContain('eggs');
    expect(second).toMatch(/\\"success\\":true/);
  });

  test('remembers the conversation from the database [TASK-ASSUME-HISTORY]', async () => {
    const { server, agent } = await agentOf((_body, count) => ({ text: `answer ${count}` }));
    await agent.turn({ user: ada, message: 'my cat is called Mog', conversation: 'c' });
    const again = createAgent(store, { model: await loadModel(model, { [variable]: server.url, [key]: 'key-123' }) });
    await again.turn({ user: ada, message: 'what is my cat called?', conversation: 'c' });
    const sent = JSON.stringify(server.requests[1]?.body);
    for (const said of ['Mog', 'answer 1', 'what is my cat called?']) expect(sent).toContain(said);
  });

  test('is held at the gate and taken up again after a restart', async () => {
    await createAgent(store).turn({ user: ada, message: 'add eggs' });
    const { rows } = await store.pool.query<{ id: string }>('select id from tasks');
    const script = (_body: unknown, count: number): Line => {
      if (count === 1) return { calls: [{ name: 'list_tasks', arguments: {} }] };
      return count === 2
        ? { text: 'One moment.', calls: [{ name: 'delete_task', arguments: { task_id: rows[0]?.id } }] }
        : { text: 'Eggs are gone.' };
    };
    const { server, agent } = await agentOf(script);
    expect((await agent.turn({ user: ada, message: 'delete eggs', conversation: 'c' })).reply).toContain(
      "delete 'eggs'?",
    );
    expect(await titlesOf(store)).toEqual(['eggs']);
    const again = createAgent(store, { model: await loadModel(model, { [variable]: server.url, [key]: 'key-123' }) });
    expect(await again.turn({ user: ada, message: 'yes', conversation: 'c' })).toMatchObject({
      reply: 'Eggs are gone.',
      calls: [{ tool: 'delete_task', ok: true }],
    });
    expect(await titlesOf(store)).toEqual([]);
  });

  test.each([
    ['an error', { status: 500 }],
    ['too many requests', { status: 429 }],
    ['a wrong key', { status: 401 }],
    ['silence', { silent: true }],
    ['an answer that breaks off', { text: 'I have add', broken: true }],
  ] as const)('meets %s once, with a friendly line', async (_what, line) => {
    const { server, agent } = await agentOf(() => line, 300);
    const answer = await agent.turn({ user: ada, message: 'add eggs' });
    expect(answer.reply).toBe("I'm having trouble answering right now. Please try again in a moment.");
    expect(server.requests).toHaveLength(1);
    expect(await titlesOf(store)).toEqual([]);
  });

  test('answers nonsense kindly', async () => {
    const { agent } = await agentOf(() => ({ calls: [{ name: 'rm_rf', arguments: { path: '/' } }] }));
    expect((await agent.turn({ user: ada, message: 'add eggs' })).reply).toContain('trouble');
  });
});

describe('choosing a model', () => {
  test('by the address of any compatible server', async () => {
    provider = await serveProvider('chat', () => ({ text: 'hello' }));
    const model = await loadModel(`${provider.url}#my-model`, {});
    expect((await createAgent(store, { model }).turn({ user: ada, message: 'hi' })).reply).toBe('hello');
    expect(provider.requests[0]?.body['model']).toBe('my-model');
  });

  test.each([
    ['opnai/gpt-5', {}, 'did you mean "openai/gpt-5"?'],
    ['nowhere/x', {}, 'known providers: openai'],
    ['openai', { OPENAI_API_KEY: 'k' }, 'write it as openai/name'],
    ['openai/gpt-5', {}, 'set OPENAI_API_KEY'],
    ['anthropic/claude', {}, 'set ANTHROPIC_API_KEY'],
    ['google/gemini', {}, 'set GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('%s says what to do', async (choice, environment, hint) => {
    await expect(loadModel(choice, environment)).rejects.toThrow(hint);
  });
});
