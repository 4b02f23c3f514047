import { type CivilDate, dayNumber, fromDayNumber, twoDigits } from './calendar.ts';

/** What a clock on the wall shows. */
export interface WallClock {
  readonly date: CivilDate;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The zone of this process; the last resort when neither the user nor the client names one. */
export function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function wallClockAt(instant: Date, zone: string): WallClock {
  const shifted = new Date(instant.getTime() + offsetAt(instant.getTime(), zone));
  return {
    date: fromDayNumber(Math.floor(shifted.getTime() / 86_400_000)),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

/**
 * The instant at which the clocks of a zone show this. A time that occurs twice (clocks go back)
 * means its first occurrence; one that is skipped (clocks go forward) means as much later.
 */
export function instantOf({ date, hour, minute, second }: WallClock, zone: string): Date {
  const asUtc = dayNumber(date) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1000;
  const before = offsetAt(asUtc - 86_400_000, zone);
  const after = offsetAt(asUtc + 86_400_000, zone);
  const fitting = [asUtc - before, asUtc - after].filter((instant) => instant + offsetAt(instant, zone) === asUtc);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : asUtc - before);
}

export function startOfDay(date: CivilDate, zone: string): Date {
  return instantOf({ date, hour: 0, minute: 0, second: 0 }, zone);
}

/** RFC 3339 with the zone's offset at that instant. */
export function formatInstant(instant: Date, zone: string): string {
  const offset = Math.round(offsetAt(instant.getTime(), zone) / 60_000);
  const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** Clocks change on a quarter of an hour, so within one a zone's offset need be asked only once. */
const quarterHour = 900_000;
const firstRegularYear = Date.UTC(1975, 0);
const offsets = new Map<string, Map<number, number>>();
const mostOffsets = 2000;

/** Milliseconds a zone's clocks are ahead of UTC at an instant. */
function offsetAt(instant: number, zone: string): number {
  if (instant < firstRegularYear) return readOffset(instant, zone);
  let known = offsets.get(zone);
  if (!known) offsets.set(zone, (known = new Map()));
  const quarter = Math.floor(instant / quarterHour);
  let offset = known.get(quarter);
  if (offset === undefined) {
    if (known.size >= mostOffsets) known.clear();
    offset = readOffset(quarter * quarterHour, zone);
    known.set(quarter, offset);
  }
  return offset;
}

function readOffset(instant: number, zone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}
