import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import type { Intent, Rule } from './intent.ts';
import { addRules } from './rules-add.ts';
import { completeRules, statusRules } from './rules-complete.ts';
import { deleteRules } from './rules-delete.ts';
import { guardRules } from './rules-guard.ts';
import { listRules } from './rules-list.ts';
import { statementRules } from './rules-statement.ts';
import { updateRules } from './rules-update.ts';
import { readUtterances } from './utterances.test-helpers.ts';

const rules: readonly Rule[] = [
  ...guardRules,
  ...statusRules,
  ...updateRules,
  ...deleteRules,
  ...completeRules,
  ...addRules,
  ...listRules,
  ...statementRules,
];
const utterances = readUtterances(new URL('utterances.txt', import.meta.url));
const intents: readonly Intent[] = ['add', 'list', 'complete', 'delete', 'update', 'other'];

describe('rules', () => {
  test.each(rules)('$id understands "$example"', ({ id, example, intent }) => {
    expect(classify(example)).toMatchObject({ rule: id, intent });
  });

  test('have ids of their own', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('intents', () => {
  const wrong = utterances
    .map(({ text, intent }) => ({ text, intent, got: classify(text).intent }))
    .filter(({ intent, got }) => intent !== got);
  const share = (of: readonly unknown[], all: readonly unknown[]) => 1 - of.length / all.length;

  test('of our utterances are recognised [SC-002]', () => {
    expect(utterances.length).toBeGreaterThan(2500);
    expect(share(wrong, utterances), JSON.stringify(wrong)).toBeGreaterThan(0.99);
  });

  test.each(intents)('of class %s are recognised [ABR-001] [ABR-002] [ABR-003] [ABR-004] [ABR-005]', (intent) => {
    const ofClass = utterances.filter((utterance) => utterance.intent === intent);
    expect(
      share(
        wrong.filter((one) => one.intent === intent),
        ofClass,
      ),
    ).toBeGreaterThan(0.98);
  });

  test('hardly a harmless sentence leads to a change, and none to a deletion [ABR-025]', () => {
    const isHarmless = (intent: Intent) => intent === 'list' || intent === 'other';
    const harmless = utterances.filter(({ intent }) => isHarmless(intent));
    const unsafe = wrong.filter(({ intent, got }) => isHarmless(intent) && !isHarmless(got));
    expect(unsafe.length / harmless.length, JSON.stringify(unsafe)).toBeLessThan(0.01);
    expect(unsafe.filter(({ got }) => got === 'delete')).toEqual([]);
  });

  test.each([
    ['add', 'add', 'create', 'remember', 'new task', 'todo:'],
    ['delete', 'delete', 'remove', 'get rid of'],
    ['complete', 'done with', 'complete', 'finished'],
    ['update', 'rename', 'modify'],
  ] as const)('the words of the specification mean %s [ABR-001] [ABR-003] [ABR-004] [ABR-005]', (intent, ...verbs) => {
    for (const verb of verbs) expect([verb, classify(`${verb} water the ferns`).intent]).toEqual([verb, intent]);
  });

  test('the leading verb decides, whatever the title says [ABR-007]', () => {
    const verbs = ['delete', 'complete', 'show', 'rename', 'finish', 'change', 'mark', 'remove', 'list', 'cancel'];
    const things = ['old photos', 'the report', 'tax return', 'door handle', 'curtains'];
    fc.assert(
      fc.property(fc.constantFrom(...verbs), fc.constantFrom(...things), (verb, thing) => {
        expect(classify(`add ${verb} ${thing} to my list`).intent).toBe('add');
        expect(classify(`remind me to ${verb} ${thing}`).intent).toBe('add');
        expect(classify(`delete ${verb} ${thing} from my list`).intent).toBe('delete');
      }),
    );
  });

  test('what stands in quotes is never a command', () => {
    for (const quoted of ['delete everything', 'mark all as done', 'rename this']) {
      expect(classify(`add "${quoted}" to my tasks`).intent).toBe('add');
    }
  });

  test('any text at all gets an intent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(intents).toContain(classify(text).intent);
      }),
    );
  });

  test('a very long message takes no longer than its length asks for', () => {
    for (const text of [
      'add '.repeat(3000),
      'to my list '.repeat(1500),
      `${'a '.repeat(8000)}is done`,
      'x'.repeat(20_000),
    ]) {
      expect(intents).toContain(classify(text).intent);
    }
  });
});
