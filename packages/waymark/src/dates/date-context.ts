import type { Cursor, Token } from './cursor.ts';
import { holidays, months, ordinals, smallNumbers, tens, weakWords, weekdays } from './vocabulary.ts';

const strongLeads = new Set(['on', 'by', 'before', 'until', 'till', 'due', 'than']);
const followers = new Set(
  'to with at for in on about and or from by before after because so that please if when re via as then it its is i we my the a but until due every thanks ok okay instead also too'.split(
    ' ',
  ),
);
const openers = new Set('about of called titled named vs versus like'.split(' '));

/**
 * Whether words that can be a date are one where they stand: after a preposition, at the end, or
 * before something that does not take them as its attribute. "The friday report" has no date.
 */
export function isPlausible(words: readonly Token[], lead: string, cursor: Cursor, begin: number): boolean {
  const { tokens } = cursor;
  const before = tokens[begin - 1];
  if (before && (openers.has(before.text) || isNumberWord(before))) return false;
  if (isPartOfName(words, cursor, before)) return false;
  const single = words.length === 1 ? (words[0]?.text ?? '') : undefined;
  const strong = strongLeads.has(lead);
  if (single !== undefined && weakWords.has(single) && lead === '') return false;
  if (words.every(isOrdinalWord) && !strong) return isNumberedDay(words, lead) && followed(cursor);
  const bareHour = isBareHour(words);
  if (strong && !bareHour) return true;
  const isOffset = ['in', 'within'].includes(words[0]?.text ?? '') && words[1]?.text !== 'the';
  if (isOffset || (begin === 0 && single === undefined && !bareHour)) return true;
  if (begin === 0 && ['today', 'tomorrow', 'tonight'].includes(single ?? '')) return true;
  return followed(cursor);
}

/** `the 15th`, `for 15th`; a bare "15th" or "the second" may be anything. */
function isNumberedDay(words: readonly Token[], lead: string): boolean {
  return (lead !== '' || words[0]?.text === 'the') && words.some(({ kind }) => kind === 'number');
}

/** Nothing comes after, or something that does not take the date as its attribute. */
function followed(cursor: Cursor): boolean {
  const next = cursor.peek();
  const isHyphenated = next?.text === '-' && cursor.isGlued && next.end === cursor.peek(1)?.start;
  if (isHyphenated) return false;
  if (!next || next.kind === 'mark') return !next || /[.,;:!?)\]}"'”’#*+~—–-]/.test(next.text);
  return followers.has(next.text) || next.text.includes("'") || /^p[1-4]?$/.test(next.text) || canStartAnother(cursor);
}

function canStartAnother(cursor: Cursor): boolean {
  const next = cursor.peek();
  return (
    next !== undefined &&
    next.kind === 'word' &&
    canStart(next) &&
    !smallNumbers.has(next.text) &&
    !weakWords.has(next.text)
  );
}

/** `seven hundred forty five pm` is no five o'clock. */
function isNumberWord({ text }: Token): boolean {
  return tens.has(text) || smallNumbers.has(text) || text === 'hundred';
}

function isOrdinalWord({ text, kind }: Token): boolean {
  return (
    kind === 'number' ||
    text === 'the' ||
    ordinals.has(text) ||
    tens.has(text) ||
    ['st', 'nd', 'rd', 'th'].includes(text)
  );
}

/** `at 5`, `by eight`: a number that may as well count something. */
export function isBareHour(words: readonly Token[]): boolean {
  const [first, second] = words[0]?.text === 'at' || words[0]?.text === '@' ? words.slice(1) : words;
  return second === undefined && (first?.kind === 'number' || smallNumbers.has(first?.text ?? ''));
}

const dayNicknames = new Set('black good freaky super cyber taco ash palm easter bloody shrove fat'.split(' '));

/** `Black Friday`, `Freaky Friday`: a weekday written as the second word of a name. */
function isPartOfName(words: readonly Token[], { source }: Cursor, before: Token | undefined): boolean {
  const first = words[0];
  if (!before || !first || !weekdays.has(first.text)) return false;
  if (dayNicknames.has(before.text)) return true;
  const isCapital = (token: Token) => /^\p{Lu}\p{Ll}/u.test(source.slice(token.start, token.end));
  return (
    before.start > 0 && isCapital(first) && isCapital(before) && !source.slice(0, before.start).trimEnd().endsWith('.')
  );
}

const starters: ReadonlySet<string> = new Set([
  ...weekdays.keys(),
  ...months.keys(),
  ...ordinals.keys(),
  ...tens.keys(),
  ...smallNumbers.keys(),
  ...holidays.map(([words]) => words.split(' ')[0] ?? ''),
  ...'the day today tod tonight tonite tomorrow tmrw tmr tomo tommorow tommorrow tomorow yesterday later this next coming last past in within a an half quarter noon midday midnight at eod eow eom eoy cob end beginning start middle mid close on by before until till due for around no not first'.split(
    ' ',
  ),
  '@',
]);

/** Whether a date can begin with this word; sparing on purpose, so that most words cost nothing. */
export function canStart({ kind, text }: Token): boolean {
  return kind === 'number' || starters.has(text);
}
