import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { openTestStore } from '../store/store.test-helpers.ts';
import { modes } from './model.ts';
import { connectSage, solid } from './sage.test-helpers.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const lines = [
  'hello',
  'yes',
  'no',
  '1',
  'the second',
  'I have no idea',
  'test me',
  'skip',
  'go deeper',
  'shorter please',
  "I don't understand",
  'another example',
  'just tell me the answer',
  'can we practice this?',
  'I have to go',
  'I am tired',
  'I want to learn to say no to my boss',
  'teach me the bassoon',
  'self-guided',
  'breathing, fingering and rhythm',
  'I have a meeting with my boss on Friday',
  'It went badly, I struggled with the alternative',
  'What is the clear no?',
  'what do you mean?',
  'You give many reasons because it is more polite and they understand.',
  '🙂',
  '',
  ...solid.clearNo,
  ...solid.alternative,
];

/** Whatever is said in whatever order, every turn is answered, and the books are right. */
test('conversations of any shape hold', { timeout: process.env['WAYMARK_FULL'] ? 900_000 : 120_000 }, async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...lines) },
      { weight: 1, arbitrary: fc.constantFrom('@start', '@day', '@month', '@end') },
    ),
    {
      minLength: 8,
      maxLength: 25,
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const tutor = await connectSage(store);
      await tutor.start();
      let proofs = 0;
      for (const step of script) {
        if (step === '@day' || step === '@month') tutor.pass({ days: step === '@day' ? 1 : 30 });
        else if (step === '@start' || step === '@end') await tutor.start();
        else {
          const { isError, data } = await tutor.say(step);
          expect([step, isError]).toEqual([step, false]);
          expect(modes).toContain(data['mode']);
          expect(data['response']).not.toBe('');
          expect(data['outcomeProgress']).toBeGreaterThanOrEqual(0);
          expect(data['outcomeProgress']).toBeLessThanOrEqual(1);
          proofs += data['proofEarned'] === null ? 0 : 1;
        }
      }
      const { data } = await tutor.call('sage_progress');
      expect(data['stats'].totalProofs).toBe(proofs);
      const { data: graph } = await tutor.call('sage_graph');
      expect(graph['provenConcepts']).toBeLessThanOrEqual(proofs);
    }),
    { numRuns: process.env['WAYMARK_FULL'] ? 300 : 12 },
  );
});
