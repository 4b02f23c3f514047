import type { Book } from '../book/book.ts';
import type { NodeKind } from '../model.ts';

export interface BookDiff {
  readonly added: readonly NodeNote[];
  readonly removed: readonly NodeNote[];
  readonly moved: readonly (NodeNote & { readonly from: string; readonly to: string })[];
  readonly changed: readonly (NodeNote & {
    readonly fields: Readonly<Record<string, { before: string | null; after: string | null }>>;
  })[];
}

interface NodeNote {
  readonly id: string;
  readonly type: NodeKind;
  readonly summary: string | null;
}

/** What became of each node between two states of a book. */
export function diffBooks(before: Book, after: Book): BookDiff {
  const added: NodeNote[] = [];
  const removed: NodeNote[] = [];
  const moved: BookDiff['moved'][number][] = [];
  const changed: BookDiff['changed'][number][] = [];
  for (let row = 0; row < before.count; row++) if (after.find(before.id(row)) < 0) removed.push(note(before, row));
  for (let row = 0; row < after.count; row++) {
    const old = before.find(after.id(row));
    if (old < 0) {
      added.push(note(after, row));
      continue;
    }
    const [from, to] = [placeOf(before, old, after), placeOf(after, row, before)];
    if (from !== to) moved.push({ ...note(after, row), from, to });
    const fields = changedFields(before, old, after, row);
    if (Object.keys(fields).length > 0) changed.push({ ...note(after, row), fields });
  }
  return { added, removed, moved, changed };
}

function note(book: Book, row: number): NodeNote {
  return { id: book.id(row), type: book.kind(row), summary: book.summary(row) ?? null };
}

/** The parent, and the elder sibling among those that exist in both states: neighbours that come or go move nobody. */
function placeOf(book: Book, row: number, other: Book): string {
  const parent = book.parent(row);
  if (parent < 0) return 'root';
  const elders = book.children(parent).filter((sibling) => sibling < row);
  const elder = elders.findLast((sibling) => {
    const there = other.find(book.id(sibling));
    return there >= 0 && other.parent(there) >= 0 && other.id(other.parent(there)) === book.id(parent);
  });
  return `${book.id(parent)}${elder === undefined ? ', first' : ` after ${book.id(elder)}`}`;
}

function changedFields(before: Book, old: number, after: Book, row: number) {
  const fields: Record<string, { before: string | null; after: string | null }> = {};
  const compare = (name: string, left: string | undefined, right: string | undefined) => {
    if ((left ?? '') !== (right ?? '')) fields[name] = { before: left ?? null, after: right ?? null };
  };
  compare('summary', before.summary(old), after.summary(row));
  if (after.kind(row) === 'paragraph') compare('text', before.text(old), after.text(row));
  const [was, is] = [before.attributes(old), after.attributes(row)];
  for (const name of new Set([...was.keys(), ...is.keys()])) compare(name, was.get(name), is.get(name));
  return fields;
}
