import type { Book } from '../book/book.ts';
import { level, type NodeKind } from '../model.ts';
import { measureProgress, type Status } from './progress.ts';
import { oneLine, placeAndTime } from './render.ts';

export interface OutlineEntry {
  readonly id: string;
  readonly type: NodeKind;
  readonly depth: number;
  readonly heading: string;
  readonly summary: string | null;
  readonly status: Status;
  readonly words: number;
  readonly children: number;
}

/** The plan of a book or a part of it, down to a level, with what is written so far. */
export function outline(book: Book, root: number, deepest: NodeKind): OutlineEntry[] {
  const { words, status } = measureProgress(book);
  const entries: OutlineEntry[] = [];
  for (let row = root; row < book.index.next[root]!; row++) {
    const depth = book.index.level[row]!;
    if (depth > level[deepest]) continue;
    entries.push({
      id: book.id(row),
      type: book.kind(row),
      depth: depth - book.index.level[root]!,
      heading: headingOf(book, row),
      summary: book.summary(row) ?? null,
      status: status[row] ?? 'empty',
      words: words[row]!,
      children: book.children(row).length,
    });
  }
  return entries;
}

function headingOf(book: Book, row: number): string {
  const kind = book.kind(row);
  if (kind === 'chapter') return `Chapter ${book.position(row) + 1}: ${oneLine(book.attribute(row, 'title') ?? '')}`;
  if (kind === 'sequence') return `Sequence: ${placeAndTime(book, row)}`;
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

export function outlineText(entries: readonly OutlineEntry[]): string {
  return entries
    .map(({ id, depth, heading, summary, status, words }) => {
      const facts = words > 0 ? `${status}, ${words} word${words === 1 ? '' : 's'}` : status;
      return `${'  '.repeat(depth)}[${id}] ${heading} (${facts})${summary ? ` - ${oneLine(summary)}` : ''}`;
    })
    .join('\n');
}
