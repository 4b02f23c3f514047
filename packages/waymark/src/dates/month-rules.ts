import {
  addMonths,
  type CivilDate,
  compareDates,
  daysInMonth,
  endOfMonth,
  isRealDate,
  nthWeekday,
  type Weekday,
} from './calendar.ts';
import type { Cursor } from './cursor.ts';
import { ordinalNumber } from './number-rules.ts';
import type { ReferencePoint } from './reference-point.ts';
import type { Problem } from './time-rules.ts';
import { months, ordinals, smallNumbers, weekdays } from './vocabulary.ts';

type DateRead = CivilDate | Problem | undefined;

/** Days named by their number: `december 5`, `the 15th`, `last friday of the month`, `12/5/2026`. */
export function dayOfMonthRules(cursor: Cursor, reference: ReferencePoint): DateRead {
  return cursor.firstOf<CivilDate | Problem>(
    (inner) => slashed(inner, reference),
    (inner) => weekdayOfMonth(inner, reference),
    (inner) => monthThenDay(inner, reference),
    (inner) => dayThenMonth(inner, reference),
    (inner) => dayAlone(inner, reference),
    (inner) => monthAlone(inner, reference),
  );
}

/** `12/5`, `12/5/2026`, `5.12.2026`, `12-5-2026`. Dots are always day first, as where they are used. */
function slashed(cursor: Cursor, { today, dayFirst }: ReferencePoint): DateRead {
  const first = cursor.takeNumber(1, 2);
  const mark = first !== undefined && cursor.isGlued ? cursor.take('/', '.', '-') : undefined;
  const second = mark && cursor.isGlued ? cursor.takeNumber(1, 2) : undefined;
  if (first === undefined || !mark || second === undefined) return undefined;
  const year = cursor.attempt((inner) =>
    inner.isGlued && inner.take(mark) && inner.isGlued ? fullYear(inner) : undefined,
  );
  if (year === undefined && mark !== '/') return undefined;
  const monthFirst = mark === '.' || dayFirst ? second : first;
  const swapped = monthFirst > 12;
  const month = swapped ? first + second - monthFirst : monthFirst;
  const day = first + second - month;
  return year === undefined ? rollForward(today, month, day) : real({ year, month, day });
}

function fullYear(cursor: Cursor): number | undefined {
  const short = cursor.takeNumber(2, 2);
  return short === undefined ? cursor.takeNumber(4, 4) : 2000 + short;
}

/** `first monday of december`, `last friday of the month`, `last day of february 2027`. */
function weekdayOfMonth(cursor: Cursor, { today }: ReferencePoint): DateRead {
  cursor.take('the');
  const nth = cursor.take('last', 'final') ? -1 : ordinalNumber(cursor);
  if (nth === undefined) return undefined;
  const weekday = cursor.lookUp(weekdays);
  if (weekday === undefined && !(nth === -1 && cursor.take('day'))) return undefined;
  if (!cursor.take('of', 'in')) return undefined;
  const month = whichMonth(cursor, today);
  if (!month) return undefined;
  for (let step = 0; step < 24; step++) {
    const { year, month: number } = addMonths(month.first, step * month.step);
    const date = weekday === undefined ? endOfMonth({ year, month: number, day: 1 }) : find(year, number, weekday, nth);
    if (date && (month.step === 0 || compareDates(date, today) >= 0)) return date;
    if (month.step === 0) break;
  }
  return { problem: 'that month has no such day' };
}

function find(year: number, month: number, weekday: Weekday, nth: number): CivilDate | undefined {
  return nth > 5 ? undefined : nthWeekday(year, month, weekday, nth);
}

/** A month, and by how many months to go on when its day has passed; 0 where the month is fixed. */
function whichMonth(cursor: Cursor, today: CivilDate): { first: CivilDate; step: number } | undefined {
  const first = { ...today, day: 1 };
  if (cursor.takeWords('next month')) return { first: addMonths(first, 1), step: 0 };
  if (cursor.takeWords('this month')) return { first, step: 0 };
  if (cursor.takeWords('the month') || cursor.takeWords('each month')) return { first, step: 1 };
  const month = cursor.lookUp(months);
  if (month === undefined) return undefined;
  const year = cursor.attempt(yearAfter);
  return { first: { year: year ?? today.year, month, day: 1 }, step: year === undefined ? 12 : 0 };
}

/** `december 5`, `dec. 5th, 2027`, `june first`. */
function monthThenDay(cursor: Cursor, { today }: ReferencePoint): DateRead {
  const month = cursor.lookUp(months);
  if (month === undefined) return undefined;
  cursor.take('.');
  cursor.take('the');
  const day = cursor.firstOf(ordinalNumber, plainDay);
  if (day === undefined) return undefined;
  const year = cursor.attempt(yearAfter);
  return year === undefined ? rollForward(today, month, day) : real({ year, month, day });
}

/** `5 december`, `the 5th of december 2027`, `15th of next month`. */
function dayThenMonth(cursor: Cursor, { today }: ReferencePoint): DateRead {
  cursor.take('the');
  const day = cursor.firstOf(ordinalNumber, plainDay);
  if (day === undefined) return undefined;
  const of = cursor.take('of') !== undefined;
  const relative = cursor.firstOf(
    (inner) => (inner.takeWords('next month') ? 1 : undefined),
    (inner) => (inner.takeWords('this month') ? 0 : undefined),
    (inner) => (of && inner.takeWords('the month') ? 0 : undefined),
  );
  if (relative !== undefined) return real({ ...addMonths({ ...today, day: 1 }, relative), day });
  cursor.take('-');
  const month = cursor.lookUp(months);
  if (month === undefined) return undefined;
  cursor.take('.', '-');
  const year = cursor.attempt(yearAfter);
  return year === undefined ? rollForward(today, month, day) : real({ year, month, day });
}

/** `the 15th`, `15th`, `the second`: this month, or the next that has it. */
function dayAlone(cursor: Cursor, { today }: ReferencePoint): DateRead {
  const article = cursor.take('the') !== undefined;
  const inWords = cursor.peek()?.kind === 'word';
  const day = ordinalNumber(cursor);
  if (day === undefined || (inWords && !article)) return undefined;
  if (day < 1 || day > 31) return { problem: 'no month has that day' };
  for (let step = 0; ; step++) {
    const { year, month } = addMonths({ ...today, day: 1 }, step);
    if (day <= daysInMonth(year, month) && (step > 0 || day >= today.day)) return { year, month, day };
  }
}

/** `june 2027`, `next june`, `in june` (the preposition is checked by whoever took it). */
function monthAlone(cursor: Cursor, { today }: ReferencePoint): DateRead {
  const introduced = ['in', 'by', 'until', 'till', 'before'].includes(cursor.peek(-1)?.text ?? '');
  const qualifier = cursor.take('next', 'this');
  const month = cursor.lookUp(months);
  if (month === undefined) return undefined;
  const year = cursor.attempt(yearAfter);
  if (year !== undefined) return { year, month, day: 1 };
  if (!introduced && !qualifier) return undefined;
  return rollForward(today, month, 1);
}

function plainDay(cursor: Cursor): number | undefined {
  const value = cursor.takeNumber(1, 2) ?? cursor.lookUp(smallNumbers);
  const next = cursor.peek()?.text ?? '';
  const isTime = cursor.isGlued && [':', 'am', 'pm', 'h', '/', '%'].includes(next);
  return value === undefined || isTime || next === 'am' || next === 'pm' || ordinals.has(next) ? undefined : value;
}

function yearAfter(cursor: Cursor): number | undefined {
  cursor.take(',');
  const year = cursor.takeNumber(4, 4);
  const isTime = cursor.isGlued && cursor.peek()?.text === ':';
  return year !== undefined && year >= 1900 && year < 2200 && !isTime ? year : undefined;
}

/** The next such day, today included. */
function rollForward(today: CivilDate, month: number, day: number): CivilDate | Problem {
  for (let year = today.year; year <= today.year + 8; year++) {
    const date = { year, month, day };
    if (isRealDate(date) && compareDates(date, today) >= 0) return date;
  }
  return { problem: 'there is no such day' };
}

function real(date: CivilDate): CivilDate | Problem {
  return isRealDate(date) ? date : { problem: 'there is no such day' };
}
