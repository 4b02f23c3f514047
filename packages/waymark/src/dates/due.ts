import { addDays, type CivilDate, compareDates, formatDate, isRealDate, weekdayOf } from './calendar.ts';
import type { Duration } from './number-rules.ts';
import { type Phrase, shiftDate } from './phrase.ts';
import type { ReferencePoint } from './reference-point.ts';
import type { ClockTime, HalfDay } from './time-rules.ts';
import { formatInstant, instantOf, startOfDay, type WallClock, wallClockAt } from './zone.ts';

/**
 * When something is due: a day (`2026-11-27`, the same day wherever one is) or an instant
 * (`2026-11-27T17:00:00-05:00`). This text is what is stored and shown to clients.
 */
export type DueText = string;

export type DueParts =
  | { readonly kind: 'day'; readonly date: CivilDate }
  | { readonly kind: 'instant'; readonly instant: Date };

export interface Due {
  readonly value: DueText;
  readonly hasTime: boolean;
  /** Already over when it was said. */
  readonly past: boolean;
  /** What the words named: a time alone can be given to a task that has a day, and the reverse. */
  readonly said: 'day' | 'time' | 'both';
}

/** Makes one due date of what the words said, by the rules for bare hours and missing days. */
export function resolvePhrase(phrase: Phrase, reference: ReferencePoint): Due {
  const { now, zone, today } = reference;
  if (phrase.instant) {
    const value = phrase.written ?? formatInstant(phrase.instant, zone);
    return { value, hasTime: true, past: phrase.instant < now, said: 'both' };
  }
  if (!phrase.time) {
    const date = phrase.day?.date ?? today;
    return { value: formatDate(date), hasTime: false, past: compareDates(date, today) < 0, said: 'day' };
  }
  const instant = phrase.day
    ? instantOnDay(phrase.day.date, phrase.time, phrase.day.half, phrase.zone, reference)
    : nextInstant(phrase.time, phrase.zone, reference);
  return {
    value: formatInstant(instant, zone),
    hasTime: true,
    past: instant < now,
    said: phrase.day ? 'both' : 'time',
  };
}

function instantOnDay(
  date: CivilDate,
  time: ClockTime,
  half: HalfDay | undefined,
  zone: string | undefined,
  reference: ReferencePoint,
): Date {
  const instants = readings(time, half).map((clock) => instantIn({ date, ...clock }, zone ?? reference.zone));
  const isToday = compareDates(date, reference.today) === 0;
  const ahead = isToday ? instants.find((instant) => instant > reference.now) : undefined;
  return ahead ?? (isToday ? instants.at(-1) : instants[0]) ?? reference.now;
}

function nextInstant(time: ClockTime, zone: string | undefined, reference: ReferencePoint): Date {
  const { now, today } = reference;
  const base = zone === undefined ? today : wallClockIn(now, zone).date;
  for (let days = 0; ; days++) {
    for (const clock of readings(time, undefined)) {
      const instant = instantIn({ date: addDays(base, days), ...clock }, zone ?? reference.zone);
      if (instant > now) return instant;
    }
  }
}

/** The clock times a person may mean, earliest first. A bare hour lies between 07:00 and 21:00. */
function readings(time: ClockTime, half: HalfDay | undefined): Omit<WallClock, 'date'>[] {
  const { hour, minute, second, sure } = time;
  if (sure) return [{ hour, minute, second }];
  const morning = { hour: hour % 12, minute, second };
  const evening = { ...morning, hour: morning.hour + 12 };
  if (half) return [half === 'am' ? morning : evening];
  const inWindow = [morning, evening].filter((clock) => {
    const minutes = clock.hour * 60 + clock.minute;
    return minutes >= 7 * 60 && minutes <= 21 * 60;
  });
  return inWindow;
}

function instantIn(wall: WallClock, zone: string): Date {
  const offset = offsetMinutes(zone);
  return offset === undefined ? instantOf(wall, zone) : new Date(instantOf(wall, 'UTC').getTime() - offset * 60_000);
}

function wallClockIn(instant: Date, zone: string): WallClock {
  const offset = offsetMinutes(zone);
  return offset === undefined
    ? wallClockAt(instant, zone)
    : wallClockAt(new Date(instant.getTime() + offset * 60_000), 'UTC');
}

function offsetMinutes(zone: string): number | undefined {
  const match = /^([+-])(\d{2}):(\d{2})$/.exec(zone);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : undefined;
}

/** Takes a stored due date apart. Undefined for a text that is none. */
export function readDue(value: DueText): DueParts | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(T.+)?$/.exec(value);
  if (!match) return undefined;
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  if (!isRealDate(date)) return undefined;
  if (match[4] === undefined) return { kind: 'day', date };
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? undefined : { kind: 'instant', instant };
}

/** A day is overdue when it is over, an instant when it has passed. */
export function isOverdue(value: DueText, now: Date, zone: string): boolean {
  const due = readDue(value);
  if (!due) return false;
  if (due.kind === 'instant') return due.instant < now;
  return compareDates(due.date, wallClockAt(now, zone).date) < 0;
}

/** The day something is due, in a zone. */
export function dueDay(value: DueText, zone: string): CivilDate | undefined {
  const due = readDue(value);
  return due && (due.kind === 'day' ? due.date : wallClockAt(due.instant, zone).date);
}

/** The instant at which it counts for sorting and for "before" and "after": a day counts from its midnight. */
export function dueInstant(value: DueText, zone: string): Date | undefined {
  const due = readDue(value);
  return due && (due.kind === 'day' ? startOfDay(due.date, zone) : due.instant);
}

/** `postpone by a week`: the same clock time on a later day; hours make an instant of a day. */
export function shiftDue(value: DueText, duration: Duration, zone: string): DueText | undefined {
  const due = readDue(value);
  if (!due) return undefined;
  if (duration.unit === 'minute' || duration.unit === 'hour') {
    const base = due.kind === 'day' ? startOfDay(due.date, zone) : due.instant;
    return formatInstant(
      new Date(base.getTime() + duration.amount * (duration.unit === 'hour' ? 60 : 1) * 60_000),
      zone,
    );
  }
  if (due.kind === 'day') return formatDate(shiftDate(due.date, duration));
  const wall = wallClockAt(due.instant, zone);
  return formatInstant(instantOf({ ...wall, date: shiftDate(wall.date, duration) }, zone), zone);
}

/** The same clock time (if any) on another day. */
export function moveDue(value: DueText, date: CivilDate, zone: string): DueText {
  const due = readDue(value);
  if (!due || due.kind === 'day') return formatDate(date);
  return formatInstant(instantOf({ ...wallClockAt(due.instant, zone), date }, zone), zone);
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Fri 27 Nov, 5:00 PM`; the year is named when it is not the current one. */
export function dueInWords(value: DueText, now: Date, zone: string): string {
  const due = readDue(value);
  if (!due) return value;
  const wall = due.kind === 'instant' ? wallClockAt(due.instant, zone) : undefined;
  const date = wall?.date ?? (due.kind === 'day' ? due.date : wallClockAt(now, zone).date);
  const year = date.year === wallClockAt(now, zone).date.year ? '' : ` ${date.year}`;
  const words = `${dayNames[weekdayOf(date) - 1]} ${date.day} ${monthNames[date.month - 1]}${year}`;
  return wall ? `${words}, ${clockInWords(wall)}` : words;
}

function clockInWords({ hour, minute }: WallClock): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}
