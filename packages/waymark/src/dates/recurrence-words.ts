import { parseRule } from './rrule.ts';

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthNames = 'January February March April May June July August September October November December'.split(' ');
const unitNames = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;

/** `every 2 weeks on Monday and Friday`, for people; `parseRecurrence` reads it back where it can be said in full. */
export function recurrenceInWords(ruleText: string): string {
  const parsed = parseRule(ruleText);
  if (!parsed.ok) return ruleText;
  const { frequency, interval, byDay, byMonthDay, byMonth } = parsed.rule;
  const unit = unitNames[frequency];
  const base = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const [month, date] = [byMonth[0], byMonthDay[0]];
  if (month !== undefined && date !== undefined && byMonth.length * byMonthDay.length === 1 && date > 0) {
    return `${base} on ${monthNames[month - 1]} ${date}`;
  }
  const days = byDay.map(({ weekday, nth }) => {
    const name = dayNames[weekday - 1] ?? '';
    return nth === undefined ? name : `the ${ordinalWord(nth)} ${name}`;
  });
  const dates = byMonthDay.map((day) => (day === -1 ? 'the last day' : `the ${ordinalDigits(day)}`));
  const on = [...days, ...dates];
  const inMonths = byMonth.length > 0 ? ` in ${joinWords(byMonth.map((number) => monthNames[number - 1] ?? ''))}` : '';
  return on.length > 0 ? `${base} on ${joinWords(on)}${inMonths}` : base + inMonths;
}

function joinWords(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

function ordinalWord(nth: number): string {
  if (nth === -1) return 'last';
  if (nth < 0) return `${ordinalDigits(-nth)} last`;
  return ['first', 'second', 'third', 'fourth', 'fifth'][nth - 1] ?? ordinalDigits(nth);
}

function ordinalDigits(value: number): string {
  if (value < 0) return `${ordinalDigits(-value)} last day`;
  const ending = value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}
