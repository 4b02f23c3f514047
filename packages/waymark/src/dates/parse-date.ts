import { Cursor } from './cursor.ts';
import { type Due, resolvePhrase } from './due.ts';
import { type Duration, duration } from './number-rules.ts';
import { datePhrase } from './phrase.ts';
import { type ReferencePoint, referencePoint } from './reference-point.ts';
import { isProblem } from './time-rules.ts';
import { months } from './vocabulary.ts';
import { formatInstant } from './zone.ts';

export interface DateOptions {
  /** Whether 5/12 means the fifth of December; month first otherwise. */
  readonly dayFirst?: boolean;
}

export type DateResult = { readonly ok: true; readonly due: Due } | { readonly ok: false; readonly reason: string };

const leads = [
  'first thing',
  'no later than',
  'not later than',
  'due on',
  'due by',
  'due at',
  'due',
  'on',
  'by',
  'before',
  'until',
  'till',
  'for',
  'around',
];

/** Reads a text that is a date and nothing else. What it cannot read whole, it refuses. */
export function parseDate(text: string, now: Date, zone: string, options: DateOptions = {}): DateResult {
  const reference = referencePoint(now, zone, options.dayFirst);
  const cursor = new Cursor(text.trim());
  if (cursor.atEnd) return { ok: false, reason: 'the date is empty' };
  if (cursor.tokens.length > 40) return { ok: false, reason: 'the text is too long for a date' };
  takeLead(cursor);
  const rightNow = nowItself(cursor, reference);
  if (rightNow) return { ok: true, due: rightNow };
  const phrase = datePhrase(cursor, reference);
  cursor.take('.', '!');
  if (!phrase || !cursor.atEnd) return { ok: false, reason: whyNot(cursor) };
  if (isProblem(phrase)) return { ok: false, reason: phrase.problem };
  return { ok: true, due: resolvePhrase(phrase, reference) };
}

/** Takes `by`, `due on` and the like; `in` only before a month ("in june"). */
export function takeLead(cursor: Cursor): boolean {
  if (months.has(cursor.peek(1)?.text ?? '') && cursor.take('in')) return true;
  return leads.some((words) => cursor.takeWords(words));
}

function nowItself(cursor: Cursor, { now, zone }: ReferencePoint): Due | undefined {
  if (cursor.tokens.length - cursor.index !== 1 || !cursor.take('now', 'asap')) return undefined;
  if (cursor.peek(-1)?.text === 'asap') return undefined;
  return { value: formatInstant(now, zone), hasTime: true, past: false, said: 'both' };
}

function whyNot(cursor: Cursor): string {
  const repeating = cursor.tokens.some(({ text }) => ['every', 'daily', 'weekly', 'monthly', 'yearly'].includes(text));
  if (repeating) return 'a repeating date is not a due date; set the recurrence of the task instead';
  const rest = cursor.peek()?.text;
  return cursor.index > 0 && rest !== undefined ? `"${rest}" is not understood here` : 'not a date that is understood';
}

/** `a week`, `3 days`: how far to move something. */
export function parseDuration(text: string): Duration | undefined {
  const cursor = new Cursor(text.trim());
  const found = duration(cursor);
  return found && cursor.atEnd ? found : undefined;
}
