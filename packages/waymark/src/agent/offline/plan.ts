import type { Dialog } from '../model.ts';
import type { DateContext } from '../understanding/index.ts';

/** A tool call a plan asks for. */
export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What came of a call: the tool's data, or the code of its refusal. */
export interface Outcome {
  readonly ok: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly code: string | undefined;
}

/** Asks for calls with `yield` and goes on with what came of them. It holds no other way to act. */
export type Plan<T> = Generator<readonly Call[], T, readonly Outcome[]>;

/** What a plan works with: the conversation so far, changed as it goes, and when and where it is. */
export interface Desk {
  dialog: Dialog;
  /** Said so far in this turn; kept when a call must wait for approval. */
  readonly said: string[];
  readonly dates: DateContext;
  /** Tools that exist beyond the five. */
  readonly tools: ReadonlySet<string>;
}

export function* callOne(tool: string, args: Readonly<Record<string, unknown>>): Plan<Outcome> {
  const [outcome] = yield [{ tool, arguments: args }];
  return outcome ?? { ok: false, data: {}, code: 'UNAVAILABLE' };
}

/** What a tool's text means: its data, and whether it is an answer at all. */
export function readOutcome(text: string): Outcome {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new TypeError('not an object');
    const { success, error } = data as { success?: unknown; error?: { code?: unknown } };
    return {
      ok: success === true,
      data: data as Outcome['data'],
      code: success === true ? undefined : typeof error?.code === 'string' ? error.code : 'MALFORMED',
    };
  } catch {
    return { ok: false, data: {}, code: 'MALFORMED' };
  }
}
