import type { Said } from './pack-model.ts';
import { isFunctionWord, stem, type Word, wordsOf } from './words.ts';

/** An answer made ready for matching. */
export interface Reading {
  readonly text: string;
  readonly words: readonly Word[];
  /** The stems with synonyms folded: what patterns are compared with. */
  readonly stems: readonly string[];
}

export type Synonyms = Readonly<Record<string, readonly string[]>>;

export interface Span {
  readonly start: number;
  readonly end: number;
}

const negations = new Set(
  `not no never none cannot can't don't doesn't didn't won't wouldn't shouldn't isn't aren't wasn't weren't without avoid stop
  nothing neither nor hardly instead`.split(/\s+/),
);
const negationReach = 4;
/** How many other words may stand between two words of a phrase. */
const phraseGap = 3;

export function readAnswer(text: string, synonyms: Synonyms = {}): Reading {
  const words = wordsOf(text);
  return { text, words, stems: foldSynonyms(words, synonyms) };
}

function foldSynonyms(words: readonly Word[], synonyms: Synonyms): string[] {
  const stems = words.map((word) => word.stem);
  for (const [head, others] of Object.entries(synonyms)) {
    const target = stem(head);
    for (const other of others) {
      const wanted = wordsOf(other).map((word) => word.stem);
      for (let at = 0; at + wanted.length <= stems.length; at += 1) {
        if (wanted.length > 0 && wanted.every((part, offset) => words[at + offset]?.stem === part)) stems[at] = target;
      }
    }
  }
  return stems;
}

/** Where everything asked for is said, or undefined. */
export function findSaid(said: Said, reading: Reading, synonyms: Synonyms = {}): Span[] | undefined {
  const groups = said.every((item) => Array.isArray(item)) ? said : [said as string[]];
  const spans: Span[] = [];
  for (const group of groups) {
    const span = findAny(group, reading, synonyms);
    if (!span) return undefined;
    spans.push(span);
  }
  return spans;
}

export function findAny(patterns: readonly string[], reading: Reading, synonyms: Synonyms = {}): Span | undefined {
  for (const pattern of patterns) {
    const span = findPattern(pattern, reading, synonyms);
    if (span) return span;
  }
  return undefined;
}

/**
 * - `first number`: these words in this order, a few others between them allowed, whatever their form;
 * - `anchor*`: any word that begins so; `high|big number`: either word;
 * - `not discount`: the rest, said with a negation; without `not`, a negation before it voids the match;
 * - `/\d+ ?%/`: a regular expression on the text as it stands.
 */
export function findPattern(pattern: string, reading: Reading, synonyms: Synonyms = {}): Span | undefined {
  const expression = /^\/(.+)\/$/s.exec(pattern);
  if (expression) return findExpression(expression[1] ?? '', reading.text);
  const negated = /^not\s+/i.test(pattern);
  const parts = patternParts(negated ? pattern.replace(/^not\s+/i, '') : pattern, synonyms);
  if (parts.length === 0) return undefined;
  for (let at = 0; at < reading.stems.length; at += 1) {
    const last = matchFrom(parts, reading, at);
    if (last === undefined) continue;
    if (speaksOfNegation(pattern, negated) || isNegated(reading, at, last) === negated) {
      return { start: reading.words[at]?.start ?? 0, end: reading.words[last]?.end ?? 0 };
    }
  }
  return undefined;
}

function findExpression(source: string, text: string): Span | undefined {
  const match = new RegExp(source, 'iu').exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

type Part = (stem: string, word: Word) => boolean;

const partsCache = new WeakMap<Synonyms, Map<string, readonly Part[]>>();

function patternParts(pattern: string, synonyms: Synonyms): readonly Part[] {
  const cache = partsCache.get(synonyms) ?? new Map<string, readonly Part[]>();
  partsCache.set(synonyms, cache);
  const kept = cache.get(pattern);
  if (kept) return kept;
  const parts = pattern.split(/\s+/).map((token) => partOf(token, synonyms));
  cache.set(pattern, parts);
  return parts;
}

function partOf(token: string, synonyms: Synonyms): Part {
  const alternatives = token.split('|').map((word): Part => {
    if (word.endsWith('*')) {
      const prefix = word.slice(0, -1).toLowerCase();
      return (_stem, { text }) => text.toLowerCase().startsWith(prefix);
    }
    const wanted = foldSynonyms(wordsOf(word), synonyms)[0] ?? word.toLowerCase();
    return (found, { text }) => found === wanted || text.toLowerCase() === word.toLowerCase();
  });
  return (found, word) => alternatives.some((matches) => matches(found, word));
}

function matchFrom(parts: readonly Part[], reading: Reading, at: number): number | undefined {
  let position = at;
  for (const [index, part] of parts.entries()) {
    const limit = index === 0 ? at : Math.min(position + phraseGap, reading.stems.length - 1);
    let found = -1;
    for (let candidate = position; candidate <= limit && found < 0; candidate += 1) {
      const word = reading.words[candidate];
      if (word && part(reading.stems[candidate] ?? '', word)) found = candidate;
    }
    if (found < 0) return undefined;
    position = index === parts.length - 1 ? found : found + 1;
  }
  return position;
}

/** A phrase such as `without asking` brings its own negation. */
function speaksOfNegation(pattern: string, negated: boolean): boolean {
  return !negated && pattern.split(/[\s|]+/).some((word) => negations.has(word.toLowerCase()));
}

function isNegated({ words }: Reading, first: number, last: number): boolean {
  const clause = words[first]?.clause;
  return words.slice(Math.max(0, first - negationReach), last).some((word, offset) => {
    if (word.clause !== clause) return false;
    const at = Math.max(0, first - negationReach) + offset;
    return negations.has(word.text.toLowerCase().replaceAll('’', "'")) && !affirms(words, at);
  });
}

/** "not only", "no doubt" and "no matter" affirm. */
function affirms(words: readonly Word[], at: number): boolean {
  const next = words[at + 1]?.text.toLowerCase();
  return next === 'only' || next === 'just' || next === 'doubt' || next === 'matter';
}

export function contentStems(words: readonly Word[]): string[] {
  return words.filter((word) => !isFunctionWord(word)).map((word) => word.stem);
}
