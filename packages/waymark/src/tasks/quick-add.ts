import { findDatePhrase, findRecurrencePhrase, type Span, withoutSpans } from '../dates/index.ts';
import { readLabels } from './labels.ts';
import { type Priority, taskError } from './model.ts';

export interface QuickTask {
  readonly title: string;
  readonly dueDate: string | null;
  readonly recurrence: string | null;
  readonly priority: Priority;
  readonly labels: readonly string[];
}

const priorityMarks: readonly (readonly [pattern: RegExp, priority: Priority])[] = [
  [/(?<![\p{L}\p{N}_])(?:p1|!(?:1|high|h|!!))(?![\p{L}\p{N}_!])/giu, 'high'],
  [/(?<![\p{L}\p{N}_])(?:p2|!(?:2|medium|med|m))(?![\p{L}\p{N}_!])/giu, 'medium'],
  [/(?<![\p{L}\p{N}_])(?:p[34]|!(?:[34]|low|l))(?![\p{L}\p{N}_!])/giu, 'low'],
];
const labelMark = /(?<![^\s(])[#@](\p{L}[\p{L}\p{M}\p{N}_/.-]*)/gu;
const quoted = /"[^"]*"|“[^”]*”|`[^`]*`/gu;

/**
 * Reads one line of quick entry: `pay rent every month on the 1st p1 #home`. Marks and dates may
 * stand anywhere; what stands in quotes is title.
 */
export function readQuickTask(text: string, now: Date, zone: string): QuickTask {
  const shielded = spansOf(text, quoted);
  const isFree = (span: Span) => !shielded.some(({ start, end }) => span.start < end && span.end > start);
  const taken: Span[] = [];
  const labels: string[] = [];
  for (const match of text.matchAll(labelMark)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (!isFree(span)) continue;
    labels.push(match[1]?.replace(/[.-]+$/, '') ?? '');
    taken.push(span);
  }
  let priority: Priority | undefined;
  for (const [pattern, value] of priorityMarks) {
    const spans = spansOf(text, pattern).filter(isFree);
    if (spans.length > 0) priority ??= value;
    taken.push(...spans);
  }
  const { dueDate, recurrence, spans } = readDates(blankOut(text, taken), now, zone);
  return {
    title: withoutSpans(text, [...taken, ...spans]),
    dueDate,
    recurrence,
    priority: priority ?? 'medium',
    labels: readLabels(labels),
  };
}

function readDates(text: string, now: Date, zone: string) {
  const repeating = findRecurrencePhrase(text, now, zone);
  const rest = repeating ? blankOut(text, [repeating]) : text;
  const date = findDatePhrase(rest, now, zone);
  if (date && !date.due) throw taskError('INVALID_DATE', { due_date: date.text, reason: date.problem });
  return {
    dueDate: date?.due?.value ?? repeating?.first.value ?? null,
    recurrence: repeating?.rule ?? null,
    spans: [...(repeating ? [repeating] : []), ...(date?.pieces ?? [])],
  };
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), (match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** Spaces in place of what has been read, so that positions stay true. */
function blankOut(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  return result;
}
