import { correctTypo } from './typos.ts';

interface Token {
  /** Lower case, typos corrected; `quoted` for a passage in quotes. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A message prepared for rules: one line of plain lower-case words, with the way back to what was
 * typed. Rules match the plain line; slots are cut from the original.
 */
export interface Sentence {
  readonly original: string;
  readonly plain: string;
  /** What was typed between two positions of the plain line, trimmed. */
  slice(from: number, to?: number): string;
  /** The sentence between two positions of the plain line. */
  part(from: number, to?: number): Sentence;
}

const tokenPattern =
  /"[^"]+"|“[^”]+”|(?<=^|[\s:,(])'[^']+'(?=$|[\s.,!?;:)])|(?<=^|\s)‘[^’]+’|<[^>]*>|\d+(?:[.,:/]\d+)+|[ap]\.m\.?|[\p{L}\p{N}\p{M}]+(?:[’'\-.@_/][\p{L}\p{N}\p{M}]+)*['’]?|[,;:.!?…]+|[^\s]/gu;

export function readSentence(message: string): Sentence {
  const original = message.normalize('NFC');
  const tokens: Token[] = [];
  for (const match of original.matchAll(tokenPattern)) {
    tokens.push({ word: wordOf(match[0]), from: match.index, to: match.index + match[0].length });
  }
  return sentenceOf(original, joinPhrases(tokens));
}

function wordOf(text: string): string {
  if (/^(?:"[^"]|“|'[^']|‘).*.$/u.test(text) && text.length > 2) return 'quoted';
  if (/^[,;:.!?…]+$/.test(text)) return punctuationOf(text);
  const word = text
    .toLowerCase()
    .replace(/(?<=[a-z])[’']re$/, ' are')
    .replace(/(?<=[a-z])[’']ll$/, ' will')
    .replace(/(?<=\b(?:we|you|he|she|they))[’']d$/, ' would')
    .replaceAll(/[’']/g, '');
  return correctTypo(word);
}

function punctuationOf(text: string): string {
  if (text.includes('?')) return '?';
  if (text.includes('!') || text.includes('.') || text.includes('…')) return '.';
  return text[0] ?? ',';
}

const doBefore = new Set(
  'my the a an new add delete remove complete mark create another this that your our these those all of task same'.split(
    ' ',
  ),
);

/** `to do` and `to-do` become `todo` where they are a noun, so that rules need only one spelling. */
function joinPhrases(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1];
    const afterNext = tokens[index + 2]?.word ?? '';
    const before = joined.at(-1)?.word ?? '';
    if (/^to-dos?$/.test(token.word)) {
      joined.push({ ...token, word: token.word.replace('-', '') });
    } else if (token.word === 'to' && next && /^dos?$/.test(next.word) && isNoun(next.word, before, afterNext)) {
      joined.push({ word: `to${next.word}`, from: token.from, to: next.to });
      index++;
    } else {
      joined.push(token);
    }
  }
  return joined;
}

function isNoun(word: string, before: string, after: string): boolean {
  if (word === 'dos' || /^(?:list|lists|item|items|task|tasks|shopping|entries|:)$/.test(after)) return true;
  return doBefore.has(before) || (before === '' && after !== '');
}

function sentenceOf(original: string, tokens: readonly Token[]): Sentence {
  const starts: number[] = [];
  let plain = '';
  for (const token of tokens) {
    if (plain) plain += ' ';
    starts.push(plain.length);
    plain += token.word;
  }
  const inside = (from: number, to: number) =>
    tokens.filter((token, index) => {
      const start = starts[index] as number;
      return start >= from && start + token.word.length <= to;
    });
  return {
    original,
    plain,
    slice(from, to = plain.length) {
      const chosen = inside(from, to);
      const [first, last] = [chosen[0], chosen.at(-1)];
      return first && last ? original.slice(first.from, last.to) : '';
    },
    part: (from, to = plain.length) => sentenceOf(original, inside(from, to)),
  };
}
