import type { Book } from '../book/book.ts';
import { level, type NodeKind } from '../model.ts';
import { wholeSlice } from '../xml/text.ts';
import { findMatches, type Pattern } from './match.ts';

export const searchFields = ['text', 'summary', 'title', 'location', 'time', 'pov', 'char'] as const;
export type SearchField = (typeof searchFields)[number];

/** Which nodes and which parts of them are looked at. */
export interface SearchScope {
  readonly node_id?: string | null | undefined;
  readonly fields?: readonly SearchField[] | null | undefined;
  readonly type?: NodeKind | null | undefined;
  readonly mode?: string | null | undefined;
  readonly char?: string | null | undefined;
  readonly pov?: string | null | undefined;
}

export interface Candidate {
  readonly row: number;
  readonly field: SearchField;
  readonly value: string;
}

export function* candidates(book: Book, scope: SearchScope): Iterable<Candidate> {
  const root = scope.node_id ? book.require(scope.node_id) : 0;
  const fields = scope.fields ?? ['text', 'summary', 'title'];
  for (let row = root; row < book.index.next[root]!; row++) {
    if (!isInScope(book, row, scope)) continue;
    for (const field of fields) {
      const value = fieldValue(book, row, field);
      if (value) yield { row, field, value };
    }
  }
}

function isInScope(book: Book, row: number, { type, mode, char, pov }: SearchScope): boolean {
  if (type && book.kind(row) !== type) return false;
  const isParagraph = book.index.level[row] === level.paragraph;
  if (mode && !(isParagraph && book.mode(row) === mode)) return false;
  if (char && !(isParagraph && book.effectiveChar(row) === char)) return false;
  return !pov || book.effectivePov(row) === pov;
}

function fieldValue(book: Book, row: number, field: SearchField): string | undefined {
  if (field === 'text') return book.index.level[row] === level.paragraph ? book.text(row) : undefined;
  if (field === 'summary') return book.summary(row);
  if (field === 'location') return book.kind(row) === 'sequence' ? book.place(row) : undefined;
  return book.attribute(row, field);
}

export interface Hit {
  readonly id: string;
  readonly type: NodeKind;
  readonly field: SearchField;
  readonly start: number;
  readonly snippet: string;
}

export interface SearchResult {
  readonly total: number;
  readonly hits: readonly Hit[];
}

const around = 40;

export function searchText(
  book: Book,
  pattern: Pattern,
  scope: SearchScope,
  page: { offset: number; limit: number },
): SearchResult {
  const all = [...candidates(book, scope)];
  const matches = findMatches(
    pattern,
    all.map(({ value }) => value),
  );
  const hits: Hit[] = [];
  let total = 0;
  for (const [position, { row, field, value }] of all.entries()) {
    for (const { start, end } of matches[position] ?? []) {
      if (total >= page.offset && hits.length < page.limit) {
        hits.push({ id: book.id(row), type: book.kind(row), field, start, snippet: snippet(value, start, end) });
      }
      total++;
    }
  }
  return { total, hits };
}

function snippet(value: string, start: number, end: number): string {
  const before = wholeSlice(value, Math.max(0, start - around), start);
  const after = wholeSlice(value, end, end + around);
  const found = `${before}[${value.slice(start, end)}]${after}`.replaceAll(/\s+/g, ' ');
  return `${start > around ? '…' : ''}${found}${end + around < value.length ? '…' : ''}`;
}
