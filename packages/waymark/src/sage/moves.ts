import { quoteAround } from './assess.ts';
import type { Move } from './pack-model.ts';
import { findAny, findSaid, readAnswer, type Reading, type Synonyms } from './pattern.ts';

export interface MadeMove {
  readonly move: Move;
  /** The learner's words that made it. */
  readonly quote: string;
}

/** What a message does in a role play, in the order the scenario lists its moves. */
export function recogniseMoves(moves: readonly Move[], message: string, synonyms: Synonyms = {}): MadeMove[] {
  const reading = readAnswer(message, synonyms);
  return moves.flatMap((move) => {
    const quote = recognise(move, reading, synonyms);
    return quote === undefined ? [] : [{ move, quote }];
  });
}

const asksByWords = /\?|^\s*(?:what|why|how|who|when|where|which|could you|can you|would you|do you|tell me)\b/im;
const amount =
  /[$€£]\s?\d[\d.,]*\s?k?|\b\d[\d.,]*\s?(?:k\b|%|percent|dollars|euros|pounds|an hour|per hour|a day)|\b\d+(?:[.,]\d+)*\b/i;

export function amountIn(message: string): string | undefined {
  return amount
    .exec(message)?.[0]
    .trim()
    .replace(/[.,]+$/, '');
}

function recognise(move: Move, reading: Reading, synonyms: Synonyms): string | undefined {
  const { text, words } = reading;
  if (words.length === 0) return undefined;
  if (move.question !== undefined && asksByWords.test(text) !== move.question) return undefined;
  if (move.number !== undefined && (amountIn(text) !== undefined) !== move.number) return undefined;
  if (move.maxWords !== undefined && words.length > move.maxWords) return undefined;
  if (move.minWords !== undefined && words.length < move.minWords) return undefined;
  if (findAny(move.unless, reading, synonyms)) return undefined;
  if (!move.said) return shorten(reading);
  const spans = findSaid(move.said, reading, synonyms);
  return spans && quoteAround(reading, spans);
}

/** The question of a message that asks one, else its beginning. */
function shorten(reading: Reading): string {
  const mark = reading.text.indexOf('?');
  const at = mark < 0 ? 0 : mark - 1;
  return quoteAround(reading, [{ start: at, end: at + 1 }]);
}
