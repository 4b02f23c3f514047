import { canRetry, NodeFailure, toRunError } from '../errors.ts';
import type { NodeMoment, RunHooks } from '../engine.ts';
import type { EndStatus, RunError, RunStatus } from '../events.ts';
import { isPromise, type MaybePromise } from '../expressions/maybe-promise.ts';
import { isHandled } from '../interpreter/apply.ts';
import type { RunState, Token } from '../interpreter/state.ts';
import type { GraphDocument } from '../model.ts';
import { ignoreErrors, type InlineDebugger } from './debugger.ts';
import type { EventBody } from './event-log.ts';
import { type Execution, Executions } from './executions.ts';
import { held, keepOutput, perform, type Performance } from './perform.ts';
import { delayAfter, pause } from './timing.ts';

/** What the loop needs of the run it drives. */
export interface Driven {
  readonly document: GraphDocument;
  state(): RunState;
  status(): RunStatus;
  /** Running or paused. */
  isOpen(): boolean;
  readonly debugger: InlineDebugger;
  readonly hooks: RunHooks | undefined;
  readonly random: () => number;
  emit(body: EventBody): void;
  finish(status: EndStatus, outcome: { result: unknown } | { error: RunError }): void;
  isOutOfTime(now: number): boolean;
  exceedTime(): void;
  momentOf(token: Token): NodeMoment;
}

/** What ended an execution. */
type Ending = { readonly output: unknown } | { readonly error: unknown };

/** How long nodes may follow one another before the event loop gets its turn. */
const sliceMs = 8;

/** Does what `ready(state)` says can be done, and turns what happens into events. */
export class NodeLoop {
  readonly #run: Driven;
  readonly #performance: Performance;
  readonly #executions = new Executions();
  readonly #delays = new Map<Token, number>();
  #inFlight = 0;
  #holds = 0;
  #isPumping = false;

  constructor(run: Driven, performance: Omit<Performance, 'started'>) {
    this.#run = run;
    this.#performance = { ...performance, started: (execution, input) => this.#started(execution, input) };
  }

  /** Stops everything that runs. */
  abort(): void {
    this.#executions.abortAll();
  }

  /** Starts and ends nodes until something has to be waited for. */
  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const sliceEnd = performance.now() + sliceMs;
    try {
      while (this.#run.status() === 'running' && this.#holds === 0) {
        const { outcome, queue } = this.#run.state();
        if (outcome) {
          if ('result' in outcome) this.#run.finish('succeeded', outcome);
          else this.#run.finish('failed', outcome);
          return;
        }
        const [token] = queue;
        if (!token && this.#inFlight === 0) {
          this.#run.finish('failed', {
            error: { code: 'STUCK', message: 'Nothing is left to do, but the exit was not reached' },
          });
          return;
        }
        if (!token || (this.#inFlight >= this.#run.document.limits.maxConcurrency && token.phase === 'ready')) return;
        const now = performance.now();
        if (now > sliceEnd) {
          this.#holds++;
          setImmediate(() => this.#unhold());
          return;
        }
        if (token.phase === 'ready' && token.attempt === 1 && this.#isOverLimit(now)) return;
        queue.shift();
        if (token.phase === 'finish' || this.#run.debugger.isIdle) this.#begin(token);
        else this.#hold(this.#run.debugger.before(token).then(() => this.#beginIfAlive(token)));
      }
    } finally {
      this.#isPumping = false;
    }
  }

  #hold(work: Promise<void>): void {
    this.#holds++;
    work.then(
      () => this.#unhold(),
      () => this.#unhold(),
    );
  }

  #unhold(): void {
    this.#holds--;
    this.pump();
  }

  #beginIfAlive(token: Token): void {
    if (this.#run.status() === 'running' && this.#run.state().tokens.get(token.path) === token) this.#begin(token);
  }

  #isOverLimit(now: number): boolean {
    const { maxNodeExecutions } = this.#run.document.limits;
    if (this.#run.state().started >= maxNodeExecutions) {
      const message = `Execution limit exceeded: maximum node executions (${maxNodeExecutions}) reached. Current execution count: ${this.#run.state().started}`;
      this.#run.finish('failed', { error: { code: 'LIMIT_EXCEEDED', message } });
      return true;
    }
    const isOver = this.#run.isOutOfTime(now);
    if (isOver) this.#run.exceedTime();
    return isOver;
  }

  #begin(token: Token): void {
    if (token.phase === 'finish') {
      this.#end(this.#executions.resume(token), token.outcome ?? { output: undefined });
      return;
    }
    const execution = this.#executions.begin(token);
    let work: MaybePromise<unknown>;
    try {
      work = this.#performAfterDelay(execution);
    } catch (error) {
      this.#end(execution, { error });
      return;
    }
    if (!isPromise(work)) {
      this.#end(execution, { output: work });
      return;
    }
    this.#inFlight++;
    work.then(
      (output) => this.#landed(execution, { output }),
      (error: unknown) => this.#landed(execution, { error }),
    );
  }

  #performAfterDelay(execution: Execution): MaybePromise<unknown> {
    const delay = this.#delays.get(execution.token);
    if (delay === undefined) return perform(execution, this.#performance);
    this.#delays.delete(execution.token);
    return pause(delay, execution.signal).then(() => perform(execution, this.#performance));
  }

  #landed(execution: Execution, ending: Ending): void {
    this.#inFlight--;
    this.#end(execution, ending);
    this.pump();
  }

  #started(execution: Execution, input?: unknown): void {
    const { token } = execution;
    const { node, path, attempt } = token;
    if (!this.#executions.isCurrent(execution)) return;
    this.#run.emit({
      type: 'node-started',
      node: node.id,
      nodeType: node.type,
      path,
      attempt,
      ...(input === undefined ? {} : { input }),
    });
    const timeoutMs = 'timeoutMs' in node ? node.timeoutMs : undefined;
    if (timeoutMs === undefined) return;
    execution.expireAfter(timeoutMs, () => {
      const message = `Node ${node.id} took longer than ${timeoutMs} ms`;
      this.#end(execution, { error: new NodeFailure('TIMEOUT', message) });
      execution.abort('TIMEOUT', message);
      this.pump();
    });
  }

  #end(execution: Execution, ending: Ending): void {
    const { token } = execution;
    if (!this.#executions.isCurrent(execution) || !this.#run.isOpen()) return;
    if ('output' in ending && ending.output === held) return;
    this.#executions.end(execution);
    const { node, path } = token;
    if (token.phase === 'ready') {
      this.#run.emit({ type: 'node-started', node: node.id, nodeType: node.type, path, attempt: token.attempt });
    }
    const moment = this.#run.hooks ? this.#run.momentOf(token) : undefined;
    if ('error' in ending) this.#endWithError(execution, ending.error);
    else this.#endWithOutput(execution, ending.output);
    for (const abandoned of this.#run.state().abandoned.splice(0)) {
      this.#executions.abort(abandoned);
      this.#delays.delete(abandoned);
    }
    if (moment) this.#tellHooks(moment, execution);
  }

  #endWithOutput(execution: Execution, output: unknown): void {
    keepOutput(execution, output, this.#performance);
    this.#emitEnded(execution, output);
  }

  #endWithError(execution: Execution, cause: unknown): void {
    const { token } = execution;
    const { node, path, attempt } = token;
    const error = isRunError(cause) ? cause : toRunError(cause, node.id, path);
    const retry = 'retry' in node ? node.retry : undefined;
    if (retry && attempt < retry.attempts && canRetry(error, retry.on)) {
      const delayMs = this.#performance.mocks.isReplay ? 0 : delayAfter(attempt, retry, this.#run.random);
      this.#run.emit({ type: 'node-retried', node: node.id, nodeType: node.type, path, attempt, error, delayMs });
      this.#delays.set(token, delayMs);
      return;
    }
    const isCaught = isHandled(token, error);
    this.#emitEnded(execution, isCaught ? { error } : undefined, error);
  }

  #emitEnded(execution: Execution, output: unknown, error?: RunError): void {
    const { token, input, from } = execution;
    const { node, path, attempt } = token;
    this.#run.emit({
      type: 'node-ended',
      node: node.id,
      nodeType: node.type,
      path,
      attempt,
      index: this.#run.state().history.length,
      durationUs: execution.elapsedUs,
      output,
      ...(error ? { error } : {}),
      ...(input === undefined ? {} : { input }),
      ...(from ? { from } : {}),
    });
  }

  #tellHooks(moment: NodeMoment, { input }: Execution): void {
    const { hooks } = this.#run;
    const record = this.#run.state().history.at(-1);
    if (!hooks || !record || record.node !== moment.node.id) return;
    const told = record.error ? hooks.nodeFailed?.(moment, record) : hooks.nodeEnded?.(moment, record, input);
    if (told) this.#hold(ignoreErrors(() => told) as Promise<void>);
  }
}

function isRunError(cause: unknown): cause is RunError {
  return (
    typeof cause === 'object' && cause !== null && !(cause instanceof Error) && 'code' in cause && 'message' in cause
  );
}
