import { NodeFailure } from '../errors.ts';
import type { Token } from '../interpreter/state.ts';

/** One execution of a node under way. */
export class Execution {
  readonly token: Token;
  readonly startedAt = performance.now();
  input: unknown;
  cacheKey: string | undefined;
  from: 'cache' | 'mock' | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(token: Token) {
    this.token = token;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get elapsedUs(): number {
    return Math.round((performance.now() - this.startedAt) * 1000);
  }

  expireAfter(ms: number, expire: () => void): void {
    this.#timer = setTimeout(expire, ms);
  }

  clearTimer(): void {
    clearTimeout(this.#timer);
  }

  abort(code: string, message: string): void {
    this.clearTimer();
    this.#controller?.abort(new NodeFailure(code, message));
  }
}

/** What runs for the tokens of a run. A token has at most one execution; what an earlier one still does is ignored. */
export class Executions {
  readonly #byToken = new Map<Token, Execution>();

  begin(token: Token): Execution {
    const execution = new Execution(token);
    this.#byToken.set(token, execution);
    return execution;
  }

  /** The execution of a node that waits for others, to be ended now. */
  resume(token: Token): Execution {
    return this.#byToken.get(token) ?? this.begin(token);
  }

  isCurrent(execution: Execution): boolean {
    return this.#byToken.get(execution.token) === execution;
  }

  end(execution: Execution): void {
    execution.clearTimer();
    this.#byToken.delete(execution.token);
  }

  abort(token: Token): void {
    const execution = this.#byToken.get(token);
    this.#byToken.delete(token);
    execution?.abort('CANCELLED', 'The node is no longer needed');
  }

  abortAll(): void {
    const executions = [...this.#byToken.values()];
    this.#byToken.clear();
    for (const execution of executions) execution.abort('CANCELLED', 'The run has ended');
  }
}
