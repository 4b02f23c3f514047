import { describe, expect, test } from 'vitest';
import type { CivilDate } from './calendar.ts';
import { formatDate } from './calendar.ts';
import { findRecurrencePhrase, nextOccurrence, parseRecurrence, parseRule, recurrenceInWords } from './index.ts';
import { formatRule, occurrenceFrom } from './rrule.ts';

const zone = 'America/New_York';
/** Wednesday. */
const now = new Date('2026-11-18T15:30:00-05:00');

function series(ruleText: string, start: CivilDate, length: number): string[] {
  const parsed = parseRule(ruleText);
  if (!parsed.ok) throw new Error(parsed.reason);
  const days: string[] = [];
  let from: CivilDate | undefined = start;
  while (from && days.length < length) {
    const day = occurrenceFrom(parsed.rule, start, from);
    if (!day) break;
    days.push(formatDate(day));
    from = { ...day, day: day.day + 1 };
  }
  return days;
}

describe('rules of RFC 5545', () => {
  const september2 = { year: 1997, month: 9, day: 2 };
  test.each([
    ['FREQ=DAILY;INTERVAL=10', september2, ['1997-09-02', '1997-09-12', '1997-09-22', '1997-10-02']],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', september2, ['1997-09-02', '1997-09-16', '1997-09-30', '1997-10-14']],
    ['FREQ=WEEKLY;WKST=SU;BYDAY=TU,TH', september2, ['1997-09-02', '1997-09-04', '1997-09-09', '1997-09-11']],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO',
      { year: 1997, month: 8, day: 5 },
      ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
      { year: 1997, month: 8, day: 5 },
      ['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'],
    ],
    ['FREQ=MONTHLY;BYDAY=1FR', { year: 1997, month: 9, day: 5 }, ['1997-09-05', '1997-10-03', '1997-11-07']],
    ['FREQ=MONTHLY;BYDAY=-2MO', { year: 1997, month: 9, day: 22 }, ['1997-09-22', '1997-10-20', '1997-11-17']],
    ['FREQ=MONTHLY;BYMONTHDAY=-3', { year: 1997, month: 9, day: 28 }, ['1997-09-28', '1997-10-29', '1997-11-28']],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,-1',
      { year: 1997, month: 9, day: 30 },
      ['1997-09-30', '1997-10-01', '1997-10-31', '1997-11-01'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      { year: 1997, month: 9, day: 3 },
      ['1998-02-13', '1998-03-13', '1998-11-13'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3',
      { year: 1997, month: 9, day: 4 },
      ['1997-09-04', '1997-10-07', '1997-11-06'],
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=31', { year: 2027, month: 1, day: 31 }, ['2027-01-31', '2027-03-31', '2027-05-31']],
    ['FREQ=YEARLY;BYMONTH=6,7', { year: 1997, month: 6, day: 10 }, ['1997-06-10', '1997-07-10', '1998-06-10']],
    ['FREQ=YEARLY;BYDAY=20MO', { year: 1997, month: 5, day: 19 }, ['1997-05-19', '1998-05-18', '1999-05-17']],
    [
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      { year: 1996, month: 11, day: 5 },
      ['1996-11-05', '2000-11-07', '2004-11-02'],
    ],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', { year: 2027, month: 1, day: 1 }, ['2028-02-29', '2032-02-29']],
    ['FREQ=DAILY;UNTIL=19970904', september2, ['1997-09-02', '1997-09-03', '1997-09-04']],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', september2, []],
  ])('%s', (rule, start, expected) => {
    expect(series(rule, start, expected.length || 1)).toEqual(expected);
  });

  test('are written back as they were', () => {
    const text = 'FREQ=MONTHLY;INTERVAL=2;BYMONTH=1,3;BYDAY=-1FR;COUNT=4;WKST=SU';
    const parsed = parseRule(text);
    expect(parsed.ok && formatRule(parsed.rule)).toBe(text);
  });

  test.each([
    ['FREQ=HOURLY', 'FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY'],
    ['BYDAY=MO', 'FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY'],
    ['FREQ=DAILY;BYHOUR=9', 'BYHOUR is not supported'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be 1 to 1000'],
    ['FREQ=WEEKLY;BYDAY=XX', '"XX" is not a weekday'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY with a number needs FREQ=MONTHLY or YEARLY'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'COUNT and UNTIL exclude each other'],
    ['FREQ=DAILY;FREQ=DAILY', 'FREQ is given twice'],
    ['FREQ=DAILY;UNTIL=20270230', 'UNTIL must be a date such as 20261231'],
    ['', '"" is not NAME=VALUE'],
  ])('%s is refused', (text, reason) => {
    expect(parseRule(text)).toEqual({ ok: false, reason });
  });
});

describe('repetition in words', () => {
  test.each([
    ['every day', 'FREQ=DAILY', '2026-11-18'],
    ['daily at 9am', 'FREQ=DAILY', '2026-11-19T09:00:00-05:00'],
    ['every morning at 8', 'FREQ=DAILY', '2026-11-19T08:00:00-05:00'],
    ['every monday', 'FREQ=WEEKLY;BYDAY=MO', '2026-11-23'],
    ['Every Mon, Wed and Fri', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', '2026-11-18'],
    ['every other tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '2026-11-24'],
    ['every 2 weeks', 'FREQ=WEEKLY;INTERVAL=2', '2026-11-18'],
    ['every weekday at 5', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-18T17:00:00-05:00'],
    ['every weekend', 'FREQ=WEEKLY;BYDAY=SA,SU', '2026-11-21'],
    ['weekly on friday', 'FREQ=WEEKLY;BYDAY=FR', '2026-11-20'],
    ['monthly', 'FREQ=MONTHLY', '2026-11-18'],
    ['every month on the 15th', 'FREQ=MONTHLY;BYMONTHDAY=15', '2026-12-15'],
    ['every 1st of the month', 'FREQ=MONTHLY;BYMONTHDAY=1', '2026-12-01'],
    ['every last friday of the month', 'FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27'],
    ['every first monday', 'FREQ=MONTHLY;BYDAY=1MO', '2026-12-07'],
    ['monthly on the last day', 'FREQ=MONTHLY;BYMONTHDAY=-1', '2026-11-30'],
    ['every 3 months', 'FREQ=MONTHLY;INTERVAL=3', '2026-11-18'],
    ['every december 25', 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25', '2026-12-25'],
    ['every year on march 3', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3', '2027-03-03'],
    ['on the 1st of every month', 'FREQ=MONTHLY;BYMONTHDAY=1', '2026-12-01'],
    ['on mondays and thursdays at 9am', 'FREQ=WEEKLY;BYDAY=MO,TH', '2026-11-19T09:00:00-05:00'],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=MO', '2026-11-23'],
  ])('%s', (text, rule, first) => {
    expect(parseRecurrence(text, now, zone)).toMatchObject({ ok: true, rule, first: { value: first } });
    expect(parseRecurrence(recurrenceInWords(rule), now, zone)).toMatchObject({ ok: true, rule });
  });

  test.each(['every', 'every now and then', 'sometimes', 'every monday maybe', 'every february 30', 'FREQ=SECONDLY'])(
    '%s is refused',
    (text) => {
      expect(parseRecurrence(text, now, zone)).toMatchObject({ ok: false });
    },
  );

  test('is found inside a sentence, not inside quotes', () => {
    expect(findRecurrencePhrase('water the plants every monday at 9am please', now, zone)).toMatchObject({
      text: 'every monday at 9am',
      rule: 'FREQ=WEEKLY;BYDAY=MO',
      first: { value: '2026-11-23T09:00:00-05:00' },
    });
    expect(findRecurrencePhrase('read "every day is a gift"', now, zone)).toBeUndefined();
    expect(findRecurrencePhrase('count every item', now, zone)).toBeUndefined();
  });

  test('is said back to people', () => {
    expect(recurrenceInWords('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR')).toBe('every 2 weeks on Monday and Friday');
    expect(recurrenceInWords('FREQ=MONTHLY;BYDAY=-1FR')).toBe('every month on the last Friday');
    expect(recurrenceInWords('FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25')).toBe('every year on December 25');
    expect(recurrenceInWords('FREQ=MONTHLY;BYMONTHDAY=22')).toBe('every month on the 22nd');
  });
});

describe('the next occurrence', () => {
  const next = (rule: string, due: string | null) => nextOccurrence(rule, due, now, zone);

  test('follows the one that is done, early or late', () => {
    expect(next('FREQ=WEEKLY;BYDAY=FR', '2026-11-20')?.due).toBe('2026-11-27');
    expect(next('FREQ=WEEKLY;BYDAY=MO', '2026-11-16')?.due).toBe('2026-11-23');
    expect(next('FREQ=DAILY', '2026-11-08')?.due).toBe('2026-11-19');
    expect(next('FREQ=WEEKLY;INTERVAL=2', '2026-11-04')?.due).toBe('2026-12-02');
    expect(next('FREQ=DAILY', null)?.due).toBe('2026-11-19');
  });

  test('keeps its clock time across the change of clocks', () => {
    expect(next('FREQ=MONTHLY;INTERVAL=5', '2026-11-18T17:00:00-05:00')?.due).toBe('2027-04-18T17:00:00-04:00');
  });

  test('ends with the count or the last day', () => {
    expect(next('FREQ=DAILY;COUNT=2', '2026-11-18')).toEqual({ due: '2026-11-19', rule: 'FREQ=DAILY;COUNT=1' });
    expect(next('FREQ=DAILY;COUNT=1', '2026-11-18')).toBeUndefined();
    expect(next('FREQ=DAILY;UNTIL=20261118', '2026-11-18')).toBeUndefined();
  });
});
