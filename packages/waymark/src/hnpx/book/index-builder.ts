import { type BookIndex, createIndex } from './book-index.ts';

type Column = Exclude<keyof BookIndex, 'count'>;

/** Collects rows while a document is read from front to back. */
export class IndexBuilder {
  readonly #columns: Record<Column, number[]> = {
    level: [],
    id: [],
    parent: [],
    next: [],
    start: [],
    end: [],
    contentStart: [],
    contentEnd: [],
    summaryStart: [],
    summaryEnd: [],
    written: [],
  };

  get count(): number {
    return this.#columns.level.length;
  }

  /** Adds a node whose open tag was read, and returns its row. */
  open(level: number, id: number, parent: number, start: number, contentStart: number): number {
    const row = this.count;
    const columns = this.#columns;
    columns.level.push(level);
    columns.id.push(id);
    columns.parent.push(parent);
    columns.next.push(-1);
    columns.start.push(start);
    columns.end.push(-1);
    columns.contentStart.push(contentStart);
    columns.contentEnd.push(-1);
    columns.summaryStart.push(-1);
    columns.summaryEnd.push(-1);
    columns.written.push(0);
    return row;
  }

  close(row: number, contentEnd: number, end: number): void {
    this.#columns.contentEnd[row] = contentEnd;
    this.#columns.end[row] = end;
    this.#columns.next[row] = this.count;
  }

  setSummary(row: number, start: number, end: number): void {
    this.#columns.summaryStart[row] = start;
    this.#columns.summaryEnd[row] = end;
  }

  hasSummary(row: number): boolean {
    return (this.#columns.summaryStart[row] ?? -1) >= 0;
  }

  isParagraph(row: number): boolean {
    return this.#columns.level[row] === 4;
  }

  startOf(row: number): number {
    return this.#columns.start[row] ?? 0;
  }

  markWritten(row: number): void {
    this.#columns.written[row] = 1;
  }

  finish(): BookIndex {
    const index = createIndex(this.count);
    for (const [name, values] of Object.entries(this.#columns)) {
      index[name as Column].set(values);
    }
    return index;
  }
}
