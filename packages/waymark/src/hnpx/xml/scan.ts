import { isUtf8 } from 'node:buffer';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { ToolError } from '../../kit/index.ts';
import type { BookIndex } from '../book/book-index.ts';
import { IndexBuilder } from '../book/index-builder.ts';
import { type Dialect, kindAt, level, type NodeKind, nodeKinds, type Violation } from '../model.ts';
import { isNodeId, packId } from '../node-id.ts';
import { BytePositions, lineAndColumn } from './byte-positions.ts';
import { isBlank } from './text.ts';

const maxViolations = 50;
const maxDepth = 64;
const maxAttributes = 64;
/** Columns are 32 bits; the file limit lies far below this. */
const maxBytes = 2 ** 31 - 1;

export interface Scan {
  readonly index: BookIndex;
  readonly dialect: Dialect;
  readonly hasDeclaration: boolean;
  readonly violations: readonly Violation[];
}

/** Malformed XML, or XML this format does not allow. */
export class MalformedXmlError extends ToolError {
  constructor(reason: string, line: number, column: number, message = 'Document is not valid XML') {
    super('INVALID_XML', message, { line, column, reason });
  }
}

/**
 * Reads a document strictly and records where its nodes stand. Throws where the XML is malformed;
 * returns violations where it is well-formed but not HNPX.
 */
export function scan(bytes: Uint8Array, root: NodeKind = 'book'): Scan {
  if (bytes.length > maxBytes) throw new ToolError('FILE_TOO_LARGE', 'The document is too large to read');
  if (!isUtf8(bytes)) throw notUtf8(bytes);
  return new Scanner(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), root).run();
}

/** What stands open while reading: a node, a summary, or something the format does not know. */
interface Open {
  readonly role: 'node' | 'summary' | 'alien';
  /** The row of the node, or of the node around. */
  readonly row: number;
}

class Scanner {
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #root: NodeKind;
  readonly #positions: BytePositions;
  readonly #builder = new IndexBuilder();
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #open: Open[] = [];
  readonly #ids = new Set<number>();
  readonly #violations: Violation[] = [];
  #summaryStart = 0;
  #hasDeclaration = false;
  #sawSummaryDialect = false;
  #sawPlainDialect = false;

  constructor(bytes: Buffer, root: NodeKind) {
    this.#bytes = bytes;
    this.#text = bytes.toString('utf8');
    this.#root = root;
    this.#positions = new BytePositions(this.#text, bytes.length);
  }

  run(): Scan {
    const parser = this.#parser;
    // Five handlers, no more: with eight of them V8 turns the parser into a dictionary, six times slower.
    parser.on('doctype', () => {
      throw this.#malformed('a document type declaration', 'DOCTYPE is not allowed');
    });
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('closetag', (tag) => this.#closeTag(tag));
    parser.on('text', (text) => this.#characters(text));
    parser.on('cdata', (text) => this.#characters(text));
    try {
      parser.write(this.#text).close();
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw this.#malformed((error as Error).message.replace(/^\d+:\d+: /, ''));
    }
    const dialect = this.#sawPlainDialect && !this.#sawSummaryDialect ? 'plain' : 'summary';
    const index = this.#builder.finish();
    if (dialect === 'summary') this.#requireParagraphSummaries(index);
    return { index, dialect, hasDeclaration: this.#hasDeclaration, violations: this.#violations };
  }

  #checkDeclaration(): void {
    const { version, encoding } = this.#parser.xmlDecl;
    this.#hasDeclaration = version !== undefined;
    if (version !== undefined && version !== '1.0') throw this.#malformed(`XML version ${version} is not supported`);
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
      throw this.#malformed(`the encoding is ${encoding}, but only UTF-8 is supported`);
    }
  }

  #openTag(tag: SaxesTagPlain): void {
    const tagEnd = this.#parser.position;
    // A raw `<` cannot stand inside a well-formed tag, so the last one opened it.
    const tagStart = this.#text.lastIndexOf('<', tagEnd - 1);
    if (this.#open.length >= maxDepth) throw this.#malformed(`elements are nested deeper than ${maxDepth}`);
    if (Object.keys(tag.attributes).length > maxAttributes) {
      throw this.#malformed(`an element has more than ${maxAttributes} attributes`);
    }
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#checkDeclaration();
    const start = this.#positions.at(tagStart);
    const contentStart = this.#positions.at(tag.isSelfClosing ? tagEnd - 2 : tagEnd);
    if (tag.name === 'summary' && parent?.role === 'node') {
      if (this.#builder.hasSummary(parent.row)) {
        this.#violation('NOT_HNPX', tagStart, `<${this.#nameOf(parent)}> has more than one summary`);
      }
      if (this.#builder.isParagraph(parent.row)) this.#sawSummaryDialect = true;
      this.#summaryStart = start;
      this.#open.push({ row: parent.row, role: 'summary' });
      return;
    }
    if (!this.#fits(tag, parent, tagStart)) {
      this.#open.push({ row: parent?.row ?? -1, role: 'alien' });
      return;
    }
    const kind = tag.name as NodeKind;
    if (kind === 'sequence') {
      if (tag.attributes['loc'] !== undefined) this.#sawSummaryDialect = true;
      if (tag.attributes['location'] !== undefined) this.#sawPlainDialect = true;
    }
    const id = this.#readId(tag, tagStart);
    this.#open.push({
      role: 'node',
      row: this.#builder.open(level[kind], id, parent?.row ?? -1, start, contentStart),
    });
  }

  #fits(tag: SaxesTagPlain, parent: Open | undefined, position: number): boolean {
    if (parent?.role === 'alien') return false;
    if (!(nodeKinds as readonly string[]).includes(tag.name) && tag.name !== 'summary') {
      this.#violation('NOT_HNPX', position, `<${tag.name}> is not an HNPX element`);
      return false;
    }
    const expected = this.#expectedBelow(parent);
    if (tag.name === expected) return true;
    const place = parent === undefined ? 'as the root' : `inside <${this.#nameOf(parent)}>`;
    const wanted = expected === undefined ? 'no element is allowed' : `expected <${expected}>`;
    this.#violation('INVALID_HIERARCHY', position, `<${tag.name}> cannot stand ${place}; ${wanted}`);
    return false;
  }

  #expectedBelow(parent: Open | undefined): NodeKind | undefined {
    if (parent === undefined) return this.#root;
    if (parent.role === 'summary') return undefined;
    return nodeKinds[this.#depthOf(parent.row) + 1];
  }

  #depthOf(row: number): number {
    return this.#open.findIndex((open) => open.role === 'node' && open.row === row) + level[this.#root];
  }

  #nameOf(open: Open): string {
    return open.role === 'summary' ? 'summary' : kindAt(this.#depthOf(open.row));
  }

  #readId(tag: SaxesTagPlain, position: number): number {
    const id = tag.attributes['id'];
    if (id === undefined) this.#violation('MISSING_ATTRIBUTE', position, `<${tag.name}> has no id`);
    else if (!isNodeId(id)) {
      const rule = 'an id is 6 lowercase letters and digits';
      this.#violation('INVALID_ATTRIBUTE', position, `<${tag.name}> has the id "${id.slice(0, 40)}"; ${rule}`);
    } else {
      const packed = packId(id);
      if (this.#ids.has(packed)) this.#violation('DUPLICATE_ID', position, `The id ${id} is used more than once`, id);
      this.#ids.add(packed);
      return packed;
    }
    return 0;
  }

  #closeTag(tag: SaxesTagPlain): void {
    const closed = this.#open.at(-1);
    if (closed === undefined) return;
    const tagEnd = this.#parser.position;
    const contentEnd = this.#positions.at(tag.isSelfClosing ? tagEnd - 2 : this.#text.lastIndexOf('<', tagEnd - 1));
    const end = this.#positions.at(tagEnd);
    if (closed.role === 'summary') this.#builder.setSummary(closed.row, this.#summaryStart, end);
    if (closed.role === 'node') {
      this.#builder.close(closed.row, contentEnd, end);
      if (!this.#builder.hasSummary(closed.row)) {
        if (tag.name === 'paragraph') this.#sawPlainDialect = true;
        else this.#missingSummary(tag.name, this.#builder.startOf(closed.row));
      }
    }
    this.#open.pop();
  }

  #characters(text: string): void {
    const inside = this.#open.at(-1);
    if (inside === undefined || inside.role !== 'node' || isBlank(text)) return;
    if (this.#builder.isParagraph(inside.row)) this.#builder.markWritten(inside.row);
    else {
      const near = Math.max(0, this.#text.lastIndexOf(text.trim().slice(0, 20), this.#parser.position));
      this.#violation('NOT_HNPX', near, `Text cannot stand directly inside <${this.#nameOf(inside)}>`);
    }
  }

  #requireParagraphSummaries(index: BookIndex): void {
    for (let row = 0; row < index.count; row++) {
      if (index.level[row] === level.paragraph && index.summaryStart[row]! < 0) {
        this.#missingSummary('paragraph', index.start[row]!);
      }
    }
  }

  #missingSummary(name: string, byteStart: number): void {
    if (this.#violations.length >= maxViolations) return;
    const position = this.#bytes.toString('utf8', 0, byteStart).length;
    this.#violation('EMPTY_SUMMARY', position, `<${name}> has no summary`);
  }

  #violation(code: string, position: number, message: string, id?: string): void {
    if (this.#violations.length >= maxViolations) return;
    const place = lineAndColumn(this.#text, position);
    this.#violations.push({ severity: 'error', code, message, ...place, ...(id === undefined ? {} : { id }) });
  }

  #malformed(reason: string, message?: string): MalformedXmlError {
    return new MalformedXmlError(reason, this.#parser.line, this.#parser.column + 1, message);
  }
}

function notUtf8(bytes: Uint8Array): MalformedXmlError {
  const lenient = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const { line, column } = lineAndColumn(lenient, lenient.indexOf('\uFFFD'));
  return new MalformedXmlError('the file is not valid UTF-8', line, column);
}
