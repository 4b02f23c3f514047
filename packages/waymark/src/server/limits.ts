/** So many calls at once, refilled evenly. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Token buckets by key. An idle bucket is full again and forgotten, so memory follows the active callers. */
export class RateLimiter {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** 0 when the call may go ahead, else the milliseconds until it may. */
  take(key: string): number {
    const now = this.#now();
    const { perSecond, burst } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    const allowed = tokens >= 1;
    this.#buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > 10_000) this.#forgetFull(now);
    return allowed ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000);
  }

  #forgetFull(now: number): void {
    const { perSecond, burst } = this.#rate;
    for (const [key, { tokens, at }] of this.#buckets) {
      if (tokens + ((now - at) / 1000) * perSecond >= burst) this.#buckets.delete(key);
    }
  }
}
