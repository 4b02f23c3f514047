const longestTimer = 2 ** 31 - 1;

/** Nobody is waited for longer than this: a run that was forgotten must not stay for ever. */
const longestWaitMs = 86_400_000;

/**
 * The time a run may take. It stands still while the run is held and while it waits for a person:
 * the limit is on what the machine does, not on how long somebody thinks.
 */
export class Deadline {
  readonly #limitMs: number;
  readonly #onOver: (elapsedMs: number) => void;
  #end = 0;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #heldAt = 0;

  constructor(limitMs: number, onOver: (elapsedMs: number) => void) {
    this.#limitMs = limitMs;
    this.#onOver = onOver;
  }

  start(): void {
    this.#end = performance.now() + this.#limitMs;
    this.#arm();
  }

  isOver(now: number): boolean {
    return this.#holds === 0 && now >= this.#end;
  }

  /** How long the run has been going, as far as it counts. */
  elapsed(): number {
    return Math.round(performance.now() - this.#end + this.#limitMs);
  }

  hold(): void {
    if (this.#holds++ > 0) return;
    clearTimeout(this.#timer);
    this.#heldAt = performance.now();
    this.#timer = setTimeout(() => this.#onOver(this.elapsed()), longestWaitMs);
  }

  release(): void {
    if (this.#holds === 0 || --this.#holds > 0) return;
    this.#end += performance.now() - this.#heldAt;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const left = Math.min(Math.max(0, this.#end - performance.now()), longestTimer);
    this.#timer = setTimeout(() => {
      if (performance.now() >= this.#end - 1) this.#onOver(this.elapsed());
      else this.#arm();
    }, left);
  }
}
