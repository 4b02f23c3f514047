import type { Book } from './book.ts';

const [tab, lineFeed, carriageReturn, space] = [0x9, 0xa, 0xd, 0x20];

/** The line break this file uses. */
export function newlineOf(book: Book): '\n' | '\r\n' {
  const first = book.bytes.indexOf(lineFeed);
  return first > 0 && book.bytes[first - 1] === carriageReturn ? '\r\n' : '\n';
}

function isSpaceByte(byte: number | undefined): boolean {
  return byte === space || byte === lineFeed || byte === tab || byte === carriageReturn;
}

/** The white space before an element on its line; undefined when something else stands there too. */
export function indentOf(book: Book, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && (book.bytes[start - 1] === space || book.bytes[start - 1] === tab)) start--;
  return start === 0 || book.bytes[start - 1] === lineFeed ? book.source(start, offset) : undefined;
}

/** Where the line break before an element begins, or the element itself when it shares its line. */
export function lineStartBefore(bytes: Buffer, offset: number): number {
  let start = offset;
  while (start > 0 && (bytes[start - 1] === space || bytes[start - 1] === tab)) start--;
  if (start === 0 || bytes[start - 1] !== lineFeed) return offset;
  start--;
  return start > 0 && bytes[start - 1] === carriageReturn ? start - 1 : start;
}

/** Where the white space and comments before a child begin: after its elder sibling, or after the summary. */
export function blockStart(book: Book, row: number): number {
  const { contentStart, start, summaryStart, summaryEnd } = book.index;
  const parent = book.parent(row);
  if (parent < 0) return start[row]!;
  const elder = elderSibling(book, row);
  const after = elder < 0 ? contentStart[parent]! : book.index.end[elder]!;
  const hasSummaryBetween = summaryStart[parent]! >= after && summaryStart[parent]! < start[row]!;
  return hasSummaryBetween ? summaryEnd[parent]! : after;
}

export function elderSibling(book: Book, row: number): number {
  const parent = book.parent(row);
  if (parent < 0 || row === parent + 1) return -1;
  // The row before is the elder sibling or its last descendant.
  let candidate = row - 1;
  while (book.parent(candidate) !== parent) candidate = book.parent(candidate);
  return candidate;
}

/** Where a paragraph's text stands, without the white space around it; undefined when it is not in one piece. */
export function textRange(book: Book, row: number): { start: number; end: number } | undefined {
  const { contentStart, contentEnd, summaryStart, summaryEnd } = book.index;
  const pieces =
    summaryStart[row]! < 0
      ? [trimmed(book.bytes, contentStart[row]!, contentEnd[row]!)]
      : [
          trimmed(book.bytes, contentStart[row]!, summaryStart[row]!),
          trimmed(book.bytes, summaryEnd[row]!, contentEnd[row]!),
        ];
  const [piece, ...others] = pieces.filter(({ start, end }) => start < end);
  return others.length === 0 ? piece : undefined;
}

function trimmed(bytes: Buffer, from: number, to: number): { start: number; end: number } {
  let [start, end] = [from, to];
  while (start < end && isSpaceByte(bytes[start])) start++;
  while (end > start && isSpaceByte(bytes[end - 1])) end--;
  return { start, end };
}

export interface Place {
  readonly parent: number;
  readonly row: number;
  readonly at: number;
  readonly lead: string;
  readonly trail: string;
  readonly indent: string;
}

/** Where a new child goes: before the child `before`, or last when undefined. */
export function placeFor(book: Book, parent: number, before: number | undefined): Place {
  const { start, contentEnd, next } = book.index;
  const newline = newlineOf(book);
  const sibling = before ?? (book.hasChildren(parent) ? parent + 1 : undefined);
  const parentIndent = indentOf(book, start[parent]!) ?? '';
  const indent = (sibling === undefined ? undefined : indentOf(book, start[sibling]!)) ?? `${parentIndent}  `;
  const lead = newline + indent;
  if (before !== undefined) {
    const at = blockStart(book, before);
    // Without a line break between them the next child would start on the new one's line.
    const trail = book.bytes.subarray(at, start[before]!).includes(lineFeed) ? '' : newline + indent;
    return { parent, row: before, at, lead, trail, indent };
  }
  let at = contentEnd[parent]!;
  while (isSpaceByte(book.bytes[at - 1])) at--;
  const hasBreak = book.bytes.subarray(at, contentEnd[parent]!).includes(lineFeed);
  return { parent, row: next[parent]!, at, lead, trail: hasBreak ? '' : newline + parentIndent, indent };
}
