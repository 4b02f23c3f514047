import { describe, expect, test } from 'vitest';
import { dueInWords, isOverdue, parseDate, parseDuration, shiftDue } from './index.ts';

const newYork = 'America/New_York';
/** Wednesday. */
const now = new Date('2026-11-18T15:30:00-05:00');

function read(text: string, at = now, zone = newYork): string | undefined {
  const result = parseDate(text, at, zone);
  return result.ok ? result.due.value : undefined;
}

describe('days', () => {
  test.each([
    ['today', '2026-11-18'],
    ['Tonight', '2026-11-18'],
    ['tomorrow', '2026-11-19'],
    ['tmrw', '2026-11-19'],
    ['tomorrow morning', '2026-11-19'],
    ['day after tomorrow', '2026-11-20'],
    ['the day after tomorrow', '2026-11-20'],
    ['yesterday', '2026-11-17'],
    ['friday', '2026-11-20'],
    ['this friday', '2026-11-20'],
    ['next friday', '2026-11-27'],
    ['next monday', '2026-11-23'],
    ['next next friday', '2026-12-04'],
    ['friday after next', '2026-12-04'],
    ['friday next week', '2026-11-27'],
    ['tuesday week', '2026-12-01'],
    ['wednesday', '2026-11-25'],
    ['this wednesday', '2026-11-18'],
    ['a week from friday', '2026-11-27'],
    ['in 3 days', '2026-11-21'],
    ['in two weeks', '2026-12-02'],
    ['in a fortnight', '2026-12-02'],
    ['in a month', '2026-12-18'],
    ['in 3 business days', '2026-11-23'],
    ['3 days from now', '2026-11-21'],
    ['two days from tomorrow', '2026-11-21'],
    ['2 days ago', '2026-11-16'],
    ['next week', '2026-11-23'],
    ['next week on thursday', '2026-11-26'],
    ['next month', '2026-12-18'],
    ['this weekend', '2026-11-21'],
    ['next weekend', '2026-11-28'],
    ['end of day', '2026-11-18'],
    ['eod', '2026-11-18'],
    ['eod friday', '2026-11-20'],
    ['end of day tomorrow', '2026-11-19'],
    ['in the morning', '2026-11-19'],
    ['in the evening', '2026-11-18'],
    ['first thing tomorrow', '2026-11-19'],
    ['end of the week', '2026-11-20'],
    ['eow', '2026-11-20'],
    ['end of month', '2026-11-30'],
    ['eom', '2026-11-30'],
    ['end of next month', '2026-12-31'],
    ['end of year', '2026-12-31'],
    ['end of february', '2027-02-28'],
    ['start of next month', '2026-12-01'],
    ['mid december', '2026-12-15'],
    ['the 15th', '2026-12-15'],
    ['on the 20th', '2026-11-20'],
    ['the 31st', '2026-12-31'],
    ['15th of december', '2026-12-15'],
    ['dec 5', '2026-12-05'],
    ['Dec. 5th, 2027', '2027-12-05'],
    ['5 december', '2026-12-05'],
    ['november 18', '2026-11-18'],
    ['november 17', '2027-11-17'],
    ['by june 1', '2027-06-01'],
    ['feb 29', '2028-02-29'],
    ['first monday of december', '2026-12-07'],
    ['last friday of the month', '2026-11-27'],
    ['last day of february', '2027-02-28'],
    ['friday, november 27', '2026-11-27'],
    ['fri 20th', '2026-11-20'],
    ['christmas', '2026-12-25'],
    ["new year's eve", '2026-12-31'],
    ['2026-12-05', '2026-12-05'],
    ['20261205', '2026-12-05'],
    ['2026-W49-1', '2026-11-30'],
    ['12/5/2026', '2026-12-05'],
    ['12/5', '2026-12-05'],
    ['25/12/2026', '2026-12-25'],
    ['5.12.2026', '2026-12-05'],
    ['no later than friday', '2026-11-20'],
    ['in june', '2027-06-01'],
    ['june 2027', '2027-06-01'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('are those of the user and not of the server [ABR-015]', () => {
    expect(read('today', now, 'Pacific/Auckland')).toBe('2026-11-19');
    expect(read('tomorrow', new Date('2026-11-18T23:30:00-05:00'))).toBe('2026-11-19');
  });

  test('slashes are day first where the locale says so', () => {
    expect(parseDate('5/12/2026', now, newYork, { dayFirst: true })).toMatchObject({ due: { value: '2026-12-05' } });
  });

  test('next friday said on a weekend is the coming one', () => {
    expect(read('next friday', new Date('2026-11-21T12:00:00-05:00'))).toBe('2026-11-27');
  });
});

describe('times', () => {
  test.each([
    ['next friday 5pm', '2026-11-27T17:00:00-05:00'],
    ['tomorrow at 9am', '2026-11-19T09:00:00-05:00'],
    ['5pm tomorrow', '2026-11-19T17:00:00-05:00'],
    ['tomorrow at 5', '2026-11-19T17:00:00-05:00'],
    ['at 5', '2026-11-18T17:00:00-05:00'],
    ['at 3', '2026-11-19T15:00:00-05:00'],
    ['monday at 9', '2026-11-23T09:00:00-05:00'],
    ['today at 8', '2026-11-18T20:00:00-05:00'],
    ['tomorrow at 8', '2026-11-19T08:00:00-05:00'],
    ['tonight at eight', '2026-11-18T20:00:00-05:00'],
    ['tonight 9:30', '2026-11-18T21:30:00-05:00'],
    ['tomorrow morning at 8:15', '2026-11-19T08:15:00-05:00'],
    ['friday evening at 6', '2026-11-20T18:00:00-05:00'],
    ['at 7 in the evening', '2026-11-18T19:00:00-05:00'],
    ['noon', '2026-11-19T12:00:00-05:00'],
    ['noon tomorrow', '2026-11-19T12:00:00-05:00'],
    ['midnight', '2026-11-19T00:00:00-05:00'],
    ['half past 5', '2026-11-18T17:30:00-05:00'],
    ['quarter to six', '2026-11-18T17:45:00-05:00'],
    ["five o'clock", '2026-11-18T17:00:00-05:00'],
    ['17h30', '2026-11-18T17:30:00-05:00'],
    ['17:30', '2026-11-18T17:30:00-05:00'],
    ['seven thirty pm', '2026-11-18T19:30:00-05:00'],
    ['5 p.m.', '2026-11-18T17:00:00-05:00'],
    ['at 1700', '2026-11-18T17:00:00-05:00'],
    ['in 30 min', '2026-11-18T16:00:00-05:00'],
    ['in half an hour', '2026-11-18T16:00:00-05:00'],
    ['in an hour and a half', '2026-11-18T17:00:00-05:00'],
    ['in 1 hour and 15 minutes', '2026-11-18T16:45:00-05:00'],
    ['in 3 days at noon', '2026-11-21T12:00:00-05:00'],
    ['2026-12-05 14:30', '2026-12-05T14:30:00-05:00'],
    ['2026-12-05T14:30', '2026-12-05T14:30:00-05:00'],
    ['2026-12-05T14:30:00Z', '2026-12-05T14:30:00Z'],
    ['2026-12-05T14:30:00.000Z', '2026-12-05T14:30:00.000Z'],
    ['2026-12-05T14:30+02:00', '2026-12-05T14:30:00+02:00'],
    ['5pm UTC', '2026-11-19T12:00:00-05:00'],
    ['tomorrow 5pm Europe/Berlin', '2026-11-19T11:00:00-05:00'],
    ['tomorrow 17:00 +02:00', '2026-11-19T10:00:00-05:00'],
    ['december 5 at 5pm', '2026-12-05T17:00:00-05:00'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('follow summer time of the day they name, not of today', () => {
    expect(read('june 1 at 5pm')).toBe('2027-06-01T17:00:00-04:00');
  });

  test('skipped by the clock move forward, doubled ones mean the first', () => {
    expect(read('2027-03-14 02:30')).toBe('2027-03-14T03:30:00-04:00');
    expect(read('2026-11-01 01:30')).toBe('2026-11-01T01:30:00-04:00');
  });

  test('an hour later crosses the clock change by elapsed time', () => {
    const beforeChange = new Date('2027-03-14T01:30:00-05:00');
    expect(read('in 1 hour', beforeChange)).toBe('2027-03-14T03:30:00-04:00');
    expect(read('tomorrow at 9am', new Date('2027-03-13T12:00:00-05:00'))).toBe('2027-03-14T09:00:00-04:00');
  });
});

describe('what is not a date is refused, never guessed', () => {
  test.each([
    'blursday',
    'feb 30',
    'february 30',
    '2026-02-30',
    '2026-13-01',
    '2026-11-18T25:00',
    'the 32nd',
    '13/13/2026',
    'monday, november 18',
    'may',
    'march',
    'soon',
    'tomorrow or friday',
    'tomorrow 5',
    '25pm',
    '17:75',
    'every monday',
    'daily',
    'milk',
    '',
    '   ',
    '5',
    '2026',
    'in a sec',
    'a few days',
    '😀',
    "'; drop table tasks; --",
  ])('%s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('however long it is', () => {
    expect(read('tomorrow '.repeat(5000))).toBeUndefined();
  });

  test('the reason names what is wrong', () => {
    expect(parseDate('feb 30', now, newYork)).toEqual({ ok: false, reason: 'there is no such day' });
    expect(parseDate('every monday', now, newYork)).toMatchObject({ reason: expect.stringContaining('recurrence') });
    expect(parseDate('tomorrow maybe', now, newYork)).toMatchObject({ reason: '"maybe" is not understood here' });
  });
});

describe('due dates', () => {
  test('a past one is accepted and marked', () => {
    expect(parseDate('2020-01-01', now, newYork)).toMatchObject({ due: { past: true } });
    expect(parseDate('today', now, newYork)).toMatchObject({ due: { past: false } });
  });

  test('in words', () => {
    expect(dueInWords('2026-11-27T17:00:00-05:00', now, newYork)).toBe('Fri 27 Nov, 5:00 PM');
    expect(dueInWords('2027-06-01', now, newYork)).toBe('Tue 1 Jun 2027');
  });

  test('a day is overdue when it is over, an instant when it has passed', () => {
    expect(isOverdue('2026-11-18', now, newYork)).toBe(false);
    expect(isOverdue('2026-11-17', now, newYork)).toBe(true);
    expect(isOverdue('2026-11-18T15:29:00-05:00', now, newYork)).toBe(true);
    expect(isOverdue('2026-11-18T15:31:00-05:00', now, newYork)).toBe(false);
  });

  test('move by a duration and keep their clock time', () => {
    const week = parseDuration('a week');
    expect(week && shiftDue('2026-11-19', week, newYork)).toBe('2026-11-26');
    const months = parseDuration('6 months');
    expect(months && shiftDue('2026-11-27T17:00:00-05:00', months, newYork)).toBe('2027-05-27T17:00:00-04:00');
    expect(parseDuration('a while')).toBeUndefined();
  });
});
