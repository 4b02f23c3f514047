import { Cursor, type Token, tokenize } from './cursor.ts';
import { canStart, isBareHour, isPlausible } from './date-context.ts';
import { type Due, resolvePhrase } from './due.ts';
import { takeLead } from './parse-date.ts';
import { datePhrase, type Phrase } from './phrase.ts';
import { type ReferencePoint, referencePoint } from './reference-point.ts';
import { isProblem } from './time-rules.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A date said inside a longer text. */
export interface DatePhrase extends Span {
  readonly text: string;
  /** Undefined when it has the shape of a date but cannot be one; then `problem` says why. */
  readonly due: Due | undefined;
  readonly problem?: string;
  /** Where the words lie; two when day and time stand apart ("at 5 call mom tomorrow"). */
  readonly pieces: readonly Span[];
}

interface Candidate extends Span {
  readonly phrase: Phrase | undefined;
  readonly problem: string | undefined;
  /** Followed by "to …" or opening the sentence: then it is when, not what. */
  readonly leading: boolean;
}

/**
 * Finds when something is due inside a sentence. Words in quotes are never a date; neither are
 * words that belong to what follows them ("the friday report", "buy sun screen").
 */
export function findDatePhrase(text: string, now: Date, zone: string): DatePhrase | undefined {
  const tokens = tokenize(text);
  if (!tokens.some(canStart)) return undefined;
  const reference = referencePoint(now, zone);
  const candidates = findCandidates(text, tokens, reference);
  const chosen = candidates.findLast((candidate) => candidate.leading) ?? candidates.at(-1);
  if (!chosen) return undefined;
  const partner =
    chosen.phrase && candidates.find((other) => other !== chosen && complements(chosen.phrase, other.phrase));
  const pieces = [chosen, ...(partner ? [partner] : [])].toSorted((left, right) => left.start - right.start);
  const span = pieces.map(({ start, end }) => ({ start, end }));
  const { start, end } = chosen;
  const words = { start, end, text: span.map((piece) => text.slice(piece.start, piece.end)).join(' '), pieces: span };
  if (!chosen.phrase) return { ...words, due: undefined, problem: chosen.problem ?? 'not a date' };
  return { ...words, due: resolvePhrase({ ...partner?.phrase, ...chosen.phrase }, reference) };
}

/** The text without some of its parts, with single spaces and no punctuation left dangling. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = text;
  for (const { start, end } of spans.toSorted((left, right) => right.start - left.start)) {
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return rest
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:!?](?:\s|$))/g, '')
    .replaceAll(/^[\s,;:.–-]+|[\s,;:–-]+$/g, '')
    .trim();
}

function complements(left: Phrase | undefined, right: Phrase | undefined): boolean {
  if (!left || !right || left.instant || right.instant) return false;
  return (
    (left.day !== undefined) !== (right.day !== undefined) && (left.time !== undefined) !== (right.time !== undefined)
  );
}

function findCandidates(text: string, tokens: readonly Token[], reference: ReferencePoint): Candidate[] {
  const quoted = quotedSpans(text);
  const found: Candidate[] = [];
  for (let index = 0; index < tokens.length;) {
    const token = tokens[index] as Token;
    const inQuotes = quoted.find((span) => token.start >= span.start && token.start < span.end);
    const cursor =
      canStart(token) && !inQuotes && !isGluedToWord(tokens, index) ? new Cursor(text, tokens, index) : undefined;
    const candidate = cursor && readAt(cursor, index, reference);
    if (candidate && cursor) {
      found.push(candidate);
      index = cursor.index;
    } else index++;
  }
  return found;
}

function readAt(cursor: Cursor, begin: number, reference: ReferencePoint): Candidate | undefined {
  const { tokens, source } = cursor;
  const hasLead = takeLead(cursor);
  const first = cursor.index;
  const phrase = datePhrase(cursor, reference);
  if (!phrase || cursor.index === first) return undefined;
  const words = tokens.slice(first, cursor.index);
  const lead = hasLead ? (tokens[first - 1]?.text ?? '') : '';
  if (!isPlausible(words, lead, cursor, begin)) return undefined;
  if (isProblem(phrase) && isBareHour(words)) return undefined;
  const problem = isProblem(phrase) ? phrase.problem : undefined;
  const last = tokens[cursor.index - 1] as Token;
  const isAfter = tokens[begin - 1]?.text === 'after' && !problem && !('day' in phrase);
  const start = (tokens[isAfter ? begin - 1 : begin] as Token).start;
  return {
    start,
    end: last.end + (source[last.end] === '.' && last.text === 'm' ? 1 : 0),
    phrase: isProblem(phrase) ? undefined : phrase,
    problem,
    leading: begin === 0 || isInfinitive(cursor),
  };
}

/** `tomorrow to call mom`, but not `monday to friday`. */
function isInfinitive(cursor: Cursor): boolean {
  const following = cursor.peek(1);
  return cursor.peek()?.text === 'to' && following !== undefined && !canStart(following);
}

/** `covid-19`, `#today`, `v1.5`, `$5`: part of a longer word. */
function isGluedToWord(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return before !== undefined && before.end === tokens[index]?.start && !/^[([{"'“‘,;:!?…—–]$/.test(before.text);
}

function quotedSpans(text: string): Span[] {
  const pattern = /"[^"]*"|“[^”]*”|«[^»]*»|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])|‘[^’]*’(?![\p{L}\p{N}])|`[^`]*`/gu;
  return Array.from(text.matchAll(pattern), (match) => ({ start: match.index, end: match.index + match[0].length }));
}
