import { ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import { elementXml } from '../book/element-xml.ts';
import { newlineOf, placeFor } from '../book/layout.ts';
import { insertElement } from '../book/splice.ts';
import { attributeRules, type NodeKind, placeAttribute } from '../model.ts';
import { type Edited, type EditTools, freshId } from './edit.ts';
import { childToInsertBefore, type InsertPosition } from './insert-position.ts';
import {
  checkSpeaker,
  checkUniqueTitle,
  cleanAttribute,
  cleanParagraphText,
  cleanSummary,
  invalidAttribute,
  missingAttribute,
  requireMode,
  requireParent,
} from './rules.ts';

type Optional = string | null | undefined;

interface CreateBase extends InsertPosition {
  readonly parent_id: string;
}
export interface CreateChapter extends CreateBase {
  readonly title: string;
  readonly summary: string;
  readonly pov?: Optional;
}
export interface CreateSequence extends CreateBase {
  readonly location: string;
  readonly summary: string;
  readonly time?: Optional;
  readonly pov?: Optional;
}
export interface CreateBeat extends CreateBase {
  readonly summary: string;
}
export interface CreateParagraph extends CreateBase {
  readonly summary?: Optional;
  readonly text: string;
  readonly mode?: Optional;
  readonly char?: Optional;
}

export interface Created {
  readonly success: true;
  readonly id: string;
  readonly type: NodeKind;
  readonly parent_id: string;
  readonly message: string;
}

export function createChapter(book: Book, args: CreateChapter, tools: EditTools): Edited<Created> {
  const parent = requireParent(book, args.parent_id, 'chapter');
  const title = cleanAttribute(book, 'chapter', 'title', args.title, tools.limits);
  if (title === null) throw invalidAttribute('title must be non-empty', { attribute: 'title' });
  const pov = cleanAttribute(book, 'chapter', 'pov', args.pov, tools.limits);
  const summary = cleanSummary(args.summary, tools.limits);
  checkUniqueTitle(book, title);
  return create(book, { kind: 'chapter', parent, attributes: { title, pov }, summary, where: args }, tools);
}

export function createSequence(book: Book, args: CreateSequence, tools: EditTools): Edited<Created> {
  const parent = requireParent(book, args.parent_id, 'sequence');
  const place = placeAttribute(book.dialect);
  const location = cleanAttribute(book, 'sequence', place, args.location, tools.limits);
  if (location === null) throw invalidAttribute('location must be non-empty', { attribute: 'location' });
  const time = cleanAttribute(book, 'sequence', 'time', args.time, tools.limits);
  const pov = cleanAttribute(book, 'sequence', 'pov', args.pov, tools.limits);
  const summary = cleanSummary(args.summary, tools.limits);
  const attributes = { [place]: location, time, pov };
  return create(book, { kind: 'sequence', parent, attributes, summary, where: args }, tools);
}

export function createBeat(book: Book, args: CreateBeat, tools: EditTools): Edited<Created> {
  const parent = requireParent(book, args.parent_id, 'beat');
  const summary = cleanSummary(args.summary, tools.limits);
  return create(book, { kind: 'beat', parent, attributes: {}, summary, where: args }, tools);
}

export function createParagraph(book: Book, args: CreateParagraph, tools: EditTools): Edited<Created> {
  const parent = requireParent(book, args.parent_id, 'paragraph');
  const summary = paragraphSummary(book, args.summary, tools);
  const text = cleanParagraphText(args.text, tools.limits);
  const mode = requireMode(args.mode || 'narration');
  const char = cleanAttribute(book, 'paragraph', 'char', args.char, tools.limits);
  checkSpeaker(book, mode, char);
  return create(book, { kind: 'paragraph', parent, attributes: { mode, char }, summary, text, where: args }, tools);
}

function paragraphSummary(book: Book, summary: Optional, { limits }: EditTools): string | undefined {
  const isGiven = summary !== undefined && summary !== null;
  if (book.dialect === 'summary') {
    if (!isGiven) throw missingAttribute('summary');
    return cleanSummary(summary, limits);
  }
  if (isGiven && summary !== '') throw noParagraphSummaries();
  return undefined;
}

export function noParagraphSummaries(): ToolError {
  const message = "This document's dialect does not allow paragraph summaries";
  return new ToolError('VALIDATION_FAILED', message, { dialect: 'plain', hint: 'migrate the document first' });
}

interface NewNode {
  readonly kind: Exclude<NodeKind, 'book'>;
  readonly parent: number;
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly summary: string | undefined;
  readonly text?: string;
  readonly where: InsertPosition;
}

function create(book: Book, node: NewNode, tools: EditTools): Edited<Created> {
  const { kind, parent, summary, text } = node;
  const before = childToInsertBefore(book, parent, node.where);
  const id = freshId(book, tools);
  const attributes: [string, string][] = [['id', id]];
  for (const { name } of attributeRules(kind, book.dialect)) {
    const value = node.attributes[name];
    if (value) attributes.push([name, value]);
  }
  const place = placeFor(book, parent, before);
  const xml = elementXml({ kind, attributes, summary, text }, place.indent, newlineOf(book));
  const result: Created = {
    success: true,
    id,
    type: kind,
    parent_id: book.id(parent),
    message: `Created ${kind} with id ${id}`,
  };
  return { book: insertElement(book, place, kind, xml), result };
}
