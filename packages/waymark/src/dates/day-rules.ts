import {
  addDays,
  addMonths,
  type CivilDate,
  compareDates,
  endOfMonth,
  startOfWeek,
  type Weekday,
  weekdayOf,
} from './calendar.ts';
import type { Cursor } from './cursor.ts';
import { dayOfMonthRules } from './month-rules.ts';
import type { ReferencePoint } from './reference-point.ts';
import { dayPart, type HalfDay, isProblem, type Problem } from './time-rules.ts';
import { holidays, months, weekdays } from './vocabulary.ts';

export interface Day {
  readonly date: CivilDate;
  /** Where the words say morning or evening: decides between 8 and 20 o'clock. */
  readonly half?: HalfDay;
}

const saturday: Weekday = 6;
const friday: Weekday = 5;

/** A calendar day in words, with the part of the day if one follows. */
export function day(cursor: Cursor, reference: ReferencePoint): Day | Problem | undefined {
  const found = cursor.firstOf<Day | Problem>(
    (inner) => relativeDay(inner, reference),
    (inner) => edgeOfSpan(inner, reference),
    (inner) => span(inner, reference),
    (inner) => dated(dayOfMonthRules(inner, reference)),
    (inner) => weekdayPhrase(inner, reference),
    (inner) => holiday(inner, reference),
  );
  if (!found || isProblem(found)) return found;
  const half = partOfDay(cursor);
  return half ? { ...found, half } : found;
}

function dated(date: CivilDate | Problem | undefined): Day | Problem | undefined {
  return date && (isProblem(date) ? date : { date });
}

function partOfDay(cursor: Cursor): HalfDay | undefined {
  const word = cursor.take('morning', 'afternoon', 'evening', 'night');
  if (word) return word === 'morning' ? 'am' : 'pm';
  return cursor.attempt(dayPart);
}

/** The hour after which a part of the day means tomorrow's. */
const partEnds = { morning: 12, afternoon: 17, evening: 21 } as const;

function relativeDay(cursor: Cursor, { today, wall }: ReferencePoint): Day | undefined {
  return cursor.firstOf<Day>(
    (inner) => {
      inner.take('the');
      if (inner.takeWords('day after tomorrow')) return { date: addDays(today, 2) };
      return inner.takeWords('day before yesterday') ? { date: addDays(today, -2) } : undefined;
    },
    (inner) => {
      inner.takeWords('later');
      if (inner.take('today', 'tod')) return { date: today };
      if (inner.take('tonight', 'tonite')) return { date: today, half: 'pm' };
      if (inner.take('tomorrow', 'tmrw', 'tmr', 'tomo', 'tommorow', 'tommorrow', 'tomorow')) {
        return { date: addDays(today, 1) };
      }
      return inner.take('yesterday') ? { date: addDays(today, -1) } : undefined;
    },
    (inner) => {
      const part = inner.take('this') && inner.take('morning', 'afternoon', 'evening');
      return part ? { date: today, half: part === 'morning' ? 'am' : 'pm' } : undefined;
    },
    (inner) => {
      if (!inner.takeWords('in the')) return undefined;
      const part = inner.take('morning', 'afternoon', 'evening') as keyof typeof partEnds | undefined;
      if (!part) return undefined;
      const date = wall.hour < partEnds[part] ? today : addDays(today, 1);
      return { date, half: part === 'morning' ? 'am' : 'pm' };
    },
  );
}

/** `next week`, `this weekend`, `next month`; also with a weekday: `next week on friday`. */
function span(cursor: Cursor, { today }: ReferencePoint): Day | undefined {
  const monday = startOfWeek(today);
  return cursor.firstOf<Day>(
    (inner) => {
      inner.take('the');
      const which = inner.take('next', 'this');
      if (!which || !inner.take('week', 'wk')) return undefined;
      const start = which === 'next' ? addDays(monday, 7) : monday;
      const weekday = inner.attempt((after) => (after.take('on'), after.lookUp(weekdays)));
      if (weekday) return { date: addDays(start, weekday - 1) };
      return { date: which === 'next' ? start : addDays(monday, weekdayOf(today) <= friday ? 4 : 6) };
    },
    (inner) => {
      const which = inner.take('next', 'this', 'the');
      if (!which || !inner.take('weekend')) return undefined;
      const thisSaturday = addDays(monday, saturday - 1);
      if (which === 'next') return { date: addDays(thisSaturday, 7) };
      return { date: compareDates(thisSaturday, today) < 0 ? today : thisSaturday };
    },
    (inner) => {
      inner.take('the');
      const which = inner.take('next', 'this');
      const unit = which && inner.take('month', 'year');
      if (!unit) return undefined;
      if (which === 'this') return { date: unit === 'month' ? endOfMonth(today) : { ...today, month: 12, day: 31 } };
      return { date: addMonths(today, unit === 'month' ? 1 : 12) };
    },
  );
}

/** `end of the month`, `eow`, `start of next week`, `mid december`. */
function edgeOfSpan(cursor: Cursor, reference: ReferencePoint): Day | undefined {
  const { today } = reference;
  const short = cursor.take('eod', 'cob', 'eow', 'eom', 'eoy');
  if (short === 'eod' || short === 'cob') return endOfDay(cursor, reference);
  if (short) return { date: edge('end', short === 'eow' ? 'week' : short === 'eom' ? 'month' : 'year', 'this', today) };
  cursor.take('the');
  const side = cursor.take('end', 'beginning', 'start', 'middle', 'mid', 'close');
  if (!side || (!cursor.take('of') && side !== 'mid')) return undefined;
  if (side !== 'mid' && cursor.take('today', 'business')) return { date: today };
  if (side !== 'mid' && cursor.take('tomorrow')) return { date: addDays(today, 1) };
  const which = cursor.take('the', 'this', 'next', 'my') === 'next' ? 'next' : 'this';
  const position = side === 'end' || side === 'close' ? 'end' : side.startsWith('mid') ? 'middle' : 'start';
  cursor.takeWords('work');
  const unit = cursor.take('day', 'workday', 'week', 'workweek', 'month', 'year');
  if (unit?.endsWith('day')) return which === 'next' ? { date: addDays(today, 1) } : endOfDay(cursor, reference);
  if (unit) return { date: edge(position, unit.replace('work', '') as 'week' | 'month' | 'year', which, today) };
  const month = cursor.lookUp(months);
  if (month === undefined) return undefined;
  const first = { year: today.year, month, day: 1 };
  const inMonth = position === 'end' ? endOfMonth(first) : { ...first, day: position === 'middle' ? 15 : 1 };
  return { date: compareDates(inMonth, today) < 0 ? addMonths(inMonth, 12) : inMonth };
}

/** `eod`, `eod friday`, `end of day tomorrow`. */
function endOfDay(cursor: Cursor, reference: ReferencePoint): Day {
  const named = cursor.attempt((inner) => {
    inner.take('on');
    const found = day(inner, reference);
    return found && !isProblem(found) ? found : undefined;
  });
  return { date: named?.date ?? reference.today };
}

function edge(
  side: 'start' | 'middle' | 'end',
  unit: 'week' | 'month' | 'year',
  which: 'this' | 'next',
  today: CivilDate,
): CivilDate {
  if (unit === 'week') {
    const offset = side === 'start' ? 0 : side === 'middle' ? 2 : 4;
    const date = addDays(startOfWeek(today), offset + (which === 'next' ? 7 : 0));
    return side === 'end' && compareDates(date, today) < 0 ? addDays(date, 7) : date;
  }
  if (unit === 'month') {
    const month = which === 'next' ? addMonths({ ...today, day: 1 }, 1) : { ...today, day: 1 };
    return side === 'end' ? endOfMonth(month) : { ...month, day: side === 'middle' ? 15 : 1 };
  }
  const year = today.year + (which === 'next' ? 1 : 0);
  return side === 'start'
    ? { year, month: 1, day: 1 }
    : side === 'end'
      ? { year, month: 12, day: 31 }
      : { year, month: 7, day: 1 };
}

/** `friday`, `this friday`, `next next friday`, `tuesday week`, `friday next week`, `friday the 27th`. */
function weekdayPhrase(cursor: Cursor, reference: ReferencePoint): Day | Problem | undefined {
  const { today } = reference;
  const before = weekdayQualifier(cursor);
  const weekday = cursor.lookUp(weekdays);
  if (weekday === undefined) return undefined;
  if (before === undefined) {
    const exact = cursor.attempt((inner) => {
      inner.take('.');
      inner.take(',');
      return dayOfMonthRules(inner, reference);
    });
    if (exact) return isProblem(exact) ? exact : agreeing(exact, weekday);
  }
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  const nextWeek = addDays(startOfWeek(today), 7 + weekday - 1);
  if (before === 'this') return { date: addDays(today, ahead) };
  if (before === 'last') return { date: addDays(today, ahead - 7) };
  if (before === 'next') return { date: nextWeek };
  if (before === 'next next') return { date: addDays(nextWeek, 7) };
  if (cursor.takeWords('after next')) return { date: addDays(nextWeek, 7) };
  if (cursor.takeWords('next week')) return { date: nextWeek };
  if (cursor.takeWords('this week')) return { date: addDays(nextWeek, -7) };
  const coming = addDays(today, ahead === 0 ? 7 : ahead);
  return { date: cursor.take('week') ? addDays(coming, 7) : coming };
}

function weekdayQualifier(cursor: Cursor): 'this' | 'next' | 'next next' | 'coming' | 'last' | undefined {
  if (cursor.takeWords('next next')) return 'next next';
  if (cursor.takeWords('this coming') || cursor.takeWords('the coming') || cursor.take('coming')) return 'coming';
  if (cursor.take('last', 'past')) return 'last';
  return cursor.takeWords('the next') ? 'next' : (cursor.take('this', 'next') as 'this' | 'next' | undefined);
}

function agreeing(date: CivilDate, weekday: Weekday): Day | Problem {
  if (weekdayOf(date) === weekday) return { date };
  return { problem: 'the weekday and the date do not agree' };
}

function holiday(cursor: Cursor, { today }: ReferencePoint): Day | undefined {
  for (const [words, month, dayOfMonth] of holidays) {
    if (!cursor.takeWords(words)) continue;
    const date = { year: today.year, month, day: dayOfMonth };
    return { date: compareDates(date, today) < 0 ? { ...date, year: date.year + 1 } : date };
  }
  return undefined;
}
