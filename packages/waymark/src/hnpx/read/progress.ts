import type { Book } from '../book/book.ts';
import { level } from '../model.ts';
import { countWords } from './words.ts';

/** empty: nothing below. planned: nodes, no text. partial: some text. written: text wherever there should be. */
export const statuses = ['empty', 'planned', 'partial', 'written'] as const;
export type Status = (typeof statuses)[number];

export interface Progress {
  /** Words of text in each node, descendants included. */
  readonly words: Int32Array;
  readonly status: readonly Status[];
}

/** Counts words and derives each node's status in one pass from the last row to the first. */
export function measureProgress(book: Book): Progress {
  const { count, level: levels, parent, next, written } = book.index;
  const words = new Int32Array(count);
  const hasText = new Uint8Array(count);
  const hasGap = new Uint8Array(count);
  const status: Status[] = Array.from({ length: count }, () => 'empty');
  for (let row = count - 1; row >= 0; row--) {
    if (levels[row] === level.paragraph) {
      if (written[row] === 1) {
        words[row] = countWords(book.text(row));
        hasText[row] = 1;
      } else hasGap[row] = 1;
    } else if (next[row] === row + 1) hasGap[row] = 1;
    status[row] = statusOf(hasText[row] === 1, hasGap[row] === 1, next[row]! > row + 1);
    const above = parent[row]!;
    if (above < 0) continue;
    words[above]! += words[row]!;
    hasText[above]! |= hasText[row]!;
    hasGap[above]! |= hasGap[row]!;
  }
  return { words, status };
}

function statusOf(hasText: boolean, hasGap: boolean, hasChildren: boolean): Status {
  if (hasText) return hasGap ? 'partial' : 'written';
  return hasChildren ? 'planned' : 'empty';
}
