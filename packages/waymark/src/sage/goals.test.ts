import { beforeAll, describe, expect, test } from 'vitest';
import { findConcept, findGoal, plainGoal } from './goals.ts';
import { loadPacks } from './pack-files.ts';
import type { PackLibrary } from './pack-library.ts';

describe('from a wish to a goal', () => {
  let library: PackLibrary;
  beforeAll(async () => {
    library = await loadPacks();
  });
  const goalOf = (text: string) => {
    const match = findGoal(library, text);
    return match.kind === 'outcome' ? match.outcome.goal : match.kind;
  };

  test.each([
    ['negotiate pricing confidently', 'Price freelance services confidently'],
    ['I want to price my freelance work', 'Price freelance services confidently'],
    ['I want to learn how to negotiate my salary', 'Ask for a raise and be heard'],
    ['get better at negotiation', 'Negotiate a deal both sides keep'],
    ['how do I give feedback to my team', 'Give feedback that people can use'],
    ['a difficult conversation with my manager', 'Have the difficult conversation I am avoiding'],
  ])('%s', (text, goal) => {
    expect(goalOf(text)).toBe(goal);
  });

  test.each(['quantum physics', 'learn Spanish', 'bake sourdough bread', 'play guitar', '', '🙂', 'Hi', 'help me'])(
    '“%s” is nothing we teach',
    (text) => {
      expect(goalOf(text)).toBe('none');
    },
  );

  test('every goal is found by its own words and by its aliases', () => {
    for (const pack of library.packs) {
      for (const outcome of pack.outcomes) {
        for (const text of [outcome.goal, `I want to ${outcome.goal.toLowerCase()}`]) {
          expect([text, goalOf(text)]).toEqual([text, outcome.goal]);
        }
        for (const alias of outcome.aliases) expect([alias, goalOf(alias)]).not.toEqual([alias, 'none']);
      }
    }
  });

  test('a question finds the concept it names', () => {
    expect(findConcept(library, 'What is anchoring?')?.id).toBe('anchoring_techniques');
    expect(findConcept(library, 'What is the weather?')).toBeUndefined();
  });

  test.each([
    ['I want to learn to play the bassoon', 'Play the bassoon'],
    ['teach me how to juggle!', 'Juggle'],
    ["I'd like to get better at chess.", 'Chess'],
    ['juggling', 'Juggling'],
  ])('%s is called %s', (text, goal) => {
    expect(plainGoal(text)).toBe(goal);
  });
});
