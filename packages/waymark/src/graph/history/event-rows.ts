import type { RunEvent } from '../events.ts';
import type { Packer } from './pack.ts';

/** An event ready to be inserted. */
export interface EventRow {
  readonly run: string;
  readonly seq: number;
  readonly type: RunEvent['type'];
  readonly node: string | null;
  readonly path: string | null;
  readonly at: Date;
  readonly data: string;
}

/** What the columns hold already is not repeated in `data`; a missing value and null stay apart. */
export function toRow(run: string, event: RunEvent, packer: Packer) {
  const { seq, type, at, ...rest } = event;
  const { node, path, ...data } = rest as { node?: string; path?: string } & Record<string, unknown>;
  const packed = packer.pack(data);
  const row: EventRow = {
    run,
    seq,
    type,
    node: node ?? null,
    path: path ?? null,
    at: new Date(at),
    data: packed.text,
  };
  return { row, blobs: packed.blobs };
}

export function toEvent(row: Omit<EventRow, 'run' | 'data'>, data: Record<string, unknown>): RunEvent {
  return {
    seq: row.seq,
    at: row.at.getTime(),
    type: row.type,
    ...(row.node === null ? {} : { node: row.node }),
    ...(row.path === null ? {} : { path: row.path }),
    ...data,
  } as unknown as RunEvent;
}
