import { createContext, Script } from 'node:vm';

const script = new Script('run()');
const sandbox = createContext({ run: undefined as unknown });

export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
  readonly code = 'D1012';
}

/**
 * Runs synchronous work that might not end, such as a regular expression, and breaks it off after
 * `timeoutMs`. Costs about 0.1 ms, so it is for work that is suspect by its form or size.
 */
export function runBounded<T>(work: () => T, timeoutMs: number, what: string): T {
  sandbox['run'] = work;
  try {
    return script.runInContext(sandbox, { timeout: timeoutMs }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new OutOfTimeError(`${what} took longer than ${timeoutMs} milliseconds`);
  } finally {
    sandbox['run'] = undefined;
  }
}
