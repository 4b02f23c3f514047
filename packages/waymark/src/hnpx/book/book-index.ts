/**
 * Where every node of a book stands: one row per node in document order, one flat array per fact.
 * All positions are byte offsets into the file.
 */
export interface BookIndex {
  readonly count: number;
  /** The level of the node's kind: 0 book … 4 paragraph. */
  readonly level: Uint8Array;
  /** The packed id. */
  readonly id: Uint32Array;
  /** The parent's row; -1 for the root. */
  readonly parent: Int32Array;
  /** The row after the node's last descendant: its next sibling, if it has one. */
  readonly next: Int32Array;
  /** The element's range. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** The range between the open and the close tag; empty, just before `/>`, when self-closing. */
  readonly contentStart: Int32Array;
  readonly contentEnd: Int32Array;
  /** The range of the summary element; -1 where there is none. */
  readonly summaryStart: Int32Array;
  readonly summaryEnd: Int32Array;
  /** 1 where a paragraph has text that is more than white space. */
  readonly written: Uint8Array;
}

/** The bytes [start, end) are replaced by `length` other bytes. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** The rows [from, to) below `parent` are replaced by those of `inserted`, whose offset 0 is now at byte `offset`. */
export interface RowEdit {
  readonly from: number;
  readonly to: number;
  readonly parent: number;
  readonly inserted?: BookIndex;
  readonly offset?: number;
}

export function createIndex(count: number): BookIndex {
  return {
    count,
    level: new Uint8Array(count),
    id: new Uint32Array(count),
    parent: new Int32Array(count).fill(-1),
    next: new Int32Array(count),
    start: new Int32Array(count),
    end: new Int32Array(count),
    contentStart: new Int32Array(count),
    contentEnd: new Int32Array(count),
    summaryStart: new Int32Array(count).fill(-1),
    summaryEnd: new Int32Array(count).fill(-1),
    written: new Uint8Array(count),
  };
}

/** The index after an edit of the bytes and, where nodes came or went, of the rows. */
export function editIndex(index: BookIndex, bytes: ByteEdit, rows?: RowEdit): BookIndex {
  const from = rows?.from ?? index.count;
  const to = rows?.to ?? index.count;
  const inserted = rows?.inserted;
  const rowDelta = (inserted?.count ?? 0) - (to - from);
  const result = createIndex(index.count + rowDelta);

  copyRows(index, 0, from, result, 0, 0);
  if (inserted) copyRows(inserted, 0, inserted.count, result, from, rows?.offset ?? 0, from);
  copyRows(index, to, index.count, result, to + rowDelta, 0);

  const shifted = [
    [0, from],
    [to + rowDelta, result.count],
  ] as const;
  for (const [first, last] of shifted) shiftOffsets(result, first, last, bytes);

  if (inserted && rows) result.parent[from] = rows.parent;
  for (let row = to + rowDelta; row < result.count; row++) {
    if ((result.parent[row] ?? 0) >= to) result.parent[row]! += rowDelta;
    result.next[row]! += rowDelta;
  }
  for (let row = rows?.parent ?? -1; row >= 0; row = result.parent[row]!) result.next[row]! += rowDelta;
  return result;
}

const offsets = ['start', 'end', 'contentStart', 'contentEnd', 'summaryStart', 'summaryEnd'] as const;

/** Copies rows; `byteDelta` moves their offsets, `rowDelta` their references to other copied rows. */
export function copyRows(
  source: BookIndex,
  from: number,
  to: number,
  target: BookIndex,
  at: number,
  byteDelta: number,
  rowDelta = 0,
): void {
  for (const column of ['level', 'id', 'parent', 'next', 'written', ...offsets] as const) {
    target[column].set(source[column].subarray(from, to), at);
  }
  if (byteDelta !== 0) {
    for (const column of offsets) {
      const values = target[column];
      for (let row = at; row < at + to - from; row++) if (values[row]! >= 0) values[row]! += byteDelta;
    }
  }
  if (rowDelta !== 0) {
    for (let row = at; row < at + to - from; row++) {
      target.parent[row]! += rowDelta;
      target.next[row]! += rowDelta;
    }
  }
}

/**
 * An edit never cuts a node in half, so each offset either stays or moves by the whole difference.
 * The comparisons differ by column because an insertion may touch what stands left and right of it.
 */
function shiftOffsets(index: BookIndex, first: number, last: number, { start, end, length }: ByteEdit): void {
  const delta = length - (end - start);
  if (delta === 0) return;
  const { start: starts, end: ends, contentStart, contentEnd, summaryStart, summaryEnd } = index;
  for (let row = first; row < last; row++) {
    if (ends[row]! <= start) continue;
    ends[row]! += delta;
    if (starts[row]! >= end) starts[row]! += delta;
    if (contentStart[row]! > start) contentStart[row]! += delta;
    if (contentEnd[row]! >= end) contentEnd[row]! += delta;
    if (summaryStart[row]! >= end) summaryStart[row]! += delta;
    if (summaryEnd[row]! > start) summaryEnd[row]! += delta;
  }
}
