import { addDays, addMonths, addWorkingDays, type CivilDate } from './calendar.ts';
import type { Cursor } from './cursor.ts';
import { type Day, day } from './day-rules.ts';
import { isoDate } from './iso.ts';
import { type Duration, duration } from './number-rules.ts';
import type { ReferencePoint } from './reference-point.ts';
import { type ClockTime, clockTime, isProblem, type Problem, zoneSuffix } from './time-rules.ts';
import { instantOf } from './zone.ts';

/** What the words say, before it is made into one due date. At least one of day, time and instant is there. */
export interface Phrase {
  readonly day?: Day;
  readonly time?: ClockTime;
  /** An IANA name or an offset, when the words name a zone for the time. */
  readonly zone?: string;
  readonly instant?: Date;
  /** An RFC 3339 text to keep as it was written. */
  readonly written?: string;
}

/** Reads one date, time or both from where the cursor stands. */
export function datePhrase(cursor: Cursor, reference: ReferencePoint): Phrase | Problem | undefined {
  return cursor.firstOf<Phrase | Problem>(
    (inner) => isoPhrase(inner, reference),
    (inner) => durationAhead(inner, reference),
    (inner) => dayThenTime(inner, reference),
    (inner) => timeThenDay(inner, reference),
  );
}

function isoPhrase(cursor: Cursor, reference: ReferencePoint): Phrase | Problem | undefined {
  const read = isoDate(cursor);
  if (!read || isProblem(read)) return read;
  if (read.instant !== undefined) return { instant: new Date(read.instant), written: read.instant };
  if (read.time) return withZone(cursor, { day: { date: read.date }, time: { ...read.time, sure: true } });
  return attachTime(cursor, { date: read.date }, reference, true);
}

/** `in 3 days at noon`, `two weeks from now`, `a week from friday`, `in 1 hour and 30 minutes`, `2 days ago`. */
function durationAhead(cursor: Cursor, reference: ReferencePoint): Phrase | Problem | undefined {
  const introduced = cursor.take('in', 'within') !== undefined;
  const spans = durations(cursor);
  if (spans.length === 0) return undefined;
  let base: CivilDate | undefined;
  let sign = 1;
  if (cursor.takeWords('from now') || cursor.takeWords('from today')) base = reference.today;
  else if (cursor.take('ago')) [base, sign] = [reference.today, -1];
  else if (!introduced || ['from', 'after'].includes(cursor.peek()?.text ?? '')) {
    const link = cursor.take('from', 'after', 'before', ...(spans[0]?.unit === 'week' ? ['on'] : []));
    const anchor = link && day(cursor, reference);
    if (!anchor || isProblem(anchor)) return undefined;
    base = anchor.date;
    if (link === 'before') sign = -1;
    if (spans.some(isShort)) return undefined;
  }
  if (spans.some(isShort)) return { instant: addDurations(reference, spans, sign) };
  const date = spans.reduce((from, span) => shiftDate(from, span, sign), base ?? reference.today);
  return attachTime(cursor, { date }, reference, false);
}

function durations(cursor: Cursor): Duration[] {
  const found: Duration[] = [];
  for (;;) {
    const next = cursor.attempt((inner) => {
      if (found.length > 0) inner.take('and', ',');
      return duration(inner);
    });
    if (!next) return found;
    found.push(next);
  }
}

function isShort({ unit }: Duration): boolean {
  return unit === 'minute' || unit === 'hour';
}

export function shiftDate(date: CivilDate, { amount, unit }: Duration, sign = 1): CivilDate {
  if (unit === 'working-day') return sign > 0 ? addWorkingDays(date, amount) : addDays(date, -amount);
  if (unit === 'month' || unit === 'year') return addMonths(date, sign * amount * (unit === 'year' ? 12 : 1));
  return addDays(date, sign * amount * (unit === 'week' ? 7 : 1));
}

/** Days and longer move the calendar, hours and minutes move the instant. */
function addDurations({ now, wall, zone }: ReferencePoint, spans: readonly Duration[], sign: number): Date {
  const long = spans.filter((span) => !isShort(span));
  const date = long.reduce((from, span) => shiftDate(from, span, sign), wall.date);
  const base = long.length > 0 ? instantOf({ ...wall, date }, zone).getTime() : Math.floor(now.getTime() / 1000) * 1000;
  const minutes = spans.filter(isShort).reduce((sum, { amount, unit }) => sum + amount * (unit === 'hour' ? 60 : 1), 0);
  return new Date(base + sign * minutes * 60_000);
}

function dayThenTime(cursor: Cursor, reference: ReferencePoint): Phrase | Problem | undefined {
  const found = day(cursor, reference);
  if (!found || isProblem(found)) return found;
  return attachTime(cursor, found, reference, false);
}

function attachTime(cursor: Cursor, found: Day, reference: ReferencePoint, literal: boolean): Phrase | Problem {
  const time = cursor.attempt((inner) => {
    inner.take(',');
    const introduced = inner.take('at', '@', 'by', 'before', 'around', 'from') !== undefined;
    return clockTime(inner, introduced || found.half !== undefined);
  });
  if (!time) return { day: found };
  if (isProblem(time)) return time;
  const tonight = cursor.attempt((inner) => inner.take('tonight'));
  const withHalf: Day = tonight ? { ...found, half: 'pm' } : found;
  return withZone(cursor, { day: withHalf, time: literal ? { ...time, sure: true } : time });
}

/** `5pm tomorrow`, `at 9 on monday`, `noon`. */
function timeThenDay(cursor: Cursor, reference: ReferencePoint): Phrase | Problem | undefined {
  const before = cursor.peek(-1)?.text ?? '';
  const introduced =
    cursor.take('at', '@') !== undefined || ['at', '@', 'by', 'before', 'until', 'till'].includes(before);
  const time = clockTime(cursor, introduced);
  if (!time || isProblem(time)) return time;
  const zoned = withZone(cursor, { time });
  const found = cursor.attempt((inner) => {
    inner.take(',');
    inner.take('on');
    return isoDay(inner) ?? day(inner, reference);
  });
  if (!found) return zoned;
  return isProblem(found) ? found : { ...zoned, day: found };
}

function isoDay(cursor: Cursor): Day | undefined {
  return cursor.attempt((inner) => {
    const read = isoDate(inner);
    return read && !isProblem(read) && !read.time ? { date: read.date } : undefined;
  });
}

function withZone(cursor: Cursor, phrase: Phrase): Phrase {
  const zone = cursor.attempt(zoneSuffix);
  return zone === undefined ? phrase : { ...phrase, zone };
}
