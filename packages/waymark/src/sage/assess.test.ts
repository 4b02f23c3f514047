import { beforeAll, describe, expect, test } from 'vitest';
import { assess } from './assess.ts';
import { loadPacks } from './pack-files.ts';
import type { PackConcept } from './pack-model.ts';
import { examplePacks } from './sage.test-helpers.ts';

describe('judging an answer', () => {
  let concept: PackConcept;
  beforeAll(async () => {
    const known = (await loadPacks(examplePacks)).concept('clear_no');
    if (!known) throw new Error('the example pack has no clear_no');
    concept = known.concept;
  });
  const judge = (answer: string, shown: readonly string[] = []) => {
    const [check] = concept.checks;
    if (!check) throw new Error('no check');
    return assess(check, answer, shown);
  };
  const shown = () => concept.teach.flatMap(({ light, standard, deep }) => [light, standard, deep]);

  test.each([
    'If I refuse right away they can look for someone else, and with many reasons they just argue about each one.',
    'They can move on. More excuses only mean more to negotiate, and I lose.',
    "Well, people know where they stand then. And if you keep explaining they'll debate every single point!",
  ])('solid, however it is put: %s', (answer) => {
    const found = judge(answer, shown());
    expect(found.level).toBe('solid');
    for (const { quote } of found.met) expect(answer).toContain(quote);
  });

  test('half an answer is partial and says what is missing', () => {
    const found = judge('Because then the other person can look for somebody else today.');
    expect(found.level).toBe('partial');
    expect(found.missing.map(({ id }) => id)).toEqual(['reasons_invite_argument']);
  });

  test('repeating the explanation earns nothing, a quote inside own words does', () => {
    const [explanation = ''] = concept.teach.map(({ standard }) => standard);
    expect(judge(explanation, shown())).toMatchObject({ level: 'not_there', parroted: true });
    const own =
      'Like you said, "I can\'t take this on this week" stings, but they can look for someone else, and long excuses make them argue.';
    expect(judge(own, shown()).level).toBe('solid');
  });

  test('a misconception is heard, with the words that gave it away', () => {
    const found = judge('You give many reasons because that is more polite and convincing to them.');
    expect(found.misconceptions.map(({ misconception }) => misconception.id)).toEqual(['reasons_soften']);
    expect(found.level).not.toBe('solid');
  });

  test('the opposite of a criterion does not meet it', () => {
    expect(judge('It is not that they argue, and they do not plan anything either way.').level).toBe('not_there');
  });

  test.each([
    ['', 'empty'],
    ['🙂🙂🙂', 'empty'],
    ['ok', 'too_short'],
    ['plan argue negotiate elsewhere reasons plan argue', 'word_list'],
    ['Потому что тогда другой человек может искать кого-то ещё', 'other_language'],
    [
      'Porque así la otra persona puede buscar a alguien más y no discutir por las razones de una vez',
      'other_language',
    ],
  ])('“%s” is not judged: %s', (answer, reason) => {
    expect(judge(answer)).toMatchObject({ level: 'unjudged', reason });
  });

  test('a hundred kilobytes are judged in no time worth mentioning', () => {
    expect(judge('because they argue and plan '.repeat(4000)).level).toBe('solid');
  });
});
