import { createHash } from 'node:crypto';
import { isTimeZone } from '../dates/index.ts';
import type { Context } from '../kit/index.ts';

/** Who asks, when, and what else a call brings along. */
export interface Circumstances {
  readonly userId: string;
  readonly now: Date;
  readonly randomId: () => string;
  /** The zone the client is in, if it says so. */
  readonly clientZone: string | undefined;
  /** A repeated call with the same key is answered as before and changes nothing. */
  readonly requestKey: string | undefined;
  readonly signal: AbortSignal;
}

export const timeZoneKey = 'waymark/timeZone';
export const idempotencyKey = 'waymark/idempotencyKey';

export function circumstancesOf(context: Context): Circumstances {
  const location = context.meta['openai/userLocation'] as { timezone?: unknown } | undefined;
  const zone = [context.meta[timeZoneKey], location?.timezone].find(
    (candidate): candidate is string => typeof candidate === 'string' && isTimeZone(candidate),
  );
  const key = context.meta[idempotencyKey];
  return {
    userId: context.user.id,
    now: context.clock(),
    randomId: context.randomId,
    clientZone: zone,
    requestKey: typeof key === 'string' && key !== '' ? key.slice(0, 200) : undefined,
    signal: context.signal,
  };
}

export type IdKind = 'sess' | 'learner' | 'out' | 'con' | 'proof' | 'prac' | 'app' | 'rev';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** `sess_` and 20 letters and digits: unguessable, and easy to read out. */
export function newId(kind: IdKind, { randomId }: Pick<Circumstances, 'randomId'>): string {
  const bytes = createHash('sha256').update(randomId()).digest();
  return `${kind}_${Array.from(bytes.subarray(0, 20), (byte) => alphabet[byte & 31]).join('')}`;
}
