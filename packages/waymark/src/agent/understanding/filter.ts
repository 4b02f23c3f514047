import { addDays, type CivilDate, findDatePhrase, formatDate, readDue, wallClockAt } from '../../dates/index.ts';
import type { DateContext } from './date-context.ts';
import type { Priority } from './priority.ts';

export interface TaskFilter {
  readonly completed?: boolean;
  readonly priority?: Priority;
  readonly overdue?: boolean;
  /** From this day on, and before that day. */
  readonly due?: { readonly from?: string; readonly before?: string; readonly label: string };
}

interface Read {
  readonly filter: TaskFilter;
  /** The text without the words that were filters. */
  readonly rest: string;
}

/** Reads "completed", "high priority", "due this week" and the like. */
export function readFilter(text: string, dates: DateContext): Read {
  let rest = text.toLowerCase();
  const take = (pattern: RegExp): boolean => {
    if (!pattern.test(rest)) return false;
    rest = rest.replace(pattern, ' ');
    return true;
  };
  const filter: { -readonly [Key in keyof TaskFilter]: TaskFilter[Key] } = {};
  if (take(/\b(?:over ?due|past due|late|behind on|running late)\b/)) filter.overdue = true;
  if (
    take(
      /\b(?:unfinished|incomplete|in ?completed|uncompleted|undone|not (?:yet )?(?:done|finished|completed?)|unchecked|pending|outstanding|open|remaining|(?:still )?left(?: to do)?|still (?:have )?to do|to be done|not done yet|yet to do)\b/,
    )
  ) {
    filter.completed = false;
  } else if (take(/\b(?:completed?|finished|done|checked off|closed|accomplished|crossed off)\b(?! by\b)/)) {
    filter.completed = true;
  }
  if (
    take(
      /\b(?:high(?:est)?[- ]priority|top[- ]priority|urgent|important|critical|priorities|(?:with )?high priority)\b/,
    )
  )
    filter.priority = 'high';
  else if (take(/\b(?:low(?:est)?[- ]priority|unimportant)\b/)) filter.priority = 'low';
  else if (take(/\b(?:medium|normal)[- ]priority\b/)) filter.priority = 'medium';
  const due = filter.overdue ? undefined : readRange(rest, dates);
  if (due) {
    filter.due = due.range;
    rest = due.rest;
  }
  if (filter.overdue) filter.completed = false;
  return {
    filter,
    rest: rest
      .replaceAll(/\b(?:due|that are|which are|that is)\b/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  };
}

interface Range {
  readonly range: NonNullable<TaskFilter['due']>;
  readonly rest: string;
}

/** Periods that are longer than a day; single days are left to the date grammar. */
function readRange(text: string, { now, zone }: DateContext): Range | undefined {
  const today = wallClockAt(now, zone).date;
  const weekday = weekdayOf(today);
  const monday = addDays(today, 1 - weekday);
  const days = (from: CivilDate, count: number, label: string) => ({
    from: formatDate(from),
    before: formatDate(addDays(from, count)),
    label,
  });
  const firstOfMonth = (offset: number): CivilDate => {
    const index = today.year * 12 + today.month - 1 + offset;
    return { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 };
  };
  const periods: readonly (readonly [RegExp, () => NonNullable<TaskFilter['due']>])[] = [
    [
      /\b(?:in |over |for |during )?(?:the )?next (\d+|two|three|few|couple of) days\b/,
      () => days(today, 3, 'in the next days'),
    ],
    [/\b(?:this|the) weekend\b|\bweekend\b/, () => days(addDays(monday, 5), 2, 'this weekend')],
    [
      /\bthis week\b|\bthe week\b|\bweekly\b/,
      () => ({ from: formatDate(monday), before: formatDate(addDays(monday, 7)), label: 'this week' }),
    ],
    [/\bnext week\b/, () => days(addDays(monday, 7), 7, 'next week')],
    [
      /\bthis month\b|\bthe month\b/,
      () => ({ from: formatDate(firstOfMonth(0)), before: formatDate(firstOfMonth(1)), label: 'this month' }),
    ],
    [
      /\bnext month\b/,
      () => ({ from: formatDate(firstOfMonth(1)), before: formatDate(firstOfMonth(2)), label: 'next month' }),
    ],
    [/\b(?:upcoming|coming up|soon)\b/, () => ({ from: formatDate(today), label: 'coming up' })],
    [/\b(?:to ?night|this (?:morning|afternoon|evening)|today'?s?)\b/, () => days(today, 1, 'today')],
    [/\btomorrow'?s?(?: (?:morning|afternoon|evening|night))?\b/, () => days(addDays(today, 1), 1, 'tomorrow')],
    [/\byesterday'?s?\b/, () => days(addDays(today, -1), 1, 'yesterday')],
  ];
  for (const [pattern, range] of periods) {
    if (pattern.test(text))
      return {
        range: range(),
        rest: text.replace(pattern, ' ').replaceAll(/\b(?:for|on|by|in|from)\s+(?=$|\s)/g, ' '),
      };
  }
  const phrase = findDatePhrase(text, now, zone);
  const parts = phrase?.due && readDue(phrase.due.value);
  if (!phrase?.due || !parts) return undefined;
  const day = parts.kind === 'day' ? parts.date : wallClockAt(parts.instant, zone).date;
  const words = text.slice(phrase.start, phrase.end).trim();
  const isBound = /^(?:by|before|until|till)\b/.exec(words);
  const label = words.replace(/^(?:on|for|by|before|due|at|in)\s+/, '');
  const rest = text.slice(0, phrase.start) + text.slice(phrase.end);
  if (!isBound) return { range: days(day, 1, `on ${label}`), rest };
  const inclusive = isBound[0] === 'by' ? 1 : 0;
  return { range: { before: formatDate(addDays(day, inclusive)), label: `${isBound[0]} ${label}` }, rest };
}

function weekdayOf({ year, month, day }: CivilDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}
