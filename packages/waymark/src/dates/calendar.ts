/** A day of the calendar, in no time zone. Months and days count from 1. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Monday is 1, Sunday is 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const dayLength = 86_400_000;

export function isRealDate({ year, month, day }: CivilDate): boolean {
  return year >= 1000 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Days since 1970-01-01. */
export function dayNumber({ year, month, day }: CivilDate): number {
  return Math.round(Date.UTC(year, month - 1, day) / dayLength);
}

export function fromDayNumber(days: number): CivilDate {
  const date = new Date(days * dayLength);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function addDays(date: CivilDate, days: number): CivilDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** The same day of a later month, or that month's last day where it is shorter. */
export function addMonths({ year, month, day }: CivilDate, months: number): CivilDate {
  const count = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
}

/** Working days ahead, Saturdays and Sundays left out. */
export function addWorkingDays(date: CivilDate, days: number): CivilDate {
  const weeks = Math.floor(days / 5);
  let result = addDays(date, weeks * 7);
  for (let left = days % 5; left > 0;) {
    result = addDays(result, 1);
    if (weekdayOf(result) <= 5) left--;
  }
  while (weekdayOf(result) > 5) result = addDays(result, days > 0 ? -1 : 1);
  return result;
}

export function weekdayOf(date: CivilDate): Weekday {
  return (((((dayNumber(date) + 3) % 7) + 7) % 7) + 1) as Weekday;
}

/** The Monday of the week the day lies in. */
export function startOfWeek(date: CivilDate): CivilDate {
  return addDays(date, 1 - weekdayOf(date));
}

export function endOfMonth({ year, month }: CivilDate): CivilDate {
  return { year, month, day: daysInMonth(year, month) };
}

/** The nth such weekday of a month; -1 is the last. Undefined where the month has fewer. */
export function nthWeekday(year: number, month: number, weekday: Weekday, nth: number): CivilDate | undefined {
  if (nth < 0) {
    const last = endOfMonth({ year, month, day: 1 });
    const day = last.day - ((weekdayOf(last) - weekday + 7) % 7) + (nth + 1) * 7;
    return day >= 1 ? { year, month, day } : undefined;
  }
  const first = weekdayOf({ year, month, day: 1 });
  const day = 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7;
  return day <= daysInMonth(year, month) ? { year, month, day } : undefined;
}

export function compareDates(left: CivilDate, right: CivilDate): number {
  return dayNumber(left) - dayNumber(right);
}

export function formatDate({ year, month, day }: CivilDate): string {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
