import type { Logger } from '../../kit/index.ts';

export interface WriteBehindOptions<T> {
  readonly write: (batch: readonly T[]) => Promise<void>;
  readonly log: Logger;
  readonly delayMs?: number;
  readonly maxBatch?: number;
  readonly retryDelaysMs?: readonly number[];
}

/**
 * Collects what is to be written and writes it in batches, in order, off the caller's path: soon after
 * the first item, or when a batch is full. What comes while a batch is being written makes up the
 * next one. A write that fails is tried again; what cannot be written in the end is given up,
 * because a run must not fail for its history.
 */
export class WriteBehind<T> {
  readonly #options: WriteBehindOptions<T>;
  readonly #delayMs: number;
  readonly #maxBatch: number;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;
  #added = 0;
  #written = 0;
  #flushing: { readonly upTo: number; readonly done: () => void }[] = [];

  constructor(options: WriteBehindOptions<T>) {
    this.#options = options;
    this.#delayMs = options.delayMs ?? 50;
    this.#maxBatch = options.maxBatch ?? 500;
  }

  add(item: T): void {
    this.#waiting.push(item);
    this.#added++;
    if (this.#waiting.length >= this.#maxBatch) void this.#writeAll();
    else this.#timer ??= setTimeout(() => void this.#writeAll(), this.#delayMs).unref();
  }

  /** Resolves when everything added so far is written, or given up. */
  flush(): Promise<void> {
    if (this.#written === this.#added) return Promise.resolve();
    const flushed = new Promise<void>((done) => this.#flushing.push({ upTo: this.#added, done }));
    void this.#writeAll();
    return flushed;
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxBatch);
      await this.#write(batch);
      this.#written += batch.length;
      const [due, later] = [this.#flushing.filter(this.#isDue), this.#flushing.filter((one) => !this.#isDue(one))];
      this.#flushing = later;
      for (const { done } of due) done();
      if (later.length === 0 && this.#waiting.length < this.#maxBatch) break;
    }
    this.#isWriting = false;
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#writeAll(), this.#delayMs).unref();
  }

  readonly #isDue = ({ upTo }: { readonly upTo: number }) => upTo <= this.#written;

  async #write(batch: readonly T[]): Promise<void> {
    for (const delayMs of [...(this.#options.retryDelaysMs ?? [100, 400, 1600]), undefined]) {
      try {
        await this.#options.write(batch);
        return;
      } catch (error) {
        if (delayMs === undefined) {
          this.#options.log.error('history could not be written', { events: batch.length, error });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }
}
