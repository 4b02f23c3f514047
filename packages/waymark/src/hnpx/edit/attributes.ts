import { ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import { withNewlines } from '../book/element-xml.ts';
import { indentOf, newlineOf, textRange } from '../book/layout.ts';
import { replaceElement, replaceRange } from '../book/splice.ts';
import { attributeRules, hasSummary, type NodeKind, placeAttribute } from '../model.ts';
import { rewriteOpenTag } from '../xml/open-tag.ts';
import { escapeText } from '../xml/text.ts';
import { noParagraphSummaries } from './create.ts';
import type { Edited, EditTools } from './edit.ts';
import {
  checkSpeaker,
  checkUniqueTitle,
  cleanAttribute,
  cleanParagraphText,
  cleanSummary,
  invalidAttribute,
} from './rules.ts';

export interface EditAttributes {
  readonly node_id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Changed {
  readonly success: true;
  readonly id: string;
  readonly type: NodeKind;
  readonly message: string;
}

/**
 * Sets, replaces and removes attributes. The keys `summary` and `text` stand for a node's content,
 * because the workflow of the format sets the book's summary this way.
 */
export function editAttributes(book: Book, args: EditAttributes, tools: EditTools): Edited<Changed> {
  const row = book.require(args.node_id);
  const kind = book.kind(row);
  const { summary, text, ...rest } = readValues(book, kind, args.attributes);
  const changes = checkAttributes(book, row, rest, tools);

  let edited = book;
  if (text !== undefined) edited = editText(edited, { node_id: args.node_id, text: text ?? '' }, tools).book;
  if (summary !== undefined)
    edited = editSummary(edited, { node_id: args.node_id, summary: summary ?? '' }, tools).book;
  if (changes.size > 0) edited = writeAttributes(edited, row, changes);
  const message = edited === book ? `Nothing to change on ${kind} ${args.node_id}` : `Updated ${kind} ${args.node_id}`;
  return { book: edited, result: { success: true, id: args.node_id, type: kind, message } };
}

function readValues(
  book: Book,
  kind: NodeKind,
  given: Readonly<Record<string, unknown>>,
): Record<string, string | null> & { summary?: string | null; text?: string | null } {
  const values: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'id') {
      throw new ToolError('READ_ONLY', "Cannot modify read-only attribute 'id'", { attribute: 'id' });
    }
    if (key === 'text' && kind !== 'paragraph') {
      throw invalidAttribute(`Attribute 'text' is not allowed on ${kind}`, { attribute: 'text' });
    }
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) {
      throw invalidAttribute(`${key} must be a string or null`, { attribute: key });
    }
    const isPlace = kind === 'sequence' && (key === 'loc' || key === 'location');
    values[isPlace ? placeAttribute(book.dialect) : key] =
      value === null ? null : String(value as string | number | boolean);
  }
  return values;
}

function checkAttributes(
  book: Book,
  row: number,
  given: Readonly<Record<string, string | null>>,
  { limits }: EditTools,
): Map<string, string | null> {
  const kind = book.kind(row);
  const changes = new Map<string, string | null>();
  for (const [name, value] of Object.entries(given)) {
    const cleaned = cleanAttribute(book, kind, name, value, limits);
    const isRequired = attributeRules(kind, book.dialect).some((rule) => rule.name === name && rule.required);
    if (cleaned === null && isRequired) {
      const label = kind === 'chapter' ? 'Chapter' : 'Sequence';
      throw invalidAttribute(`${label} ${name} cannot be empty`, { attribute: name });
    }
    changes.set(name, cleaned);
  }
  const title = changes.get('title');
  if (kind === 'chapter' && title) checkUniqueTitle(book, title, row);
  if (kind === 'paragraph' && (changes.has('mode') || changes.has('char'))) {
    const current = (name: string) =>
      changes.has(name) ? (changes.get(name) ?? null) : (book.attribute(row, name) ?? null);
    checkSpeaker(book, current('mode'), current('char'));
  }
  return changes;
}

function writeAttributes(book: Book, row: number, changes: ReadonlyMap<string, string | null>): Book {
  const tag = book.openTag(row);
  const order = ['id', ...attributeRules(book.kind(row), book.dialect).map(({ name }) => name)];
  const rewritten = rewriteOpenTag(tag, changes, order);
  if (rewritten === tag) return book;
  const start = book.index.start[row]!;
  // A self-closing tag is a whole element, so it is replaced as one.
  if (tag.endsWith('/>')) return replaceElement(book, row, rewritten);
  return replaceRange(book, row, start, book.index.contentStart[row]!, rewritten);
}

export function editSummary(
  book: Book,
  args: { readonly node_id: string; readonly summary: string },
  { limits }: EditTools,
): Edited<Changed> {
  const row = book.require(args.node_id);
  const kind = book.kind(row);
  if (!hasSummary(kind, book.dialect)) throw noParagraphSummaries();
  const summary = cleanSummary(args.summary, limits);
  const result: Changed = {
    success: true,
    id: args.node_id,
    type: kind,
    message: `Updated summary of ${kind} ${args.node_id}`,
  };
  if (book.summary(row) === summary) return { book, result };
  const { summaryStart, summaryEnd } = book.index;
  const xml = `<summary>${withNewlines(escapeText(summary), newlineOf(book))}</summary>`;
  return { book: replaceRange(book, row, summaryStart[row]!, summaryEnd[row]!, xml), result };
}

export function editText(
  book: Book,
  args: { readonly node_id: string; readonly text: string },
  { limits }: EditTools,
): Edited<Changed> {
  const row = book.require(args.node_id);
  const kind = book.kind(row);
  if (kind !== 'paragraph') {
    throw invalidAttribute(`${args.node_id} is a ${kind}; only a paragraph has text`, {
      node_id: args.node_id,
      type: kind,
    });
  }
  const text = cleanParagraphText(args.text, limits);
  const result: Changed = {
    success: true,
    id: args.node_id,
    type: kind,
    message: `Updated text of paragraph ${args.node_id}`,
  };
  if (book.text(row) === text) return { book, result };
  const range = textRange(book, row);
  // A comment alone is not text, and must not be replaced by it.
  if (range && book.index.written[row] === 1) {
    return { book: replaceRange(book, row, range.start, range.end, textXml(book, text)), result };
  }
  return { book: replaceElement(book, row, paragraphXml(book, row, text)), result };
}

export function textXml(book: Book, text: string): string {
  return withNewlines(escapeText(text), newlineOf(book));
}

/** The paragraph with another text; its tag and summary stay as they are in the file unless given. */
export function paragraphXml(
  book: Book,
  row: number,
  text: string,
  given: { tag?: string | undefined; summary?: string | undefined } = {},
): string {
  const tag = given.tag ?? book.openTag(row);
  const open = tag.endsWith('/>') ? `${tag.slice(0, -2).trimEnd()}>` : tag;
  const { start, summaryStart, summaryEnd } = book.index;
  const newline = newlineOf(book);
  const escaped = textXml(book, text);
  if (summaryStart[row]! < 0) return `${open}${escaped}</paragraph>`;
  const indent = indentOf(book, start[row]!) ?? '';
  const inner = `${newline}${indent}  `;
  const summary = given.summary ?? book.source(summaryStart[row]!, summaryEnd[row]!);
  return `${open}${inner}${summary}${inner}${escaped}${newline}${indent}</paragraph>`;
}
