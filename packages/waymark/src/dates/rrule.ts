import {
  addDays,
  addMonths,
  type CivilDate,
  compareDates,
  dayNumber,
  daysInMonth,
  formatDate,
  isRealDate,
  type Weekday,
  weekdayOf,
} from './calendar.ts';

/** How something repeats: the part of RFC 5545 that speaks of days. */
export interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly byDay: readonly { readonly weekday: Weekday; readonly nth: number | undefined }[];
  readonly byMonthDay: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPosition: readonly number[];
  readonly count: number | undefined;
  readonly until: CivilDate | undefined;
  readonly weekStart: Weekday;
}

export type RuleResult = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly reason: string };

const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

export const plainRule: Omit<Rule, 'frequency'> = {
  interval: 1,
  byDay: [],
  byMonthDay: [],
  byMonth: [],
  bySetPosition: [],
  count: undefined,
  until: undefined,
  weekStart: 1,
};

class RuleProblem extends Error {}

/** Reads `FREQ=WEEKLY;BYDAY=MO,WE`, with or without `RRULE:` before it. */
export function parseRule(text: string): RuleResult {
  try {
    return {
      ok: true,
      rule: readRule(
        text
          .trim()
          .replace(/^RRULE:/i, '')
          .toUpperCase(),
      ),
    };
  } catch (error) {
    if (error instanceof RuleProblem) return { ok: false, reason: error.message };
    throw error;
  }
}

function readRule(text: string): Rule {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (!/^[A-Z]+$/.test(name) || value === '' || rest.length > 0) throw new RuleProblem(`"${part}" is not NAME=VALUE`);
    if (parts.has(name)) throw new RuleProblem(`${name} is given twice`);
    parts.set(name, value);
  }
  const take = (name: string): string | undefined => {
    const value = parts.get(name);
    parts.delete(name);
    return value;
  };
  const frequency = take('FREQ');
  if (!isFrequency(frequency)) throw new RuleProblem(`FREQ must be one of ${frequencies.join(', ')}`);
  const rule: Rule = {
    frequency,
    interval: readNumber('INTERVAL', take('INTERVAL') ?? '1', 1, 1000),
    byDay: readList(take('BYDAY'), readDay),
    byMonthDay: readList(take('BYMONTHDAY'), (value) => readSigned('BYMONTHDAY', value, 31)),
    byMonth: readList(take('BYMONTH'), (value) => readNumber('BYMONTH', value, 1, 12)),
    bySetPosition: readList(take('BYSETPOS'), (value) => readSigned('BYSETPOS', value, 366)),
    count: mapDefined(take('COUNT'), (value) => readNumber('COUNT', value, 1, 100_000)),
    until: mapDefined(take('UNTIL'), readUntil),
    weekStart: mapDefined(take('WKST'), (value) => readDay(value).weekday) ?? 1,
  };
  const [unknown] = parts.keys();
  if (unknown !== undefined) throw new RuleProblem(`${unknown} is not supported`);
  if (rule.count !== undefined && rule.until) throw new RuleProblem('COUNT and UNTIL exclude each other');
  const hasNth = rule.byDay.some(({ nth }) => nth !== undefined);
  if (hasNth && (frequency === 'DAILY' || frequency === 'WEEKLY')) {
    throw new RuleProblem(`BYDAY with a number needs FREQ=MONTHLY or YEARLY`);
  }
  if (frequency === 'WEEKLY' && rule.byMonthDay.length > 0) throw new RuleProblem('BYMONTHDAY excludes FREQ=WEEKLY');
  return rule;
}

function isFrequency(value: string | undefined): value is Rule['frequency'] {
  return (frequencies as readonly (string | undefined)[]).includes(value);
}

function readList<T>(text: string | undefined, read: (value: string) => T): T[] {
  return text === undefined ? [] : text.split(',').map(read);
}

function mapDefined<T>(text: string | undefined, read: (value: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

function readNumber(name: string, text: string, minimum: number, maximum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum)) throw new RuleProblem(`${name} must be ${minimum} to ${maximum}`);
  return value;
}

function readSigned(name: string, text: string, maximum: number): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) >= 1 && Math.abs(value) <= maximum)) throw new RuleProblem(`${name} must be ±1 to ±${maximum}`);
  return value;
}

function readDay(text: string): Rule['byDay'][number] {
  const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text);
  const weekday = dayCodes.indexOf(match?.[2] ?? '') + 1;
  const nth = match?.[1] === undefined ? undefined : Number(match[1]);
  if (weekday === 0 || nth === 0 || Math.abs(nth ?? 1) > 53) throw new RuleProblem(`"${text}" is not a weekday`);
  return { weekday: weekday as Weekday, nth };
}

function readUntil(text: string): CivilDate {
  const match = /^(\d{4})(\d{2})(\d{2})(T\d{6}Z?)?$/.exec(text);
  const date = { year: Number(match?.[1]), month: Number(match?.[2]), day: Number(match?.[3]) };
  if (!match || !isRealDate(date)) throw new RuleProblem('UNTIL must be a date such as 20261231');
  return date;
}

export function formatRule(rule: Rule): string {
  const parts = [`FREQ=${rule.frequency}`];
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.byMonth.length > 0) parts.push(`BYMONTH=${rule.byMonth.join(',')}`);
  if (rule.byMonthDay.length > 0) parts.push(`BYMONTHDAY=${rule.byMonthDay.join(',')}`);
  if (rule.byDay.length > 0) {
    parts.push(`BYDAY=${rule.byDay.map(({ weekday, nth }) => `${nth ?? ''}${dayCodes[weekday - 1]}`).join(',')}`);
  }
  if (rule.bySetPosition.length > 0) parts.push(`BYSETPOS=${rule.bySetPosition.join(',')}`);
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`);
  if (rule.until) parts.push(`UNTIL=${formatDate(rule.until).replaceAll('-', '')}`);
  if (rule.weekStart !== 1) parts.push(`WKST=${dayCodes[rule.weekStart - 1]}`);
  return parts.join(';');
}

/** Periods looked at before a rule is taken to have no further day (30 February). */
const patience = 1200;

/**
 * The first day of the rule on or after `from`, counting periods from `start`.
 * Undefined when the rule has ended or never comes true.
 */
export function occurrenceFrom(rule: Rule, start: CivilDate, from: CivilDate): CivilDate | undefined {
  const first = Math.max(0, periodOf(rule, start, from) - 1);
  for (let period = first; period < first + patience; period++) {
    const days = daysOfPeriod(rule, start, period);
    if (days === undefined) return undefined;
    const found = days.find((day) => compareDates(day, from) >= 0 && compareDates(day, start) >= 0);
    if (found) return rule.until && compareDates(found, rule.until) > 0 ? undefined : found;
  }
  return undefined;
}

/** The number of the period `date` lies in, in steps of the interval. */
function periodOf({ frequency, interval, weekStart }: Rule, start: CivilDate, date: CivilDate): number {
  const distance = {
    DAILY: () => dayNumber(date) - dayNumber(start),
    WEEKLY: () => (dayNumber(weekOf(date, weekStart)) - dayNumber(weekOf(start, weekStart))) / 7,
    MONTHLY: () => (date.year - start.year) * 12 + date.month - start.month,
    YEARLY: () => date.year - start.year,
  }[frequency]();
  return Math.floor(distance / interval);
}

function weekOf(date: CivilDate, weekStart: Weekday): CivilDate {
  return addDays(date, -((weekdayOf(date) - weekStart + 7) % 7));
}

function daysOfPeriod(rule: Rule, start: CivilDate, period: number): CivilDate[] | undefined {
  const steps = period * rule.interval;
  const [first, length] = spanOf(rule, start, steps);
  if (first.year > 9998) return undefined;
  const days: CivilDate[] = [];
  for (let offset = 0; offset < length; offset++) {
    const day = addDays(first, offset);
    if (matches(rule, start, day)) days.push(day);
  }
  if (rule.bySetPosition.length === 0) return days;
  const positions = new Set(
    rule.bySetPosition.map((position) => (position > 0 ? position - 1 : days.length + position)),
  );
  return days.filter((_day, index) => positions.has(index));
}

function spanOf(rule: Rule, start: CivilDate, steps: number): [CivilDate, number] {
  if (rule.frequency === 'DAILY') return [addDays(start, steps), 1];
  if (rule.frequency === 'WEEKLY') return [addDays(weekOf(start, rule.weekStart), steps * 7), 7];
  if (rule.frequency === 'MONTHLY') {
    const month = addMonths({ ...start, day: 1 }, steps);
    return [month, daysInMonth(month.year, month.month)];
  }
  const year = { year: start.year + steps, month: 1, day: 1 };
  return [year, dayNumber({ ...year, year: year.year + 1 }) - dayNumber(year)];
}

function matches(rule: Rule, start: CivilDate, day: CivilDate): boolean {
  const { frequency, byDay, byMonth, byMonthDay } = rule;
  if (byMonth.length > 0 && !byMonth.includes(day.month)) return false;
  const length = daysInMonth(day.year, day.month);
  if (byMonthDay.length > 0 && !byMonthDay.some((wanted) => (wanted > 0 ? wanted : length + 1 + wanted) === day.day)) {
    return false;
  }
  if (byDay.length > 0 && !byDay.some((wanted) => matchesWeekday(rule, wanted, day))) return false;
  if (byDay.length > 0 || byMonthDay.length > 0) return true;
  if (frequency === 'WEEKLY') return weekdayOf(day) === weekdayOf(start);
  if (frequency === 'MONTHLY') return day.day === start.day;
  if (frequency === 'YEARLY') return day.day === start.day && (byMonth.length > 0 || day.month === start.month);
  return true;
}

function matchesWeekday(rule: Rule, { weekday, nth }: Rule['byDay'][number], day: CivilDate): boolean {
  if (weekdayOf(day) !== weekday) return false;
  if (nth === undefined) return true;
  const withinYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0;
  const first = withinYear ? { ...day, month: 1, day: 1 } : { ...day, day: 1 };
  const last = withinYear ? { ...day, month: 12, day: 31 } : { ...day, day: daysInMonth(day.year, day.month) };
  const fromStart = Math.floor((dayNumber(day) - dayNumber(first)) / 7) + 1;
  const fromEnd = Math.floor((dayNumber(last) - dayNumber(day)) / 7) + 1;
  return nth > 0 ? fromStart === nth : fromEnd === -nth;
}
