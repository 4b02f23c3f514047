import { ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import { blockStart, placeFor } from '../book/layout.ts';
import { insertElement, permuteChildren, removeElement } from '../book/splice.ts';
import type { NodeKind } from '../model.ts';
import type { Changed } from './attributes.ts';
import type { Edited } from './edit.ts';
import { childToInsertBefore, type InsertPosition } from './insert-position.ts';
import { invalidAttribute } from './rules.ts';

export interface Removed {
  readonly success: true;
  readonly removed_ids: readonly string[];
  readonly removed_count: number;
  readonly message: string;
}

export function removeNode(
  book: Book,
  args: { readonly node_id: string },
): Edited<Changed & { removed_count: number }> {
  const row = book.require(args.node_id);
  const kind = book.kind(row);
  refuseRoot(row);
  const count = book.index.next[row]! - row;
  const others = count === 1 ? '' : ` and ${count - 1} descendant${count === 2 ? '' : 's'}`;
  const message = `Removed ${kind} ${args.node_id}${others}`;
  return {
    book: removeElement(book, row),
    result: { success: true, id: args.node_id, type: kind, removed_count: count, message },
  };
}

function refuseRoot(row: number): void {
  if (row === 0) throw new ToolError('IMMUTABLE_ROOT', 'Cannot remove the root book element');
}

/** All or nothing, whatever order the ids come in; a node below another listed one goes with it. */
export function removeNodes(book: Book, args: { readonly node_ids: readonly string[] }): Edited<Removed> {
  const rows = [...new Set(args.node_ids.map((id) => book.require(id)))];
  for (const row of rows) refuseRoot(row);
  return removeRows(book, rows);
}

export function removeChildren(book: Book, args: { readonly node_id: string }): Edited<Removed> {
  return removeRows(book, book.children(book.require(args.node_id)));
}

function removeRows(book: Book, rows: readonly number[]): Edited<Removed> {
  const outermost = rows.filter((row) => !rows.some((other) => other < row && row < book.index.next[other]!));
  const removedCount = outermost.reduce((sum, row) => sum + book.index.next[row]! - row, 0);
  const removedIds = outermost.map((row) => book.id(row));
  let edited = book;
  for (const row of outermost.toSorted((left, right) => right - left)) edited = removeElement(edited, row);
  return {
    book: edited,
    result: {
      success: true,
      removed_ids: removedIds,
      removed_count: removedCount,
      message: `Removed ${removedCount} node${removedCount === 1 ? '' : 's'}`,
    },
  };
}

export interface ReorderChildren {
  readonly parent_id: string;
  readonly child_ids: readonly string[];
}

export function reorderChildren(book: Book, args: ReorderChildren): Edited<Changed> {
  const parent = book.require(args.parent_id);
  const order = args.child_ids.map((id) => {
    const row = book.require(id);
    if (book.parent(row) !== parent) throw invalidOrder(`${id} is not a child of ${args.parent_id}`, { id });
    return row;
  });
  const duplicates = args.child_ids.filter((id, position) => args.child_ids.indexOf(id) !== position);
  if (duplicates.length > 0) {
    const ids = [...new Set(duplicates)];
    throw invalidOrder(`Duplicate ids in child_ids: ${ids.join(', ')}`, { duplicates: ids });
  }
  const children = book.children(parent);
  const missing = children.filter((row) => !order.includes(row)).map((row) => book.id(row));
  if (missing.length > 0) throw invalidOrder(`Must include all children; missing: ${missing.join(', ')}`, { missing });

  const kind = book.kind(parent);
  const isSame = children.every((row, position) => order[position] === row);
  const message = `Reordered ${children.length} children of ${kind} ${args.parent_id}`;
  return {
    book: isSame ? book : permuteChildren(book, parent, order),
    result: { success: true, id: args.parent_id, type: kind, message },
  };
}

function invalidOrder(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('VALIDATION_FAILED', message, details);
}

export interface MoveNodes extends InsertPosition {
  readonly node_ids: readonly string[];
  readonly new_parent_id: string;
}

export interface Moved {
  readonly success: true;
  readonly moved_ids: readonly string[];
  readonly parent_id: string;
  readonly type: NodeKind;
  readonly message: string;
}

/** Moves nodes, in the order given, below another parent or to another place below their own. */
export function moveNodes(book: Book, args: MoveNodes): Edited<Moved> {
  const parent = book.require(args.new_parent_id);
  const ids = [...new Set(args.node_ids)];
  if (ids.length === 0) throw invalidAttribute('node_ids must not be empty', { attribute: 'node_ids' });
  const rows = ids.map((id) => book.require(id));
  for (const row of rows) checkMove(book, row, parent);

  const before = childToInsertBefore(book, parent, args, new Set(rows));
  const beforeId = before === undefined ? undefined : book.id(before);
  let edited = book;
  for (const id of ids) edited = moveOne(edited, id, args.new_parent_id, beforeId);
  const kind = book.kind(parent);
  return {
    book: edited,
    result: {
      success: true,
      moved_ids: ids,
      parent_id: args.new_parent_id,
      type: kind,
      message: `Moved ${ids.length} node${ids.length === 1 ? '' : 's'} to ${kind} ${args.new_parent_id}`,
    },
  };
}

function checkMove(book: Book, row: number, parent: number): void {
  const kind = book.kind(row);
  if (row === 0) throw new ToolError('IMMUTABLE_ROOT', 'Cannot move the root book element');
  if (book.childKind(parent) !== kind) {
    throw new ToolError('INVALID_HIERARCHY', `A ${kind} cannot stand inside a ${book.kind(parent)}`, {
      node_id: book.id(row),
      parent_id: book.id(parent),
    });
  }
}

function moveOne(book: Book, id: string, parentId: string, beforeId: string | undefined): Book {
  const row = book.require(id);
  const kind = book.kind(row);
  const from = blockStart(book, row);
  const start = book.index.start[row]!;
  const xml = book.source(start, book.index.end[row]!);
  // Comments above a node belong to it and move along; the white space is laid out anew.
  const comments = book.source(from, start).trim();
  const without = removeElement(book, row, comments === '' ? undefined : from);
  const parent = without.require(parentId);
  const place = placeFor(without, parent, beforeId === undefined ? undefined : without.require(beforeId));
  const lead = comments === '' ? place.lead : `${place.lead}${comments}${place.lead}`;
  return insertElement(without, { ...place, lead }, kind, xml);
}
