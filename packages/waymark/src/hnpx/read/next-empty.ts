import type { Book } from '../book/book.ts';
import { kindAt, level, type NodeKind } from '../model.ts';

export interface EmptyNode {
  readonly id: string;
  readonly type: NodeKind;
  readonly message: string;
}

/** The first container without children, level by level and in document order within a level. */
export function nextEmpty(
  book: Book,
  options: { within?: number; includeParagraphs?: boolean } = {},
): EmptyNode | null {
  const within = options.within ?? 0;
  const { index } = book;
  const end = index.next[within]!;
  for (let depth: number = level.book; depth < level.paragraph; depth++) {
    for (let row = within; row < end; row++) {
      if (index.level[row] === depth && index.next[row] === row + 1) return describe(book, row);
    }
  }
  if (!options.includeParagraphs) return null;
  for (let row = within; row < end; row++) {
    if (index.level[row] === level.paragraph && index.written[row] === 0) return describe(book, row);
  }
  return null;
}

function describe(book: Book, row: number): EmptyNode {
  const type = book.kind(row);
  const label = type[0]!.toUpperCase() + type.slice(1);
  const lacking = type === 'paragraph' ? 'text' : `${kindAt(level[type] + 1)}s`;
  return { id: book.id(row), type, message: `${label} has no ${lacking}` };
}
