import { ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import { editSummary, editText } from './attributes.ts';
import { createBeat, createChapter, createParagraph, createSequence } from './create.ts';
import type { Edited, EditTools } from './edit.ts';
import { invalidAttribute, missingAttribute } from './rules.ts';
import { moveNodes, removeNode } from './structure.ts';

export interface SplitNode {
  readonly node_id: string;
  /** The child that becomes the first of the new node. */
  readonly at_child_id?: string | null | undefined;
  /** For a paragraph: the words the new paragraph begins with. */
  readonly at_text?: string | null | undefined;
  /** The new node's summary; the old one's when not given. */
  readonly summary?: string | null | undefined;
  /** The new chapter's title. */
  readonly title?: string | null | undefined;
}

export interface Split {
  readonly success: true;
  readonly id: string;
  readonly new_id: string;
  readonly message: string;
}

/** Cuts a node in two: the new one follows the old and takes its second half. */
export function splitNode(book: Book, args: SplitNode, tools: EditTools): Edited<Split> {
  const row = book.require(args.node_id);
  const kind = book.kind(row);
  if (row === 0) throw invalidAttribute('The book cannot be split', { node_id: args.node_id });
  const edited = kind === 'paragraph' ? splitParagraph(book, row, args, tools) : splitContainer(book, row, args, tools);
  const message = `Split ${kind} ${args.node_id}; the second half is ${edited.result}`;
  return { book: edited.book, result: { success: true, id: args.node_id, new_id: edited.result, message } };
}

function splitParagraph(book: Book, row: number, args: SplitNode, tools: EditTools): Edited<string> {
  const { at_text: words } = args;
  if (!words) throw missingAttribute('at_text');
  const text = book.text(row);
  const at = text.indexOf(words);
  if (at < 0) throw invalidAttribute(`at_text does not occur in paragraph ${args.node_id}`, { attribute: 'at_text' });
  if (text.includes(words, at + 1))
    throw invalidAttribute('at_text occurs more than once; give more words', { attribute: 'at_text' });
  if (text.slice(0, at).trim() === '')
    throw invalidAttribute('Nothing would be left before at_text', { attribute: 'at_text' });
  const first = editText(book, { node_id: args.node_id, text: text.slice(0, at) }, tools).book;
  const created = createParagraph(
    first,
    {
      parent_id: book.id(book.parent(row)),
      after_id: args.node_id,
      summary: args.summary ?? book.summary(row) ?? null,
      text: text.slice(at),
      mode: book.mode(row),
      char: book.attribute(row, 'char'),
    },
    tools,
  );
  return { book: created.book, result: created.result.id };
}

function splitContainer(book: Book, row: number, args: SplitNode, tools: EditTools): Edited<string> {
  if (!args.at_child_id) throw missingAttribute('at_child_id');
  const children = book.children(row);
  const at = children.indexOf(book.require(args.at_child_id));
  if (at < 0)
    throw invalidAttribute(`${args.at_child_id} is not a child of ${args.node_id}`, { attribute: 'at_child_id' });
  if (at === 0) throw invalidAttribute('Nothing would be left before the first child', { attribute: 'at_child_id' });
  const created = createTwin(book, row, args, tools);
  const moved = moveNodes(created.book, {
    node_ids: children.slice(at).map((child) => book.id(child)),
    new_parent_id: created.result,
  });
  return { book: moved.book, result: created.result };
}

/** An empty sibling with the same attributes, right after the node. */
function createTwin(book: Book, row: number, args: SplitNode, tools: EditTools): Edited<string> {
  const shared = {
    parent_id: book.id(book.parent(row)),
    after_id: args.node_id,
    summary: args.summary ?? book.summary(row) ?? '',
  };
  const pov = book.attribute(row, 'pov');
  const kind = book.kind(row);
  if (kind === 'chapter') {
    if (!args.title) throw missingAttribute('title');
    const { book: edited, result } = createChapter(book, { ...shared, title: args.title, pov }, tools);
    return { book: edited, result: result.id };
  }
  if (kind === 'sequence') {
    const sequence = { ...shared, location: book.place(row) ?? '', time: book.attribute(row, 'time'), pov };
    const { book: edited, result } = createSequence(book, sequence, tools);
    return { book: edited, result: result.id };
  }
  const { book: edited, result } = createBeat(book, shared, tools);
  return { book: edited, result: result.id };
}

export interface MergeNodes {
  readonly node_ids: readonly string[];
  /** The merged node's summary; by default all of them, one after another. */
  readonly summary?: string | null | undefined;
  /** Between the texts of merged paragraphs; by default a blank line. */
  readonly separator?: string | null | undefined;
}

export interface Merged {
  readonly success: true;
  readonly id: string;
  readonly merged_ids: readonly string[];
  readonly message: string;
}

/** Puts neighbours together into the first of them. */
export function mergeNodes(book: Book, args: MergeNodes, tools: EditTools): Edited<Merged> {
  const ids = [...new Set(args.node_ids)];
  if (ids.length < 2) throw invalidAttribute('node_ids must name at least two nodes', { attribute: 'node_ids' });
  const rows = ids.map((id) => book.require(id)).toSorted((left, right) => left - right);
  checkNeighbours(book, rows);
  const [first = 0, ...others] = rows;
  const firstId = book.id(first);
  const kind = book.kind(first);
  let edited = book;
  if (kind === 'paragraph') {
    checkSameSpeaker(book, rows);
    const text = rows
      .map((row) => book.text(row))
      .filter((part) => part !== '')
      .join(args.separator ?? '\n\n');
    if (text !== '') edited = editText(edited, { node_id: firstId, text }, tools).book;
  } else {
    const children = others.flatMap((row) => book.children(row)).map((row) => book.id(row));
    if (children.length > 0) edited = moveNodes(edited, { node_ids: children, new_parent_id: firstId }).book;
  }
  if (book.summary(first) !== undefined) {
    const joined = [...new Set(rows.map((row) => book.summary(row) ?? ''))].filter((part) => part !== '').join(' ');
    edited = editSummary(edited, { node_id: firstId, summary: args.summary ?? joined }, tools).book;
  }
  for (const row of others) edited = removeNode(edited, { node_id: book.id(row) }).book;
  const mergedIds = others.map((row) => book.id(row));
  const message = `Merged ${mergedIds.join(', ')} into ${kind} ${firstId}`;
  return { book: edited, result: { success: true, id: firstId, merged_ids: mergedIds, message } };
}

function checkNeighbours(book: Book, rows: readonly number[]): void {
  for (const [position, row] of rows.entries()) {
    const previous = rows[position - 1];
    const areNeighbours =
      previous === undefined
        ? row > 0
        : book.parent(row) === book.parent(previous) && book.index.next[previous] === row;
    if (areNeighbours) continue;
    throw new ToolError('VALIDATION_FAILED', 'Only neighbouring nodes of one parent can be merged', {
      node_ids: rows.map((each) => book.id(each)),
    });
  }
}

function checkSameSpeaker(book: Book, rows: readonly number[]): void {
  const voices = new Set(rows.map((row) => `${book.mode(row)} ${book.attribute(row, 'char') ?? ''}`));
  if (voices.size === 1) return;
  throw new ToolError('VALIDATION_FAILED', 'Paragraphs of different mode or char cannot be merged', {
    voices: [...voices],
  });
}
