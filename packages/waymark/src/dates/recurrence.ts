import { addDays, type CivilDate, compareDates, formatDate, type Weekday } from './calendar.ts';
import { Cursor, tokenize } from './cursor.ts';
import { type Due, moveDue, resolvePhrase } from './due.ts';
import type { Span } from './find-date.ts';
import { ordinalNumber, wholeNumber } from './number-rules.ts';
import { type ReferencePoint, referencePoint } from './reference-point.ts';
import { formatRule, occurrenceFrom, parseRule, plainRule, type Rule } from './rrule.ts';
import { type ClockTime, clockTime, type HalfDay, isProblem } from './time-rules.ts';
import { months, weekdays } from './vocabulary.ts';
import { wallClockAt } from './zone.ts';

export interface Recurrence {
  /** RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO`. */
  readonly rule: string;
  /** The first time it comes about, from now on. */
  readonly first: Due;
}

export interface RecurrencePhrase extends Recurrence, Span {
  readonly text: string;
}

export type RecurrenceResult = ({ readonly ok: true } & Recurrence) | { readonly ok: false; readonly reason: string };

interface Repetition {
  readonly rule: Rule;
  readonly time: ClockTime | undefined;
  readonly half: HalfDay | undefined;
}

/** Reads how something repeats, in words (`every other tuesday at 9am`) or as an RFC 5545 rule. */
export function parseRecurrence(text: string, now: Date, zone: string): RecurrenceResult {
  const reference = referencePoint(now, zone);
  if (/^\s*(RRULE:|[A-Z]+=)/i.test(text)) {
    const parsed = parseRule(text);
    return parsed.ok ? finish({ rule: parsed.rule, time: undefined, half: undefined }, reference) : parsed;
  }
  const cursor = new Cursor(text.trim());
  const found = cursor.attempt(repetition);
  if (!found || !cursor.atEnd) return { ok: false, reason: 'not a repetition that is understood' };
  return finish(found, reference);
}

/** Finds a repetition inside a sentence: `water the plants every monday`. */
export function findRecurrencePhrase(text: string, now: Date, zone: string): RecurrencePhrase | undefined {
  const tokens = tokenize(text);
  for (let index = 0; index < tokens.length; index++) {
    const cursor = new Cursor(text, tokens, index);
    const found = cursor.attempt(repetition);
    const [start, end] = [tokens[index]?.start, tokens[cursor.index - 1]?.end];
    if (!found || start === undefined || end === undefined || isQuoted(text, start)) continue;
    const result = finish(found, referencePoint(now, zone));
    if (result.ok) return { start, end, text: text.slice(start, end), rule: result.rule, first: result.first };
  }
  return undefined;
}

/**
 * What follows an occurrence that is done: the next day of the rule after it, and never one that
 * has passed already. Undefined when the rule has come to its end.
 */
export function nextOccurrence(
  ruleText: string,
  due: string | null,
  now: Date,
  zone: string,
): { readonly due: string; readonly rule: string } | undefined {
  const parsed = parseRule(ruleText);
  if (!parsed.ok) return undefined;
  const { rule } = parsed;
  if (rule.count !== undefined && rule.count <= 1) return undefined;
  const { date: today } = wallClockAt(now, zone);
  const start = due === null ? today : (readDay(due, zone) ?? today);
  const after = compareDates(start, today) > 0 ? start : today;
  const day = occurrenceFrom(rule, start, addDays(after, 1));
  if (!day) return undefined;
  const rest = rule.count === undefined ? rule : { ...rule, count: rule.count - 1 };
  return { due: due === null ? formatDate(day) : moveDue(due, day, zone), rule: formatRule(rest) };
}

function readDay(due: string, zone: string): CivilDate | undefined {
  const [year, month, day] = due.slice(0, 10).split('-').map(Number);
  if (due.length > 10) return wallClockAt(new Date(due), zone).date;
  return year && month && day ? { year, month, day } : undefined;
}

function finish({ rule, time, half }: Repetition, reference: ReferencePoint): RecurrenceResult {
  let from = reference.today;
  for (let attempt = 0; attempt < 2; attempt++) {
    // "every other tuesday" starts with the coming one.
    const date = occurrenceFrom({ ...rule, interval: 1 }, reference.today, from);
    if (!date) return { ok: false, reason: 'it never comes about' };
    const first = resolvePhrase({ day: { date, ...(half ? { half } : {}) }, ...(time ? { time } : {}) }, reference);
    if (!first.past || attempt > 0) return { ok: true, rule: formatRule(rule), first };
    from = addDays(date, 1);
  }
  return { ok: false, reason: 'it never comes about' };
}

function repetition(cursor: Cursor): Repetition | undefined {
  const found = cursor.firstOf(adverb, every, dayOfEveryMonth, pluralWeekdays);
  if (!found) return undefined;
  const time = cursor.attempt((inner) => {
    inner.take(',');
    const introduced = inner.take('at', '@', 'by') !== undefined;
    const read = clockTime(inner, introduced);
    return read && !isProblem(read) ? read : undefined;
  });
  return { rule: found.rule, half: found.half, time };
}

type Found = { readonly rule: Rule; readonly half?: HalfDay };

const simple = (frequency: Rule['frequency'], rest: Partial<Rule> = {}): Found => ({
  rule: { ...plainRule, frequency, ...rest },
});

const onDays = (days: readonly Weekday[], rest: Partial<Rule> = {}): Found =>
  simple('WEEKLY', { byDay: days.map((weekday) => ({ weekday, nth: undefined })), ...rest });

function adverb(cursor: Cursor): Found | undefined {
  const word = cursor.take('daily', 'weekly', 'fortnightly', 'biweekly', 'monthly', 'quarterly', 'yearly', 'annually');
  if (word === undefined) return undefined;
  if (word === 'daily') return simple('DAILY');
  if (word === 'monthly' || word === 'quarterly') {
    return onMonthDay(cursor, { interval: word === 'quarterly' ? 3 : 1 });
  }
  if (word === 'yearly' || word === 'annually') return simple('YEARLY');
  const interval = word === 'weekly' ? 1 : 2;
  const days = cursor.attempt((inner) => (inner.take('on') ? dayList(inner) : undefined));
  return days ? onDays(days, { interval }) : simple('WEEKLY', { interval });
}

/** `every …`: a unit with a count, weekdays, a day of the month, or a date of the year. */
function every(cursor: Cursor): Found | undefined {
  if (!cursor.take('every', 'each')) return undefined;
  const interval = cursor.take('other', 'second') ? 2 : cursor.attempt((inner) => countBeforeUnit(inner));
  return cursor.firstOf<Found>(
    (inner) => unitPhrase(inner, interval ?? 1),
    (inner) => monthWeekday(inner),
    (inner) => {
      const days = dayList(inner);
      return days && onDays(days, { interval: interval ?? 1 });
    },
    (inner) => (interval === undefined ? dateOfYear(inner) : undefined),
    (inner) => {
      const day = interval === undefined ? ordinalNumber(inner) : undefined;
      if (day === undefined || day < 1 || day > 31) return undefined;
      takeOfTheMonth(inner);
      return simple('MONTHLY', { byMonthDay: [day] });
    },
  );
}

/** `on the 1st of every month`. */
function dayOfEveryMonth(cursor: Cursor): Found | undefined {
  cursor.take('on');
  cursor.take('the');
  const lastDay = cursor.takeWords('last day');
  const day = lastDay ? -1 : ordinalNumber(cursor);
  if (day === undefined || day > 31 || !cursor.take('of') || !cursor.take('every', 'each')) return undefined;
  return cursor.take('month') ? simple('MONTHLY', { byMonthDay: [day] }) : undefined;
}

/** `on mondays and thursdays`. */
function pluralWeekdays(cursor: Cursor): Found | undefined {
  cursor.take('on');
  if (!pluralDays.has(cursor.peek()?.text ?? '')) return undefined;
  const days = dayList(cursor);
  return days && onDays(days);
}

function countBeforeUnit(cursor: Cursor): number | undefined {
  const count = wholeNumber(cursor);
  const next = cursor.peek()?.text ?? '';
  return count !== undefined && count >= 1 && /^(day|week|month|year)s?$/.test(next) ? count : undefined;
}

function unitPhrase(cursor: Cursor, interval: number): Found | undefined {
  if (cursor.take('weekday', 'workday', 'weekdays')) return onDays([1, 2, 3, 4, 5]);
  if (cursor.take('weekend', 'weekends')) return onDays([6, 7]);
  const part = cursor.take('morning', 'afternoon', 'evening', 'night');
  if (part) return { ...simple('DAILY', { interval }), half: part === 'morning' ? 'am' : 'pm' };
  if (cursor.take('day', 'days')) return simple('DAILY', { interval });
  if (cursor.take('week', 'weeks')) {
    const days = cursor.attempt((inner) => (inner.take('on') ? dayList(inner) : undefined));
    return days ? onDays(days, { interval }) : simple('WEEKLY', { interval });
  }
  if (cursor.take('month', 'months')) return onMonthDay(cursor, { interval });
  if (cursor.take('quarter')) return simple('MONTHLY', { interval: 3 * interval });
  if (!cursor.take('year', 'years')) return undefined;
  return (
    cursor.attempt((inner) => (inner.take('on') ? dateOfYear(inner) : undefined)) ?? simple('YEARLY', { interval })
  );
}

/** What may follow `monthly` and `every month`: `on the 15th`, `on the last friday`. */
function onMonthDay(cursor: Cursor, rest: Partial<Rule>): Found {
  const exact = cursor.attempt((inner) => {
    if (!inner.take('on')) return undefined;
    const nth = inner.attempt((after) => nthWeekdayOf(after));
    if (nth) return simple('MONTHLY', { ...rest, byDay: [nth] });
    inner.take('the');
    if (inner.takeWords('last day')) return simple('MONTHLY', { ...rest, byMonthDay: [-1] });
    const day = ordinalNumber(inner) ?? inner.takeNumber(1, 2);
    return day !== undefined && day >= 1 && day <= 31 ? simple('MONTHLY', { ...rest, byMonthDay: [day] }) : undefined;
  });
  return exact ?? simple('MONTHLY', rest);
}

function monthWeekday(cursor: Cursor): Found | undefined {
  const nth = nthWeekdayOf(cursor);
  if (!nth) return undefined;
  takeOfTheMonth(cursor);
  return simple('MONTHLY', { byDay: [nth] });
}

function takeOfTheMonth(cursor: Cursor): boolean {
  return ['of the month', 'of each month', 'of every month'].some((words) => cursor.takeWords(words));
}

function nthWeekdayOf(cursor: Cursor): Rule['byDay'][number] | undefined {
  cursor.take('the');
  const nth = cursor.take('last') ? -1 : ordinalNumber(cursor);
  const weekday = nth === undefined || nth > 5 ? undefined : cursor.lookUp(weekdays);
  return weekday && { weekday, nth };
}

function dayList(cursor: Cursor): Weekday[] | undefined {
  const days: Weekday[] = [];
  for (;;) {
    const day = cursor.attempt((inner) => {
      if (days.length > 0) {
        const comma = inner.take(',');
        const word = inner.take('and', '&', '/');
        if (!comma && !word) return undefined;
      }
      const weekday = inner.lookUp(weekdays) ?? inner.lookUp(pluralDays);
      return weekday;
    });
    if (day === undefined) return days.length > 0 ? days : undefined;
    days.push(day);
  }
}

const pluralDays: ReadonlyMap<string, Weekday> = new Map(
  [...weekdays].filter(([name]) => name.endsWith('day')).map(([name, day]) => [`${name}s`, day]),
);

function dateOfYear(cursor: Cursor): Found | undefined {
  const date = cursor.firstOf(
    (inner) => {
      const month = inner.lookUp(months);
      const day = month === undefined ? undefined : (ordinalNumber(inner) ?? inner.takeNumber(1, 2));
      return month === undefined || day === undefined ? undefined : { month, day };
    },
    (inner) => {
      inner.take('the');
      const day = ordinalNumber(inner) ?? inner.takeNumber(1, 2);
      inner.take('of');
      const month = inner.lookUp(months);
      return month === undefined || day === undefined ? undefined : { month, day };
    },
  );
  return date && simple('YEARLY', { byMonth: [date.month], byMonthDay: [date.day] });
}

function isQuoted(text: string, position: number): boolean {
  return text.slice(0, position).split('"').length % 2 === 0;
}
