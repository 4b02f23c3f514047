import type { Check, Criterion, Misconception } from './pack-model.ts';
import { findAny, findSaid, readAnswer, type Reading, type Span, type Synonyms } from './pattern.ts';
import { isFunctionWord, type Word, wordsOf } from './words.ts';

export type Level = 'solid' | 'partial' | 'not_there' | 'unjudged';

export interface MetCriterion {
  readonly criterion: Criterion;
  /** The learner's own words that meet it. */
  readonly quote: string;
}

export interface Assessment {
  readonly level: Level;
  readonly met: readonly MetCriterion[];
  readonly missing: readonly Criterion[];
  readonly misconceptions: readonly { readonly misconception: Misconception; readonly quote: string }[];
  /** The answer repeats what was just said to the learner. */
  readonly parroted: boolean;
  /** Why an answer could not be judged. */
  readonly reason: 'empty' | 'too_short' | 'other_language' | 'word_list' | undefined;
  /** How many of the words are the learner's own. */
  readonly ownWords: number;
}

/** Judges an answer by the criteria of a check. `shown` is what the learner has been told: repeating it earns nothing. */
export function assess(check: Check, answer: string, shown: readonly string[], synonyms: Synonyms = {}): Assessment {
  const whole = readAnswer(answer, synonyms);
  const unreadable = whyUnreadable(whole);
  if (unreadable) return unjudged(check, unreadable, 0);

  const own = withoutCopies(answer, whole.words, shown);
  const reading = readAnswer(own, synonyms);
  const parroted = reading.words.length < check.minWords && whole.words.length >= check.minWords;
  if (parroted) return { ...unjudged(check, undefined, reading.words.length), level: 'not_there', parroted };

  const misconceptions = check.misconceptions.flatMap((misconception) => {
    const spans = isSaid(misconception, whole, synonyms);
    return spans ? [{ misconception, quote: quoteAround(whole, spans) }] : [];
  });
  const met: MetCriterion[] = [];
  const missing: Criterion[] = [];
  for (const criterion of check.criteria) {
    const spans = isSaid(criterion, reading, synonyms);
    if (spans) met.push({ criterion, quote: quoteAround(reading, spans) });
    else missing.push(criterion);
  }
  const ownWords = reading.words.length;
  const found = { met, missing, misconceptions, parroted: false, ownWords };
  if (ownWords < check.minWords && misconceptions.length === 0)
    return { ...found, level: 'unjudged', reason: 'too_short' };
  const solid = missing.every((criterion) => !criterion.required) && misconceptions.length === 0;
  const level = solid ? 'solid' : met.length > 0 ? 'partial' : 'not_there';
  return { ...found, level, reason: undefined };
}

function isSaid(item: Pick<Criterion, 'said' | 'unless'>, reading: Reading, synonyms: Synonyms): Span[] | undefined {
  return findAny(item.unless, reading, synonyms) ? undefined : findSaid(item.said, reading, synonyms);
}

function unjudged(check: Check, reason: Assessment['reason'], ownWords: number): Assessment {
  return { level: 'unjudged', met: [], missing: check.criteria, misconceptions: [], parroted: false, reason, ownWords };
}

/** Whether this is English sentences at all. */
function whyUnreadable({ words, text }: Reading): Assessment['reason'] {
  if (words.length === 0) return /\p{L}/u.test(text) ? 'other_language' : 'empty';
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin / letters < 0.6) return 'other_language';
  if (words.length < 6) return undefined;
  const share = words.filter(isFunctionWord).length / words.length;
  if (share >= 0.12) return undefined;
  return words.filter((word) => foreignMarkers.has(word.text.toLowerCase())).length / words.length >= 0.1
    ? 'other_language'
    : 'word_list';
}

const foreignMarkers = new Set(
  `el la los las un una que de en y por con para es der die das und ist nicht ein eine ich le les des et est une pour dans il
  che di non per sono o os uma não com`.split(/\s+/),
);

/** As many words in a row, copied, count as repeated rather than said. */
const copiedRun = 6;

/** The answer with every stretch that was copied from `shown` cut out. */
export function withoutCopies(answer: string, words: readonly Word[], shown: readonly string[]): string {
  const runs = new Set<string>();
  for (const text of shown) for (const run of runsOf(wordsOf(text))) runs.add(run);
  if (runs.size === 0) return answer;
  const copied = new Set<number>();
  for (const [at, run] of runsOf(words).entries()) {
    if (runs.has(run)) for (let offset = 0; offset < copiedRun; offset += 1) copied.add(at + offset);
  }
  if (copied.size === 0) return answer;
  let own = '';
  let from = 0;
  for (const [at, word] of words.entries()) {
    if (!copied.has(at)) continue;
    own += answer.slice(from, word.start);
    from = word.end;
  }
  return own + answer.slice(from);
}

function runsOf(words: readonly Word[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + copiedRun <= words.length; at += 1) {
    runs.push(
      words
        .slice(at, at + copiedRun)
        .map((word) => word.stem)
        .join(' '),
    );
  }
  return runs;
}

const quoteWords = 16;

/** The clause in which something was said, verbatim, shortened at word boundaries. */
export function quoteAround({ text, words }: Pick<Reading, 'text' | 'words'>, spans: readonly Span[]): string {
  const [first] = spans;
  if (!first) return '';
  const inside = words.findIndex((word) => word.end > first.start);
  const hit = words[inside];
  if (!hit) return text.slice(first.start, first.end);
  const clause = words.filter((word) => word.clause === hit.clause);
  const at = clause.indexOf(hit);
  const begin = clause.length <= quoteWords ? 0 : Math.max(0, Math.min(at - 4, clause.length - quoteWords));
  const from = clause[begin];
  const to = clause[Math.min(begin + quoteWords, clause.length) - 1];
  return from && to ? text.slice(from.start, Math.max(to.end, from.end)) : '';
}
