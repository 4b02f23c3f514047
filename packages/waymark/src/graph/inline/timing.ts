import type { RetryPolicy } from '../model.ts';

const longestTimer = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason. Longer than a timer can be is waited for in parts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; ; left -= longestTimer) {
    await pauseOnce(Math.min(left, longestTimer), signal);
    if (left <= longestTimer) return;
  }
}

function pauseOnce(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** How long to wait before the next attempt. */
export function delayAfter(attempt: number, policy: RetryPolicy, random: () => number): number {
  const full = Math.min(policy.maxDelayMs, policy.delayMs * policy.factor ** (attempt - 1));
  return Math.round(full * (1 - policy.jitter + policy.jitter * random()));
}
