import type { Cursor } from './cursor.ts';
import { wholeNumber } from './number-rules.ts';
import { smallNumbers, tens, zoneNames } from './vocabulary.ts';
import { isTimeZone } from './zone.ts';

export type HalfDay = 'am' | 'pm';

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** False for a bare "5", which may be either 5 o'clock. */
  readonly sure: boolean;
}

/** Something that has the shape of a date or time but cannot be one. */
export interface Problem {
  readonly problem: string;
}

export function isProblem(value: object): value is Problem {
  return 'problem' in value;
}

/** A time of day. `introduced` says that "at" stands before it, so that a bare number is a time. */
export function clockTime(cursor: Cursor, introduced: boolean): ClockTime | Problem | undefined {
  return cursor.firstOf<ClockTime | Problem>(namedTime, fractionOfHour, digitalTime, (inner) =>
    hourAlone(inner, introduced),
  );
}

function namedTime(cursor: Cursor): ClockTime | undefined {
  const word = cursor.take('noon', 'midday', 'midnight');
  return word ? { hour: word === 'midnight' ? 0 : 12, minute: 0, second: 0, sure: true } : undefined;
}

/** `half past five`, `quarter to 6`, `ten past seven pm`. */
function fractionOfHour(cursor: Cursor): ClockTime | Problem | undefined {
  const minutes = cursor.firstOf<number>(
    (inner) => (inner.take('half') ? 30 : undefined),
    (inner) => (inner.take('a'), inner.take('quarter') ? 15 : undefined),
    (inner) => {
      const count = wholeNumber(inner);
      inner.take('minutes', 'minute', 'min');
      return count;
    },
  );
  if (minutes === undefined) return undefined;
  const direction = cursor.take('past', 'to', 'till');
  if (!direction || (minutes === 30 && direction !== 'past')) return undefined;
  const hour = wholeNumber(cursor);
  if (hour === undefined || hour < 1 || hour > 12 || minutes > 59) return undefined;
  cursor.take("o'clock");
  const half = halfOfDay(cursor);
  const total = ((direction === 'past' ? hour * 60 + minutes : hour * 60 - minutes) + 720) % 720;
  return withHalf(Math.floor(total / 60) || 12, total % 60, 0, half);
}

/** `17:30`, `5:30 pm`, `17h30`, `5.30pm`. */
function digitalTime(cursor: Cursor): ClockTime | Problem | undefined {
  const start = cursor.peek();
  const hour = cursor.takeNumber(1, 2);
  if (hour === undefined || start === undefined || !cursor.isGlued) return undefined;
  const separator = cursor.take(':', 'h', '.');
  const minuteToken = cursor.peek();
  const minute = cursor.isGlued ? cursor.takeNumber(2, 2) : undefined;
  if (!separator || minute === undefined || !minuteToken) return undefined;
  const second =
    cursor.attempt((inner) => (inner.take(':') && inner.isGlued ? inner.takeNumber(2, 2) : undefined)) ?? 0;
  const half = halfOfDay(cursor);
  if (separator === '.' && half === undefined) return undefined;
  if (minute > 59 || second > 59) return { problem: 'there is no such time' };
  if (half === undefined && ((start.text.length === 2 && hour < 10) || hour === 0 || hour > 12 || separator === 'h')) {
    return hour > 23 ? { problem: 'there is no such time' } : { hour, minute, second, sure: true };
  }
  return withHalf(hour, minute, second, half);
}

/** `5pm`, `at 5`, `five o'clock`, `at 1700`, `seven thirty pm`. */
function hourAlone(cursor: Cursor, introduced: boolean): ClockTime | Problem | undefined {
  const military = cursor.attempt((inner) => {
    const digits = inner.takeNumber(4, 4);
    const named = inner.take('hours', 'hrs', 'h');
    return digits !== undefined && (introduced || named) ? digits : undefined;
  });
  if (military !== undefined) {
    const [hour, minute] = [Math.floor(military / 100), military % 100];
    return hour > 23 || minute > 59 ? { problem: 'there is no such time' } : { hour, minute, second: 0, sure: true };
  }
  const hour = cursor.firstOf(
    (inner) => inner.takeNumber(1, 2),
    (inner) => inner.lookUp(smallNumbers),
  );
  if (hour === undefined) return undefined;
  const minute = cursor.attempt(spokenMinutes) ?? 0;
  const oclock = cursor.take("o'clock", 'oclock') !== undefined;
  const half = halfOfDay(cursor);
  if (half === undefined && !introduced && !oclock) return undefined;
  if (half === undefined && (hour > 12 || hour === 0)) {
    return hour > 23 ? { problem: 'there is no such time' } : { hour, minute, second: 0, sure: true };
  }
  return withHalf(hour, minute, 0, half);
}

function spokenMinutes(cursor: Cursor): number | undefined {
  const ten = cursor.peek()?.kind === 'word' && (tens.has(cursor.peek()?.text ?? '') || isTeen(cursor));
  const value = ten ? wholeNumber(cursor) : undefined;
  return value !== undefined && value >= 10 && value < 60 ? value : undefined;
}

function isTeen(cursor: Cursor): boolean {
  return (smallNumbers.get(cursor.peek()?.text ?? '') ?? 0) >= 10;
}

/** `am`, `p.m.`, `in the evening`, `at night`. */
export function halfOfDay(cursor: Cursor): HalfDay | undefined {
  return cursor.firstOf<HalfDay>(
    (inner) => inner.take('am', 'pm') as HalfDay | undefined,
    (inner) => {
      const letter = inner.take('a', 'p');
      if (!letter || !inner.take('.') || !inner.take('m')) return undefined;
      inner.take('.');
      return letter === 'a' ? 'am' : 'pm';
    },
    (inner) => {
      const letter = inner.isGlued && inner.peek(-1)?.kind === 'number' ? inner.take('a', 'p') : undefined;
      return letter ? (letter === 'a' ? 'am' : 'pm') : undefined;
    },
    dayPart,
  );
}

/** `in the morning`, `this afternoon` without the day, `at night`. */
export function dayPart(cursor: Cursor): HalfDay | undefined {
  return cursor.attempt((inner) => {
    if (inner.takeWords('at night')) return 'pm';
    if (inner.takeWords('in the')) {
      const part = inner.take('morning', 'afternoon', 'evening');
      return part ? (part === 'morning' ? 'am' : 'pm') : undefined;
    }
    return undefined;
  });
}

function withHalf(hour: number, minute: number, second: number, half: HalfDay | undefined): ClockTime | Problem {
  if (half === undefined) return { hour, minute, second, sure: false };
  if (hour > 12 && half === 'pm' && hour < 24) return { hour, minute, second, sure: true };
  if (hour < 1 || hour > 12) return { problem: 'there is no such time' };
  return { hour: (hour % 12) + (half === 'pm' ? 12 : 0), minute, second, sure: true };
}

/** A zone after a time: `UTC`, `EST`, `+02:00`, `Europe/Berlin`. */
export function zoneSuffix(cursor: Cursor): string | undefined {
  return cursor.firstOf(
    (inner) => {
      const word = inner.peek()?.text;
      const zone = inner.lookUp(zoneNames);
      if (zone !== 'UTC' || word === 'z') return zone;
      return inner.attempt(offset) ?? zone;
    },
    offset,
    (inner) => {
      const name = inner.takePattern(/[A-Za-z]+(?:\/[A-Za-z_+-]+)+/y);
      return name !== undefined && isTimeZone(name) ? name : undefined;
    },
  );
}

function offset(cursor: Cursor): string | undefined {
  const sign = cursor.take('+', '-');
  const digits = sign && cursor.isGlued ? cursor.takePattern(/\d{4}|\d{1,2}(?::\d{2})?/y) : undefined;
  if (!digits) return undefined;
  const [hours = '', minutes = '00'] = digits.includes(':')
    ? digits.split(':')
    : [digits.slice(0, 2), digits.slice(2) || '00'];
  return Number(hours) <= 14 && Number(minutes) < 60 ? `${sign}${hours.padStart(2, '0')}:${minutes}` : undefined;
}
