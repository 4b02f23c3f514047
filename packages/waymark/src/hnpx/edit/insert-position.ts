import type { Book } from '../book/book.ts';
import { invalidAttribute } from './rules.ts';

/** Where among its new siblings a node goes; last when nothing is said. */
export interface InsertPosition {
  readonly position?: number | null | undefined;
  readonly before_id?: string | null | undefined;
  readonly after_id?: string | null | undefined;
}

/** The child to insert before; undefined for last. `leaving` are nodes about to move away, which do not count. */
export function childToInsertBefore(
  book: Book,
  parent: number,
  where: InsertPosition,
  leaving: ReadonlySet<number> = new Set(),
): number | undefined {
  const given = (['position', 'before_id', 'after_id'] as const).filter((name) => (where[name] ?? null) !== null);
  if (given.length > 1) throw invalidAttribute(`Give only one of: ${given.join(', ')}`, { attributes: given });
  const siblings = book.children(parent).filter((row) => !leaving.has(row));
  const { position, before_id: beforeId, after_id: afterId } = where;
  if (typeof position === 'number') {
    if (!Number.isInteger(position) || position < 0 || position > siblings.length) {
      const message = `position must be a whole number from 0 to ${siblings.length}`;
      throw invalidAttribute(message, { attribute: 'position', value: position });
    }
    return siblings[position];
  }
  const anchorId = beforeId ?? afterId;
  if (anchorId === undefined || anchorId === null) return undefined;
  const anchor = siblings.indexOf(book.require(anchorId));
  if (anchor < 0) {
    const attribute = beforeId ? 'before_id' : 'after_id';
    throw invalidAttribute(`${attribute} ${anchorId} is not a child of ${book.id(parent)}`, { attribute });
  }
  return siblings[beforeId ? anchor : anchor + 1];
}
