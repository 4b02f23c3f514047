interface Entry {
  readonly value: unknown;
  readonly expires: number;
}

/** Outputs of nodes with `cache`, shared by the runs of an engine. The oldest entries go first. */
export class OutputCache {
  readonly #entries = new Map<string, Entry>();
  readonly #size: number;

  constructor(size = 1000) {
    this.#size = size;
  }

  get(key: string, now: number): { value: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expires > now) return { value: entry.value };
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: unknown, expires: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#size && oldest !== undefined) this.#entries.delete(oldest);
  }
}
