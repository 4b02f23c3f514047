import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayNumber, daysInMonth, formatDate, weekdayOf } from './calendar.ts';
import { findDatePhrase, findRecurrencePhrase, instantOf, parseDate, parseRecurrence, wallClockAt } from './index.ts';

const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'Australia/Lord_Howe', 'UTC'];
const anyZone = fc.constantFrom(...zones);
const anyInstant = fc.date({ min: new Date('1980-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const months = 'January February March April May June July August September October November December'.split(' ');

const words = fc.constantFrom(
  ...'tomorrow next friday at 5 pm in the 3 days may 31st of week end noon 2026-11-18 T 17:00 : every monday and on by milk "call" 12/5 . , - half past a second'.split(
    ' ',
  ),
);
const jumble = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' '));
const anyText = fc.oneof(jumble, fc.string({ unit: 'grapheme', maxLength: 60 }));

describe('whatever is written', () => {
  test('reading never fails, and what it finds lies in the text', () => {
    fc.assert(
      fc.property(anyText, anyInstant, anyZone, (text, now, zone) => {
        const result = parseDate(text, now, zone);
        expect(result.ok ? result.due.value : result.reason).toMatch(/./);
        expect(parseRecurrence(text, now, zone)).toHaveProperty('ok');
        const found = findDatePhrase(text, now, zone);
        for (const { start, end } of found?.pieces ?? [])
          expect(start >= 0 && start < end && end <= text.length).toBe(true);
        findRecurrencePhrase(text, now, zone);
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 20_000 : 1500 },
    );
  });

  test('a value that came out goes in again unchanged', () => {
    fc.assert(
      fc.property(jumble, anyInstant, anyZone, (text, now, zone) => {
        const first = parseDate(text, now, zone);
        fc.pre(first.ok);
        const again = first.ok ? parseDate(first.due.value, now, zone) : first;
        expect(again).toMatchObject({ ok: true, due: { value: first.ok ? first.due.value : '' } });
      }),
    );
  });
});

describe('against plain calendar arithmetic', () => {
  const today = (now: Date, zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);

  test('today is what the clocks of the zone say', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (now, zone) => {
        expect(parseDate('today', now, zone)).toMatchObject({ due: { value: today(now, zone) } });
      }),
    );
  });

  test('in N days, and N days from now', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, fc.integer({ min: 1, max: 400 }), (now, zone, days) => {
        const expected = new Date(Date.parse(today(now, zone)) + days * 86_400_000).toISOString().slice(0, 10);
        for (const text of [`in ${days} days`, `${days} days from now`]) {
          expect(parseDate(text, now, zone)).toMatchObject({ due: { value: expected } });
        }
      }),
    );
  });

  test('a weekday is the next such day and less than eight days away', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, fc.integer({ min: 0, max: 6 }), (now, zone, index) => {
        const name = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')[index] ?? '';
        const result = parseDate(name, now, zone);
        const value = result.ok ? result.due.value : '';
        const distance = (Date.parse(value) - Date.parse(today(now, zone))) / 86_400_000;
        expect(distance).toBeGreaterThan(0);
        expect(distance).toBeLessThan(8);
        expect(new Date(value).getUTCDay()).toBe((index + 1) % 7);
      }),
    );
  });

  test('every way to write a day of the calendar means that day', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, fc.integer({ min: 0, max: 30_000 }), (now, zone, days) => {
        const date = addDays({ year: 2000, month: 1, day: 1 }, days);
        const { year, month, day } = date;
        const name = months[month - 1] ?? '';
        for (const text of [
          formatDate(date),
          `${name} ${day}, ${year}`,
          `${day} ${name.slice(0, 3)} ${year}`,
          `the ${day}${['th', 'st', 'nd', 'rd'][day % 10 > 3 || (day > 10 && day < 14) ? 0 : day % 10]} of ${name} ${year}`,
          `${month}/${day}/${year}`,
          `${day}.${month}.${year}`,
        ]) {
          expect(parseDate(text, now, zone), text).toMatchObject({ due: { value: formatDate(date) } });
        }
      }),
    );
  });

  test('days that do not exist are refused in every spelling', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2000, max: 2100 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 29, max: 31 }),
        (year, month, day) => {
          fc.pre(day > daysInMonth(year, month));
          const name = months[month - 1];
          for (const text of [
            `${year}-${String(month).padStart(2, '0')}-${day}`,
            `${name} ${day}, ${year}`,
            `${month}/${day}/${year}`,
          ]) {
            expect(parseDate(text, new Date(), 'UTC'), text).toMatchObject({ ok: false });
          }
        },
      ),
    );
  });
});

describe('time zones', () => {
  test('a clock time and its instant belong together, except where clocks skip', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const wall = wallClockAt(instant, zone);
        const back = instantOf(wall, zone).getTime();
        const distance = Math.floor(instant.getTime() / 1000) * 1000 - back;
        // Where clocks go back, a time means its first occurrence: up to an hour before the second.
        expect(distance).toBeGreaterThanOrEqual(0);
        expect(distance).toBeLessThanOrEqual(3_600_000);
        expect(wallClockAt(new Date(back), zone)).toEqual(wall);
      }),
      { numRuns: 500 },
    );
  });

  test('weekdays agree with the calendar of the system', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 100_000 }), (days) => {
        const date = addDays({ year: 1970, month: 1, day: 1 }, days);
        expect(dayNumber(date)).toBe(days);
        expect(weekdayOf(date) % 7).toBe(new Date(days * 86_400_000).getUTCDay());
      }),
    );
  });
});
