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
 * the first item, or when a batch is full. A write that fails is tried again; what cannot be written
 * in the end is given up, because a run must not fail for its history.
 */
export class WriteBehind<T> {
  readonly #options: WriteBehindOptions<T>;
  readonly #delayMs: number;
  readonly #maxBatch: number;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: WriteBehindOptions<T>) {
    this.#options = options;
    this.#delayMs = options.delayMs ?? 50;
    this.#maxBatch = options.maxBatch ?? 500;
  }

  add(item: T, urgent = false): void {
    this.#waiting.push(item);
    if (urgent || this.#waiting.length >= this.#maxBatch) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#delayMs).unref();
  }

  /** Resolves when everything added so far is written, or given up. */
  flush(): Promise<void> {
    this.#start();
    return this.#writing;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const items = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing.then(async () => {
      for (let start = 0; start < items.length; start += this.#maxBatch) {
        await this.#write(items.slice(start, start + this.#maxBatch));
      }
    });
  }

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
