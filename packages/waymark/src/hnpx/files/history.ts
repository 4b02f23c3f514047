import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../kit/index.ts';
import { errnoOf } from './file-errors.ts';
import { revisionOf } from './revision.ts';

/** A whole copy of a book, kept before something removed or rewrote much of it. */
export interface Snapshot {
  readonly id: string;
  readonly created_at: string;
  readonly revision: string;
  readonly reason: string;
  readonly bytes: number;
}

/** How to take one change back: put `removed` where `inserted` bytes stand now, or go back to a snapshot. */
interface UndoRecord {
  readonly tool: string;
  readonly at: string;
  readonly before: string;
  readonly after: string;
  readonly offset?: number;
  readonly inserted?: number;
  readonly removed?: string;
  readonly snapshot?: string;
}

const snapshotName = /^(\d{8}T\d{9}Z)-([0-9a-f]{12})-([a-z0-9_-]{1,40})\.hnpx$/;
const snapshotId = /^\d{8}T\d{9}Z-[0-9a-f]{12}$/;
const maxSnapshots = 50;
const maxSnapshotBytes = 256 * 1024 * 1024;
const maxUndoBytes = 8 * 1024 * 1024;
const maxInlineBytes = 512 * 1024;

/**
 * What a book was before: snapshots and the way back from each change. Kept in `.hnpx/<file name>/`
 * beside the book. Call only while holding the book's lock, except for reading.
 */
export class BookHistory {
  readonly #directory: string;
  readonly #undoFile: string;

  constructor(bookPath: string) {
    this.#directory = join(dirname(bookPath), '.hnpx', basename(bookPath));
    this.#undoFile = join(this.#directory, 'undo.jsonl');
  }

  /** Newest first. */
  snapshots(): Snapshot[] {
    return this.#snapshotNames()
      .map((name) => this.#describe(name))
      .toReversed();
  }

  saveSnapshot(bytes: Buffer, reason: string, now: Date): Snapshot {
    this.#makeDirectory();
    const time = now.toISOString().replaceAll(/[-:.]/g, '');
    const label =
      reason
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]+/g, '-')
        .slice(0, 40) || 'snapshot';
    const name = `${time}-${revisionOf(bytes)}-${label}.hnpx`;
    writeFileSync(join(this.#directory, name), bytes);
    this.#removeOldSnapshots();
    return this.#describe(name);
  }

  readSnapshot(id: string): Buffer {
    const name = snapshotId.test(id) ? this.#snapshotNames().find((candidate) => candidate.startsWith(id)) : undefined;
    if (name === undefined) {
      const known = this.snapshots().map((snapshot) => snapshot.id);
      throw new ToolError('SNAPSHOT_NOT_FOUND', `Snapshot ${id.slice(0, 60)} not found`, {
        snapshots: known.slice(0, 20),
      });
    }
    const bytes = readFileSync(join(this.#directory, name));
    if (revisionOf(bytes) !== snapshotName.exec(name)?.[2]) {
      throw new ToolError('VALIDATION_FAILED', `Snapshot ${id} was changed after it was taken`, { snapshot_id: id });
    }
    return bytes;
  }

  /** Notes the way back from one change. */
  recordChange(change: {
    tool: string;
    before: Revision;
    after: Revision;
    snapshot?: string | undefined;
    now: Date;
  }): void {
    const { tool, before, after, now } = change;
    this.#makeDirectory();
    const shared = { tool, at: now.toISOString(), before: before.revision, after: after.revision };
    const [offset, beforeEnd, afterEnd] = differingRange(before.bytes, after.bytes);
    const isInline = beforeEnd - offset <= maxInlineBytes;
    const snapshot = isInline ? undefined : (change.snapshot ?? this.saveSnapshot(before.bytes, tool, now).id);
    const record: UndoRecord = isInline
      ? { ...shared, offset, inserted: afterEnd - offset, removed: before.bytes.toString('base64', offset, beforeEnd) }
      : { ...shared, ...(snapshot ? { snapshot } : {}) };
    this.#trimUndo();
    appendFileSync(this.#undoFile, `${JSON.stringify(record)}\n`);
  }

  /** The book before its last recorded change, which must be the one that made it what it is now. */
  previous(current: Revision): { bytes: Buffer; tool: string; at: string } {
    const record = this.#readUndo().at(-1);
    if (record === undefined) throw new ToolError('NOTHING_TO_UNDO', 'There is no change to undo');
    if (record.after !== current.revision) {
      throw new ToolError(
        'NOTHING_TO_UNDO',
        'The book was changed by another program since; restore a snapshot instead',
        {
          last_known_revision: record.after,
          revision: current.revision,
        },
      );
    }
    const bytes = this.#rewind(record, current.bytes);
    if (revisionOf(bytes) !== record.before) {
      throw new ToolError('VALIDATION_FAILED', 'The undo history does not fit the book', { revision: record.before });
    }
    return { bytes, tool: record.tool, at: record.at };
  }

  /** Forgets the last change after it was taken back; says how many are left. */
  dropLast(): number {
    const records = this.#readUndo();
    const last = records.pop();
    if (last)
      truncateSync(this.#undoFile, statSync(this.#undoFile).size - Buffer.byteLength(`${JSON.stringify(last)}\n`));
    return records.length;
  }

  /** A link in place of the directory could lead out of the roots. */
  #makeDirectory(): void {
    for (const directory of [dirname(this.#directory), this.#directory]) {
      if (lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new ToolError('INVALID_PATH', 'The history of this book lies behind a link');
      }
    }
    mkdirSync(this.#directory, { recursive: true });
  }

  #rewind(record: UndoRecord, current: Buffer): Buffer {
    if (record.snapshot !== undefined) return this.readSnapshot(record.snapshot);
    const { offset = 0, inserted = 0, removed = '' } = record;
    return Buffer.concat([
      current.subarray(0, offset),
      Buffer.from(removed, 'base64'),
      current.subarray(offset + inserted),
    ]);
  }

  #readUndo(): UndoRecord[] {
    let text: string;
    try {
      text = readFileSync(this.#undoFile, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
    const records: UndoRecord[] = [];
    for (const line of text.split('\n')) {
      try {
        if (line !== '') records.push(JSON.parse(line) as UndoRecord);
      } catch {
        // Only a crash leaves half a line; what stands before it no longer leads to the present.
        return [];
      }
    }
    return records;
  }

  /** Keeps the newer half once the file has grown large. */
  #trimUndo(): void {
    const size = statSync(this.#undoFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size < maxUndoBytes) return;
    const text = readFileSync(this.#undoFile, 'utf8');
    writeFileSync(this.#undoFile, text.slice(text.indexOf('\n', text.length / 2) + 1));
  }

  #removeOldSnapshots(): void {
    let bytes = 0;
    for (const [age, { id, bytes: size }] of this.snapshots().entries()) {
      bytes += size;
      if (age < 3 || (age < maxSnapshots && bytes <= maxSnapshotBytes)) continue;
      const name = this.#snapshotNames().find((candidate) => candidate.startsWith(id));
      if (name) unlinkSync(join(this.#directory, name));
    }
  }

  #snapshotNames(): string[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => snapshotName.test(name))
        .toSorted();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  #describe(name: string): Snapshot {
    const [, time = '', revision = '', reason = ''] = snapshotName.exec(name) ?? [];
    const created = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z');
    const bytes = statSync(join(this.#directory, name)).size;
    return { id: `${time}-${revision}`, created_at: created, revision, reason, bytes };
  }
}

interface Revision {
  readonly revision: string;
  readonly bytes: Buffer;
}

/** Where two texts begin to differ, and where in each of them they end to. */
function differingRange(before: Buffer, after: Buffer): [start: number, beforeEnd: number, afterEnd: number] {
  const shorter = Math.min(before.length, after.length);
  const start = commonLength(shorter, (from, to) => before.subarray(from, to).equals(after.subarray(from, to)));
  const tail = commonLength(shorter - start, (from, to) =>
    before
      .subarray(before.length - to, before.length - from)
      .equals(after.subarray(after.length - to, after.length - from)),
  );
  return [start, before.length - tail, after.length - tail];
}

/** The largest length up to which `isEqual` holds, compared block by block and then within the last block. */
function commonLength(limit: number, isEqual: (from: number, to: number) => boolean): number {
  const block = 64 * 1024;
  let length = 0;
  while (length < limit && isEqual(length, Math.min(length + block, limit))) length = Math.min(length + block, limit);
  let end = Math.min(length + block, limit);
  while (length < end) {
    const middle = Math.ceil((length + end) / 2);
    if (isEqual(length, middle)) length = middle;
    else end = middle - 1;
  }
  return length;
}
