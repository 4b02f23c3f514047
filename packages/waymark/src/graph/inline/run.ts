import type { NodeMoment, RunHandle, RunOutcome, RunRequest, RunView } from '../engine.ts';
import { canRetry, NodeFailure, toRunError } from '../errors.ts';
import type { Answer, EndStatus, Question, RunError, RunEvent, RunPaused, RunStatus } from '../events.ts';
import { isPromise, type MaybePromise } from '../expressions/maybe-promise.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import { apply, isHandled } from '../interpreter/apply.ts';
import { stateAt } from '../interpreter/fold.ts';
import { TokenScope } from '../interpreter/scope.ts';
import { Chain } from '../interpreter/chain.ts';
import { createState, enqueue, type RunState, type Token } from '../interpreter/state.ts';
import type { GraphDocument } from '../model.ts';
import { createRedactor, type Redact } from '../redact.ts';
import { Deadline } from './deadline.ts';
import { ignoreErrors, InlineDebugger } from './debugger.ts';
import { type EventBody, EventLog } from './event-log.ts';
import { checkArguments, type Surroundings } from './execute.ts';
import { type Execution, Executions } from './executions.ts';
import { Mocks } from './mocks.ts';
import { held, keepOutput, perform, type Performance } from './perform.ts';
import { Questions } from './questions.ts';
import type { EngineServices } from './services.ts';
import { delayAfter, pause } from './timing.ts';

/** What ended an execution. */
type Ending = { readonly output: unknown } | { readonly error: unknown };

/** How long nodes may follow one another before the event loop gets its turn. */
const sliceMs = 8;

/** A run in memory: it does what `ready(state)` says can be done and turns what happens into events. */
export class InlineRun implements RunHandle {
  readonly id: string;
  readonly tool: string;
  readonly document: GraphDocument;
  readonly outcome: Promise<RunOutcome>;
  readonly debugger: InlineDebugger;

  readonly #request: RunRequest;
  readonly #services: EngineServices;
  readonly #redact: Redact;
  readonly #log: EventLog;
  readonly #executions = new Executions();
  readonly #delays = new Map<Token, number>();
  readonly #questions: Questions;
  readonly #deadline: Deadline;
  readonly #mocks: Mocks;
  readonly #performance: Performance;
  #settle: (outcome: RunOutcome) => void = () => {};
  #state: RunState;
  #startedAt = 0;
  #inFlight = 0;
  #holds = 0;
  #isPumping = false;
  #status: RunStatus = 'running';

  constructor(request: RunRequest, id: string, services: EngineServices) {
    const { document } = request;
    const tool = document.tools.get(request.tool);
    if (!tool) throw new NodeFailure('UNKNOWN_TOOL', `Tool not found: ${request.tool}`);
    this.id = id;
    this.tool = request.tool;
    this.document = document;
    this.#request = request;
    this.#services = services;
    this.#redact = createRedactor(document.secrets);
    this.#log = new EventLog(id, services.now, this.#redact, request.recorder);
    if (request.onEvent) this.#log.subscribe(request.onEvent);
    this.#state = createState(document, tool);
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#deadline = new Deadline(document.limits.maxExecutionTimeMs, (elapsed) => this.#exceedTime(elapsed));
    this.#questions = new Questions(
      (question) => this.#emit({ type: 'question-asked', question }),
      (questionId, answer) => this.#emit({ type: 'question-answered', id: questionId, answer }),
    );
    this.#mocks = new Mocks(request.mocks ?? {}, request.replay);
    this.#performance = {
      surroundings: this.#surroundings(),
      mocks: this.#mocks,
      cache: services.cache,
      started: (execution, input) => this.#started(execution, input),
    };
    this.debugger = new InlineDebugger(
      {
        status: () => this.#status,
        momentOf: (token) => this.#momentOf(token),
        paused: (token, reason) => this.#paused(token, reason),
        resumed: () => this.#resumed(),
        stop: () => this.#finish('stopped', { error: { code: 'STOPPED', message: 'Execution was stopped' } }),
        setValue: (node, value, path) => this.#emit({ type: 'value-changed', node, path, value }),
        scopeAt: (index, token) => this.#scopeAt(index, token),
      },
      request.debug,
    );
  }

  #surroundings(): Surroundings {
    const { caller, meta = {}, dryRun = false } = this.#request;
    return {
      run: this.id,
      caller: this.#services.caller,
      user: caller,
      meta,
      dryRun,
      now: this.#services.now,
      ask: (question, signal) => this.#ask(question, signal),
      progress: (token, progress) => this.#progress(token, progress),
    };
  }

  start(): void {
    const { args, fork, user = 'local', signal } = this.#request;
    this.#startedAt = performance.now();
    this.#deadline.start();
    const { hash: graphHash } = this.document;
    const input = fork ? inputOfFork(fork.events, args) : args;
    const forkedFrom = fork ? { forkedFrom: { run: fork.run, seq: fork.seq } } : {};
    this.#emit({
      type: 'run-started',
      run: this.id,
      graphHash,
      tool: this.tool,
      input,
      user,
      mode: 'inline',
      ...forkedFrom,
    });
    if (signal?.aborted) return this.cancel();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    try {
      checkArguments(input, this.#state.tool);
    } catch (error) {
      this.#finish('failed', { error: toRunError(error) });
      return;
    }
    if (fork) this.#continueFork(fork.events, fork.seq, fork.changes ?? {});
    this.#pump();
  }

  readonly #onAbort = () => this.cancel();

  /** Takes over the events of another run, then goes on with what had not ended in it. */
  #continueFork(events: readonly RunEvent[], seq: number, changes: Readonly<Record<string, unknown>>): void {
    for (const event of events) {
      if (event.seq > seq) break;
      if (event.type === 'run-started' || event.type === 'run-ended') continue;
      this.#state = apply(this.#state, event);
      this.#log.adopt(event);
    }
    this.#log.continueAfter(seq);
    this.#state.abandoned.length = 0;
    for (const token of this.#state.tokens.values())
      if (token.phase === 'running') enqueue(this.#state, token, 'ready');
    for (const [node, value] of Object.entries(changes)) this.#emit({ type: 'value-changed', node, path: '', value });
  }

  get #isOpen(): boolean {
    return this.#status === 'running' || this.#status === 'paused';
  }

  view(): RunView {
    const { history, root, tokens } = this.#state;
    const current = [...tokens.values()]
      .filter((token) => token.phase !== 'waiting')
      .map(({ node, path }) => ({ node: node.id, path }));
    return {
      run: this.id,
      status: this.#status,
      tool: this.tool,
      currentNode: current[0]?.node,
      current,
      history: this.#redact(history),
      context: this.#redact({ ...root?.context }),
    };
  }

  events(): readonly RunEvent[] {
    return this.#log.events;
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    return this.#log.subscribe(listener);
  }

  questions(): readonly Question[] {
    return this.#questions.list();
  }

  answer(questionId: string, answer: Answer): boolean {
    return this.#questions.answer(questionId, answer);
  }

  cancel(reason = 'The run was cancelled'): void {
    this.#finish('cancelled', { error: { code: 'CANCELLED', message: reason } });
  }

  // The loop

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const sliceEnd = performance.now() + sliceMs;
    try {
      while (this.#status === 'running' && this.#holds === 0) {
        const { outcome, queue } = this.#state;
        if (outcome) {
          if ('result' in outcome) this.#finish('succeeded', outcome);
          else this.#finish('failed', outcome);
          return;
        }
        const [token] = queue;
        if (!token && this.#inFlight === 0) {
          this.#finish('failed', {
            error: { code: 'STUCK', message: 'Nothing is left to do, but the exit was not reached' },
          });
          return;
        }
        if (!token || (this.#inFlight >= this.document.limits.maxConcurrency && token.phase === 'ready')) return;
        const now = performance.now();
        if (now > sliceEnd) {
          this.#holds++;
          setImmediate(() => this.#unhold());
          return;
        }
        if (token.phase === 'ready' && token.attempt === 1 && this.#isOverLimit(now)) return;
        queue.shift();
        if (token.phase === 'finish' || this.debugger.isIdle) this.#begin(token);
        else this.#hold(this.debugger.before(token).then(() => this.#beginIfAlive(token)));
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
    this.#pump();
  }

  #beginIfAlive(token: Token): void {
    if (this.#status === 'running' && this.#state.tokens.get(token.path) === token) this.#begin(token);
  }

  #isOverLimit(now: number): boolean {
    const { maxNodeExecutions } = this.document.limits;
    if (this.#state.started >= maxNodeExecutions) {
      const message = `Execution limit exceeded: maximum node executions (${maxNodeExecutions}) reached. Current execution count: ${this.#state.started}`;
      this.#finish('failed', { error: { code: 'LIMIT_EXCEEDED', message } });
      return true;
    }
    const isOver = this.#deadline.isOver(now);
    if (isOver) this.#exceedTime(this.#deadline.elapsed());
    return isOver;
  }

  #exceedTime(elapsed: number): void {
    const limit = this.document.limits.maxExecutionTimeMs;
    const message = `Execution limit exceeded: maximum execution time (${limit}ms) reached. Elapsed time: ${elapsed}ms`;
    this.#finish('failed', { error: { code: 'LIMIT_EXCEEDED', message } });
  }

  async #ask(question: Omit<Question, 'id'>, signal: AbortSignal): Promise<Answer> {
    this.#deadline.hold();
    try {
      return await this.#questions.ask(question, signal);
    } finally {
      if (this.#isOpen) this.#deadline.release();
    }
  }

  // One node

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
    this.#pump();
  }

  #started(execution: Execution, input?: unknown): void {
    const { token } = execution;
    const { node, path, attempt } = token;
    if (!this.#executions.isCurrent(execution)) return;
    this.#emit({
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
      this.#pump();
    });
  }

  #end(execution: Execution, ending: Ending): void {
    const { token } = execution;
    if (!this.#executions.isCurrent(execution) || !this.#isOpen) return;
    if ('output' in ending && ending.output === held) return;
    this.#executions.end(execution);
    const { node, path } = token;
    if (token.phase === 'ready') {
      this.#emit({ type: 'node-started', node: node.id, nodeType: node.type, path, attempt: token.attempt });
    }
    const moment = this.#request.debug?.hooks ? this.#momentOf(token) : undefined;
    if ('error' in ending) this.#endWithError(execution, ending.error);
    else this.#endWithOutput(execution, ending.output);
    for (const abandoned of this.#state.abandoned.splice(0)) {
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
      const delayMs = this.#mocks.isReplay ? 0 : delayAfter(attempt, retry, this.#services.random);
      this.#emit({ type: 'node-retried', node: node.id, nodeType: node.type, path, attempt, error, delayMs });
      this.#delays.set(token, delayMs);
      return;
    }
    const isCaught = isHandled(token, error);
    this.#emitEnded(execution, isCaught ? { error } : undefined, error);
  }

  #emitEnded(execution: Execution, output: unknown, error?: RunError): void {
    const { token, input, from } = execution;
    const { node, path, attempt } = token;
    this.#emit({
      type: 'node-ended',
      node: node.id,
      nodeType: node.type,
      path,
      attempt,
      index: this.#state.history.length,
      durationUs: execution.elapsedUs,
      output,
      ...(error ? { error } : {}),
      ...(input === undefined ? {} : { input }),
      ...(from ? { from } : {}),
    });
  }

  #tellHooks(moment: NodeMoment, { input }: Execution): void {
    const { hooks } = this.#request.debug ?? {};
    const record = this.#state.history.at(-1);
    if (!hooks || !record || record.node !== moment.node.id) return;
    const told = record.error ? hooks.nodeFailed?.(moment, record) : hooks.nodeEnded?.(moment, record, input);
    if (told) this.#hold(ignoreErrors(() => told) as Promise<void>);
  }

  // What others see

  #emit(body: EventBody): void {
    const event = this.#log.create(body);
    this.#state = apply(this.#state, event);
    this.#log.publish(event);
  }

  #progress({ node, path, attempt }: Token, progress: { progress: number; total?: number; message?: string }): void {
    if (!this.#isOpen) return;
    this.#emit({ type: 'node-progressed', node: node.id, nodeType: node.type, path, attempt, ...progress });
  }

  #momentOf(token: Token): NodeMoment {
    const { node, path, scope } = token;
    return { index: this.#state.history.length, node, path, context: { ...scope.context } };
  }

  #scopeAt(index: number | undefined, token: Token | undefined): ExpressionScope {
    if (index === undefined && token) return token.view;
    const state = index === undefined ? this.#state : stateAt(this.document, this.#state.tool, this.#log.events, index);
    const [first] = state.tokens.values();
    if (first) return first.view;
    if (!state.root) throw new Error('The run has not begun');
    return new TokenScope(state.root, new Chain());
  }

  #paused(token: Token, reason: RunPaused['reason']): void {
    this.#deadline.hold();
    this.#status = 'paused';
    this.#emit({ type: 'run-paused', node: token.node.id, path: token.path, reason });
  }

  #resumed(): void {
    this.#status = 'running';
    this.#deadline.release();
    this.#emit({ type: 'run-resumed' });
  }

  #finish(status: EndStatus, outcome: { result: unknown } | { error: RunError }): void {
    if (!this.#isOpen) return;
    this.#deadline.stop();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    const durationUs = Math.round((performance.now() - this.#startedAt) * 1000);
    this.#emit({ type: 'run-ended', status, ...outcome, durationUs, nodeExecutions: this.#state.history.length });
    this.#status = status;
    this.#executions.abortAll();
    this.debugger.ended(status);
    this.#settle(
      'result' in outcome
        ? { status: 'succeeded', run: this.id, result: outcome.result, durationUs }
        : {
            status: status as Exclude<EndStatus, 'succeeded'>,
            run: this.id,
            error: this.#redact(outcome.error),
            durationUs,
          },
    );
  }
}

function isRunError(cause: unknown): cause is RunError {
  return (
    typeof cause === 'object' && cause !== null && !(cause instanceof Error) && 'code' in cause && 'message' in cause
  );
}

function inputOfFork(
  events: readonly RunEvent[],
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const started = events.find((event) => event.type === 'run-started');
  return Object.keys(args).length > 0 || !started ? args : started.input;
}
