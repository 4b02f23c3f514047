import { nearest, ToolError } from '../../kit/index.ts';
import {
  type Dialect,
  kindAt,
  level,
  type NodeKind,
  nodeKinds,
  type ParagraphMode,
  paragraphMode,
  placeAttribute,
} from '../model.ts';
import { isNodeId, packId, unpackId } from '../node-id.ts';
import { parseOpenTag } from '../xml/open-tag.ts';
import { scan } from '../xml/scan.ts';
import { decodeContent, trimSpace } from '../xml/text.ts';
import type { BookIndex } from './book-index.ts';

/** A book at one moment: the bytes of its file and the index of its nodes. Never changes; edits make a new one. */
export class Book {
  readonly bytes: Buffer;
  readonly index: BookIndex;
  readonly dialect: Dialect;
  readonly hasDeclaration: boolean;
  #lineStarts: number[] | undefined;

  constructor(parts: { bytes: Buffer; index: BookIndex; dialect: Dialect; hasDeclaration: boolean }) {
    this.bytes = parts.bytes;
    this.index = parts.index;
    this.dialect = parts.dialect;
    this.hasDeclaration = parts.hasDeclaration;
  }

  /** Reads a whole file. Throws INVALID_XML or NOT_HNPX. */
  static parse(bytes: Buffer): Book {
    const { violations, ...parts } = scan(bytes);
    if (violations.length > 0) {
      const { line, column, message } = violations[0]!;
      throw new ToolError('NOT_HNPX', 'File is not a valid HNPX document', {
        reason: `line ${line}, column ${column}: ${message}`,
        violations,
      });
    }
    return new Book({ bytes, ...parts });
  }

  get count(): number {
    return this.index.count;
  }

  /** The row of a node, or -1. */
  find(id: string): number {
    return isNodeId(id) ? this.index.id.indexOf(packId(id)) : -1;
  }

  hasPacked(packedId: number): boolean {
    return this.index.id.includes(packedId);
  }

  require(id: string): number {
    const row = this.find(id);
    if (row >= 0) return row;
    const suggestion = this.count <= 5000 ? nearest(id, this.#ids()) : undefined;
    const details = { node_id: id.slice(0, 200), ...(suggestion ? { did_you_mean: suggestion } : {}) };
    throw new ToolError('NODE_NOT_FOUND', `Node with id ${id.slice(0, 200)} not found`, details);
  }

  *#ids(): Iterable<string> {
    for (const packed of this.index.id) yield unpackId(packed);
  }

  id(row: number): string {
    return unpackId(this.index.id[row]!);
  }

  kind(row: number): NodeKind {
    return kindAt(this.index.level[row]!);
  }

  parent(row: number): number {
    return this.index.parent[row]!;
  }

  /** The kind of the nodes a container holds; undefined for a paragraph. */
  childKind(row: number): NodeKind | undefined {
    return nodeKinds[this.index.level[row]! + 1];
  }

  hasChildren(row: number): boolean {
    return this.index.next[row]! > row + 1;
  }

  children(row: number): number[] {
    const found: number[] = [];
    const end = this.index.next[row]!;
    for (let child = row + 1; child < end; child = this.index.next[child]!) found.push(child);
    return found;
  }

  /** From the root to the node itself. */
  path(row: number): number[] {
    const rows: number[] = [];
    for (let current = row; current >= 0; current = this.parent(current)) rows.unshift(current);
    return rows;
  }

  /** The node's place among its siblings, from 0. */
  position(row: number): number {
    return row === 0 ? 0 : this.children(this.parent(row)).indexOf(row);
  }

  source(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  openTag(row: number): string {
    const { start, contentStart, contentEnd, end } = this.index;
    const isSelfClosing = contentStart[row] === contentEnd[row] && end[row] === contentEnd[row]! + 2;
    return this.source(start[row]!, isSelfClosing ? end[row]! : contentStart[row]!);
  }

  attributes(row: number): Map<string, string> {
    return new Map(parseOpenTag(this.openTag(row)).map(({ name, value }) => [name, value]));
  }

  /** An attribute's value; absent and empty are the same. */
  attribute(row: number, name: string): string | undefined {
    return this.attributes(row).get(name) || undefined;
  }

  /** The node's summary; undefined where the dialect has none. */
  summary(row: number): string | undefined {
    const start = this.index.summaryStart[row]!;
    if (start < 0) return undefined;
    const element = this.source(start, this.index.summaryEnd[row]!);
    const open = /^<summary(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(element)?.[0] ?? '';
    if (open.endsWith('/>')) return '';
    return trimSpace(decodeContent(element.slice(open.length, element.lastIndexOf('</'))));
  }

  /** A paragraph's text: its own character data without the summary, white space around it trimmed. */
  text(row: number): string {
    if (this.index.written[row] === 0) return '';
    const { contentStart, contentEnd, summaryStart, summaryEnd } = this.index;
    const [start, end] = [contentStart[row]!, contentEnd[row]!];
    if (summaryStart[row]! < 0) return trimSpace(decodeContent(this.source(start, end)));
    const after = decodeContent(this.source(summaryEnd[row]!, end));
    const before = isBlankBytes(this.bytes, start, summaryStart[row]!) ? '' : this.source(start, summaryStart[row]!);
    return trimSpace(before === '' ? after : decodeContent(before) + after);
  }

  mode(row: number): ParagraphMode {
    return paragraphMode(this.attribute(row, 'mode'));
  }

  /** Whose eyes the node is seen through: its own, else that of the nearest node above. */
  effectivePov(row: number): string | null {
    for (let current = row; current >= 0; current = this.parent(current)) {
      const pov = this.attribute(current, 'pov');
      if (pov) return pov;
    }
    return null;
  }

  /** Who speaks or thinks in a paragraph. */
  effectiveChar(row: number): string | null {
    const char = this.attribute(row, 'char');
    return char ?? (this.mode(row) === 'internal' ? this.effectivePov(row) : null);
  }

  place(row: number): string | undefined {
    const attributes = this.attributes(row);
    return (
      attributes.get(placeAttribute(this.dialect)) || attributes.get('loc') || attributes.get('location') || undefined
    );
  }

  isContainer(row: number): boolean {
    return this.index.level[row]! < level.paragraph;
  }

  /** Line and column (from 1) of a byte offset. */
  locate(offset: number): { line: number; column: number } {
    this.#lineStarts ??= findLineStarts(this.bytes);
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: this.source(this.#lineStarts[low]!, offset).length + 1 };
  }
}

function isBlankBytes(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 0x20) return false;
  return true;
}

function findLineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}
