import { addDays, type CivilDate, isRealDate, startOfWeek } from './calendar.ts';
import type { Cursor } from './cursor.ts';
import type { Problem } from './time-rules.ts';

/** An ISO 8601 date, with a time when one is attached. */
export interface IsoRead {
  readonly date: CivilDate;
  readonly time?: { readonly hour: number; readonly minute: number; readonly second: number };
  /** The whole text, when it names an instant by itself. */
  readonly instant?: string;
}

const shape =
  /(?<date>\d{4}-\d{2}-\d{2}|\d{8}|\d{4}-W\d{2}-\d|\d{4}-\d{3}(?!\d)|\d{4}\/\d{1,2}\/\d{1,2})(?:[T ](?<hour>\d{2}):?(?<minute>\d{2})(?::?(?<second>\d{2})(?<fraction>[.,]\d+)?)?(?![\d:])(?: ?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)(?![\d:]))?)?/iy;

export function isoDate(cursor: Cursor): IsoRead | Problem | undefined {
  const token = cursor.peek();
  if (token?.kind !== 'number' || (token.text.length !== 4 && token.text.length !== 8)) return undefined;
  const text = cursor.takePattern(shape);
  if (text === undefined) return undefined;
  shape.lastIndex = token.start;
  const groups = shape.exec(cursor.source)?.groups ?? {};
  const date = readDate(groups['date'] ?? '');
  if (!date || !isRealDate(date)) {
    const isSurelyDate = /^\d{4}[-/]\d{1,2}[-/]/.test(text);
    return isSurelyDate ? { problem: 'there is no such day' } : undefined;
  }
  if (groups['hour'] === undefined) return { date };
  const time = {
    hour: Number(groups['hour']),
    minute: Number(groups['minute']),
    second: Number(groups['second'] ?? 0),
  };
  if (time.hour > 23 || time.minute > 59 || time.second > 59) return { problem: 'there is no such time' };
  const offset = groups['offset']?.toUpperCase();
  if (offset === undefined) return { date, time };
  const [, sign = '', hours = '', minutes = '00'] = /([+-])(\d{2}):?(\d{2})?/.exec(offset) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return { problem: 'there is no such offset' };
  const clock = [time.hour, time.minute, time.second].map((part) => String(part).padStart(2, '0')).join(':');
  const fraction = groups['fraction']?.replace(',', '.') ?? '';
  const day = [date.year, date.month, date.day].map((part) => String(part).padStart(2, '0')).join('-');
  return { date, time, instant: `${day}T${clock}${fraction}${offset === 'Z' ? 'Z' : `${sign}${hours}:${minutes}`}` };
}

function readDate(text: string): CivilDate | undefined {
  const year = Number(text.slice(0, 4));
  const week = /W(\d{2})-(\d)/i.exec(text);
  if (week) return weekDate(year, Number(week[1]), Number(week[2]));
  if (/^\d{4}-\d{3}$/.test(text)) return ordinalDate(year, Number(text.slice(5)));
  const parts = /^\d{8}$/.test(text) ? [text.slice(4, 6), text.slice(6)] : text.split(/[-/]/).slice(1);
  return { year, month: Number(parts[0]), day: Number(parts[1]) };
}

function weekDate(year: number, week: number, weekday: number): CivilDate | undefined {
  if (week < 1 || week > 53 || weekday < 1 || weekday > 7) return undefined;
  const firstMonday = startOfWeek({ year, month: 1, day: 4 });
  return addDays(firstMonday, (week - 1) * 7 + weekday - 1);
}

function ordinalDate(year: number, dayOfYear: number): CivilDate | undefined {
  if (dayOfYear < 1) return undefined;
  const date = addDays({ year, month: 1, day: 1 }, dayOfYear - 1);
  return date.year === year ? date : undefined;
}
