import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Line, type ProviderServer, serveProvider } from '../agent/providers/wire.test-helpers.ts';
import { connectSage } from '../sage/sage.test-helpers.ts';
import type { Store } from '../store/index.ts';
import { openTestStore } from '../store/store.test-helpers.ts';
import { tutorModel } from './tutor-model.ts';

let store: Store;
let provider: ProviderServer;
let next: Line;
beforeAll(async () => {
  store = await openTestStore();
  provider = await serveProvider('chat', () => next);
});
afterAll(async () => {
  await provider.close();
  await store.close();
});

test('without a model chosen, or offline, there is none', () => {
  expect(tutorModel('', {})).toBeUndefined();
  expect(tutorModel('offline', {})).toBeUndefined();
});

test('a turn over the wire of a provider, and packs when it breaks', async () => {
  const generate = tutorModel(`${provider.url}#small`, {});
  const tutor = await connectSage(store, { services: { generate } });
  const proposal = { message: 'What brings you here?', currentMode: 'outcome_discovery' };
  next = { text: `\`\`\`json\n${JSON.stringify(proposal)}\n\`\`\`` };
  await tutor.start('saying no');
  const answer = await tutor.say('hello');
  expect(answer.data).toMatchObject({ response: 'What brings you here?', mode: 'outcome_discovery' });
  expect(answer.meta['engine']).toBe('llm');
  expect(JSON.stringify(provider.requests[0]?.body)).toContain('learnerMessage');
  for (const failure of [{ status: 500 }, { broken: true }, { text: 'Sure! Here you go.' }]) {
    next = failure;
    const covered = await tutor.say('I want to learn to say no to my boss');
    expect(covered.isError).toBe(false);
    expect(covered.meta['engine']).toBe('packs');
  }
});
