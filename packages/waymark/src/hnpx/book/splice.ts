import { ToolError } from '../../kit/index.ts';
import { level, type NodeKind } from '../model.ts';
import { MalformedXmlError, type Scan, scan } from '../xml/scan.ts';
import { Book } from './book.ts';
import { type BookIndex, copyRows, createIndex, editIndex, type RowEdit } from './book-index.ts';
import { blockStart, lineStartBefore } from './layout.ts';

/** Everything outside the replaced range stays byte for byte. */
function replaceBytes(bytes: Buffer, start: number, end: number, replacement: Buffer): Buffer {
  const result = Buffer.allocUnsafe(bytes.length - (end - start) + replacement.length);
  bytes.copy(result, 0, 0, start);
  replacement.copy(result, start);
  bytes.copy(result, start + replacement.length, end);
  return result;
}

function splice(book: Book, start: number, end: number, replacement: string, rows?: RowEdit): Book {
  const inserted = Buffer.from(replacement, 'utf8');
  const index = editIndex(book.index, { start, end, length: inserted.length }, rows);
  return new Book({
    bytes: replaceBytes(book.bytes, start, end, inserted),
    index,
    dialect: book.dialect,
    hasDeclaration: book.hasDeclaration,
  });
}

/** Replaces something of one node that holds no other: its open tag, its summary, its text. */
export function replaceRange(book: Book, row: number, start: number, end: number, replacement: string): Book {
  const edited = splice(book, start, end, replacement);
  scanFragment(withoutChildren(edited, row), edited.kind(row), edited);
  return edited;
}

/** A node as its tag, its own content and its end. */
function withoutChildren(book: Book, row: number): string {
  const { start, end, summaryStart, summaryEnd } = book.index;
  if (!book.isContainer(row)) return book.source(start[row]!, end[row]!);
  return `${book.openTag(row)}${book.source(summaryStart[row]!, summaryEnd[row]!)}</${book.kind(row)}>`;
}

/** Reads what was written with the same strictness as a file, so that nothing invalid reaches one. */
function scanFragment(xml: string, kind: NodeKind, book: Book): BookIndex {
  const { index, violations } = readFragment(xml, kind);
  const [first] = violations;
  if (first) throw invalid(first.message, { violations });
  for (let row = 0; row < index.count; row++) {
    if (index.level[row] !== level.paragraph) continue;
    const hasSummary = index.summaryStart[row]! >= 0;
    if (hasSummary !== (book.dialect === 'summary')) {
      throw invalid(`paragraphs of this document ${hasSummary ? 'have no summary' : 'need a summary'}`);
    }
  }
  return index;
}

function readFragment(xml: string, kind: NodeKind): Scan {
  try {
    return scan(Buffer.from(xml, 'utf8'), kind);
  } catch (error) {
    if (error instanceof MalformedXmlError) throw invalid(String(error.details['reason']));
    throw error;
  }
}

function invalid(reason: string, details: Record<string, unknown> = {}): ToolError {
  return new ToolError('VALIDATION_FAILED', `The change would make the document invalid: ${reason}`, details);
}

/** Puts an element below `parent` at byte `at`, as the row `row`; `lead` and `trail` are the white space around it. */
export function insertElement(
  book: Book,
  place: { parent: number; row: number; at: number; lead: string; trail: string },
  kind: NodeKind,
  xml: string,
): Book {
  const { parent, row, at, lead, trail } = place;
  const inserted = scanFragment(xml, kind, book);
  const offset = at + Buffer.byteLength(lead);
  return splice(book, at, at, lead + xml + trail, { from: row, to: row, parent, inserted, offset });
}

export function replaceElement(book: Book, row: number, xml: string): Book {
  const { start, end, next } = book.index;
  const inserted = scanFragment(xml, book.kind(row), book);
  const rows = { from: row, to: next[row]!, parent: book.parent(row), inserted, offset: start[row]! };
  return splice(book, start[row]!, end[row]!, xml, rows);
}

/** Removes a node with its descendants and the line break before it; `from` may take comments above along. */
export function removeElement(
  book: Book,
  row: number,
  from = lineStartBefore(book.bytes, book.index.start[row]!),
): Book {
  const { end, next } = book.index;
  return splice(book, from, end[row]!, '', { from: row, to: next[row]!, parent: book.parent(row) });
}

/** Puts the children of a node in another order. What stands before a child (line break, comments) moves with it. */
export function permuteChildren(book: Book, parent: number, order: readonly number[]): Book {
  const { index, bytes } = book;
  const slots = book.children(parent);
  if (slots.length === 0) return book;
  const firstByte = index.contentStart[parent]!;
  const lastByte = index.end[slots.at(-1)!]!;
  const result = createIndex(index.count);
  const pieces: Buffer[] = [];
  copyRows(index, 0, parent + 1, result, 0, 0);
  let byte = firstByte;
  let row = parent + 1;
  let slotByte = firstByte;
  for (const [slot, moved] of order.entries()) {
    const fixedEnd = blockStart(book, slots[slot]!);
    // Only a summary that does not stand first is fixed between two children.
    if (index.summaryStart[parent]! >= slotByte && index.summaryStart[parent]! < fixedEnd) {
      result.summaryStart[parent]! += byte - slotByte;
      result.summaryEnd[parent]! += byte - slotByte;
    }
    pieces.push(bytes.subarray(slotByte, fixedEnd));
    byte += fixedEnd - slotByte;
    slotByte = index.end[slots[slot]!]!;

    const start = blockStart(book, moved);
    const end = index.end[moved]!;
    pieces.push(bytes.subarray(start, end));
    const rows = index.next[moved]! - moved;
    copyRows(index, moved, moved + rows, result, row, byte - start, row - moved);
    result.parent[row] = parent;
    byte += end - start;
    row += rows;
  }
  copyRows(index, index.next[parent]!, index.count, result, row, 0);
  return new Book({
    bytes: Buffer.concat([bytes.subarray(0, firstByte), ...pieces, bytes.subarray(lastByte)]),
    index: result,
    dialect: book.dialect,
    hasDeclaration: book.hasDeclaration,
  });
}

/** Every written file starts with an XML declaration. */
export function withDeclaration(book: Book): Book {
  if (book.hasDeclaration) return book;
  const at = book.bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  const edited = splice(book, at, at, '<?xml version="1.0" encoding="UTF-8"?>\n');
  return new Book({ bytes: edited.bytes, index: edited.index, dialect: book.dialect, hasDeclaration: true });
}
