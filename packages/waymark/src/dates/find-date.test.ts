import { describe, expect, test } from 'vitest';
import { findDatePhrase, withoutSpans } from './index.ts';

const now = new Date('2026-11-18T15:30:00-05:00');

function find(text: string) {
  const found = findDatePhrase(text, now, 'America/New_York');
  return found && { due: found.due?.value, rest: withoutSpans(text, found.pieces) };
}

describe('a date inside a sentence', () => {
  test.each([
    ['dentist next friday 5pm', '2026-11-27T17:00:00-05:00', 'dentist'],
    ['call mom tomorrow, it is important', '2026-11-19', 'call mom, it is important'],
    ['report by end of week', '2026-11-20', 'report'],
    ['remind me tomorrow to call the vet', '2026-11-19', 'remind me to call the vet'],
    ['remind me at 5pm to call mom tomorrow', '2026-11-19T17:00:00-05:00', 'remind me to call mom'],
    ['pick up john from the airport tonight at eight', '2026-11-18T20:00:00-05:00', 'pick up john from the airport'],
    ['on monday buy milk', '2026-11-23', 'buy milk'],
    ['tomorrow buy milk', '2026-11-19', 'buy milk'],
    ['lunch tomorrow with Bob', '2026-11-19', 'lunch with Bob'],
    ['mail the insurance forms out by saturday', '2026-11-21', 'mail the insurance forms out'],
    ['call my grandma this Sunday', '2026-11-22', 'call my grandma'],
    ['pay rent on the 1st', '2026-12-01', 'pay rent'],
    ['pay rent 12/1', '2026-12-01', 'pay rent'],
    ['stretch in 30 minutes', '2026-11-18T16:00:00-05:00', 'stretch'],
    ['move the monday meeting to friday', '2026-11-20', 'move the monday meeting to'],
    ['finish it by 5', '2026-11-18T17:00:00-05:00', 'finish it'],
    ['book flights in may', '2027-05-01', 'book flights'],
    ['meet john after 5:00 p.m.', '2026-11-18T17:00:00-05:00', 'meet john'],
    ['call mom first thing tomorrow morning', '2026-11-19', 'call mom'],
    ['finish the report by eod friday', '2026-11-20', 'finish the report'],
    ['change the dentist from monday to tuesday', '2026-11-24', 'change the dentist from monday to'],
    ['call Anna (friday)', '2026-11-20', 'call Anna ( )'],
  ])('%s', (text, due, rest) => {
    expect(find(text)).toEqual({ due, rest });
  });

  test.each([
    'buy sun screen',
    'march to the store',
    'may the force be with you',
    'add "watch Freaky Friday" to my list',
    'watch Freaky Friday',
    'plan Black Friday deals',
    'prepare the friday report',
    "finish tomorrow's slides",
    'look at 5 houses',
    'buy 3 eggs',
    'buy 3/4 cup of flour',
    'read a book about friday',
    'research covid-19 today-ish',
    'buy a second monitor',
    'call june',
    'order 12345678',
    'the second one',
    'wait a sec',
    'know the answer to 10000 multiplied by 44',
    'take the casserole out at seven hundred and forty five pm',
    'buy a ticket for the 7pm show',
    'read 1984',
    'buy milk',
    '',
  ])('is not seen in: %s', (text) => {
    expect(find(text)).toBeUndefined();
  });

  test('is reported when it cannot be, so that nobody drops it silently', () => {
    const found = findDatePhrase('party on february 30', now, 'America/New_York');
    expect(found).toMatchObject({ text: 'on february 30', due: undefined, problem: 'there is no such day' });
  });

  test('says whether the words named a day, a time or both', () => {
    const said = (text: string) => findDatePhrase(text, now, 'America/New_York')?.due?.said;
    expect([said('meeting to 4pm'), said('meeting to friday'), said('meeting to friday 4pm')]).toEqual([
      'time',
      'day',
      'both',
    ]);
  });
});
