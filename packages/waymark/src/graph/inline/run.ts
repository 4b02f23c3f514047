import { compileNode } from '../compile.ts';
import type { NodeMoment, RunHandle, RunOutcome, RunRequest, RunView } from '../engine.ts';
import { canRetry, NodeFailure, toRunError } from '../errors.ts';
import type { Answer, EndStatus, Question, RunError, RunEvent, RunPaused, RunStatus } from '../events.ts';
import { after, isPromise, type MaybePromise } from '../expressions/maybe-promise.ts';
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
import { checkArguments, executeNode, inputOf, type Surroundings } from './execute.ts';
import { Mocks } from './mocks.ts';
import { Questions } from './questions.ts';
import type { EngineServices } from './services.ts';
import { delayAfter, pause } from './timing.ts';

/** One execution of a node under way. */
interface Execution {
  readonly token: Token;
  readonly startedAt: number;
  input: unknown;
  controller: AbortController | undefined;
  timer: NodeJS.Timeout | undefined;
  cacheKey: string | undefined;
  from: 'cache' | 'mock' | undefined;
}

/** What ended an execution. */
type Ending = { readonly output: unknown } | { readonly error: unknown };

/** The node goes on through others; it ends when they have. */
const held = Symbol('held');

/** How long nodes may follow one another before the event loop gets its turn. */
const sliceMs = 8;

type EventBody = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'seq' | 'at'> : never) : never;

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
  readonly #events: RunEvent[] = [];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #executions = new Map<Token, Execution>();
  readonly #delays = new Map<Token, number>();
  readonly #questions: Questions;
  readonly #deadline: Deadline;
  readonly #mocks: Mocks;
  readonly #surroundings: Surroundings;
  #settle: (outcome: RunOutcome) => void = () => {};
  #state: RunState;
  #seq = 0;
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
    this.#state = createState(document, tool);
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#deadline = new Deadline(document.limits.maxExecutionTimeMs, (elapsed) => this.#exceedTime(elapsed));
    this.#questions = new Questions(
      (question) => this.#emit({ type: 'question-asked', question }),
      (questionId, answer) => this.#emit({ type: 'question-answered', id: questionId, answer }),
    );
    this.#mocks = new Mocks(request.mocks ?? {}, request.replay);
    this.#surroundings = {
      run: id,
      caller: services.caller,
      user: request.caller,
      meta: request.meta ?? {},
      dryRun: request.dryRun ?? false,
      now: services.now,
      ask: (question, signal) => this.#ask(question, signal),
      progress: (token, progress) => this.#progress(token, progress),
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
      this.#events.push(event);
    }
    this.#seq = seq + 1;
    this.#state.abandoned.length = 0;
    for (const token of this.#state.tokens.values())
      if (token.phase === 'running') enqueue(this.#state, token, 'ready');
    for (const [node, value] of Object.entries(changes)) this.#emit({ type: 'value-changed', node, path: '', value });
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
    return this.#events;
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
      if (this.#status === 'running' || this.#status === 'paused') this.#deadline.release();
    }
  }

  // One node

  #begin(token: Token): void {
    if (token.phase === 'finish') {
      const execution = this.#executions.get(token) ?? this.#createExecution(token);
      this.#executions.set(token, execution);
      this.#end(execution, token.outcome ?? { output: undefined });
      return;
    }
    const execution = this.#createExecution(token);
    this.#executions.set(token, execution);
    let work: MaybePromise<unknown>;
    try {
      work = this.#perform(execution);
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

  #createExecution(token: Token): Execution {
    return {
      token,
      startedAt: performance.now(),
      input: undefined,
      controller: undefined,
      timer: undefined,
      cacheKey: undefined,
      from: undefined,
    };
  }

  #landed(execution: Execution, ending: Ending): void {
    this.#inFlight--;
    this.#end(execution, ending);
    this.#pump();
  }

  /** Computes the input, says that the node starts, and runs it, at once where nothing has to be waited for. */
  #perform(execution: Execution): MaybePromise<unknown> {
    const { token } = execution;
    const delay = this.#delays.get(token);
    if (delay === undefined) return this.#performNow(execution);
    this.#delays.delete(token);
    return pause(delay, this.#signalOf(execution)).then(() => this.#performNow(execution));
  }

  #performNow(execution: Execution): MaybePromise<unknown> {
    const { token } = execution;
    const mock = this.#mocks.take(token.node.id, token.node.type, token.path);
    if (mock) {
      execution.from = 'mock';
      this.#started(execution);
      if ('error' in mock) throw toFailure(mock.error);
      return mock.output;
    }
    return after(inputOf(token), (input) => {
      execution.input = input;
      return after(this.#cached(execution), (hit) => {
        if (hit) {
          execution.from = 'cache';
          this.#started(execution);
          return hit.value;
        }
        this.#started(execution, input);
        const { type } = token.node;
        if (type === 'foreach' || type === 'call') return held;
        return executeNode(token, input, this.#surroundings, () => this.#signalOf(execution));
      });
    });
  }

  #cached(execution: Execution): MaybePromise<{ value: unknown } | undefined> {
    const { node, scope, view } = execution.token;
    if (!('cache' in node) || !node.cache) return undefined;
    const { cacheKey } = compileNode(node, scope.document.limits);
    return after(cacheKey ? cacheKey.evaluate(view) : (execution.input ?? scope.context), (value) => {
      execution.cacheKey = `${scope.document.hash} ${scope.tool.name} ${node.id} ${JSON.stringify(value)}`;
      return this.#services.cache.get(execution.cacheKey, this.#services.now());
    });
  }

  #started(execution: Execution, input?: unknown): void {
    const { token } = execution;
    const { node, path, attempt } = token;
    if (this.#executions.get(token) !== execution) return;
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
    execution.timer = setTimeout(() => {
      this.#end(execution, { error: new NodeFailure('TIMEOUT', `Node ${node.id} took longer than ${timeoutMs} ms`) });
      execution.controller?.abort(new NodeFailure('TIMEOUT', 'The node took too long'));
      this.#pump();
    }, timeoutMs);
  }

  #signalOf(execution: Execution): AbortSignal {
    execution.controller ??= new AbortController();
    return execution.controller.signal;
  }

  #end(execution: Execution, ending: Ending): void {
    const { token } = execution;
    if (this.#executions.get(token) !== execution || (this.#status !== 'running' && this.#status !== 'paused')) return;
    if ('output' in ending && ending.output === held) return;
    clearTimeout(execution.timer);
    this.#executions.delete(token);
    const { node, path } = token;
    if (token.phase === 'ready') {
      this.#emit({ type: 'node-started', node: node.id, nodeType: node.type, path, attempt: token.attempt });
    }
    const moment = this.#request.debug?.hooks ? this.#momentOf(token) : undefined;
    if ('error' in ending) this.#endWithError(execution, ending.error);
    else this.#endWithOutput(execution, ending.output);
    this.#stopAbandoned();
    if (moment) this.#tellHooks(moment, execution);
  }

  #endWithOutput(execution: Execution, output: unknown): void {
    const { node } = execution.token;
    if (execution.cacheKey !== undefined && execution.from === undefined && 'cache' in node && node.cache) {
      this.#services.cache.set(execution.cacheKey, output, this.#services.now() + node.cache.ttlMs);
    }
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
      durationUs: Math.round((performance.now() - execution.startedAt) * 1000),
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

  /** Stops what runs for tokens that the interpreter has given up. */
  #stopAbandoned(): void {
    for (const token of this.#state.abandoned) {
      const execution = this.#executions.get(token);
      this.#executions.delete(token);
      this.#delays.delete(token);
      clearTimeout(execution?.timer);
      execution?.controller?.abort(new NodeFailure('CANCELLED', 'The node is no longer needed'));
    }
    this.#state.abandoned.length = 0;
  }

  // What others see

  #emit(body: EventBody): void {
    const event = { seq: this.#seq++, at: this.#services.now(), ...body } as RunEvent;
    this.#state = apply(this.#state, event);
    const shown = this.#redact(event);
    this.#events.push(shown);
    this.#request.recorder?.append(this.id, shown);
    this.#request.onEvent?.(shown);
    for (const listener of this.#listeners) listener(shown);
  }

  #progress({ node, path, attempt }: Token, progress: { progress: number; total?: number; message?: string }): void {
    if (this.#status !== 'running' && this.#status !== 'paused') return;
    this.#emit({ type: 'node-progressed', node: node.id, nodeType: node.type, path, attempt, ...progress });
  }

  #momentOf(token: Token): NodeMoment {
    const { node, path, scope } = token;
    return { index: this.#state.history.length, node, path, context: { ...scope.context } };
  }

  #scopeAt(index: number | undefined, token: Token | undefined): ExpressionScope {
    if (index === undefined && token) return token.view;
    const state = index === undefined ? this.#state : stateAt(this.document, this.#state.tool, this.#events, index);
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
    if (this.#status !== 'running' && this.#status !== 'paused') return;
    this.#deadline.stop();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    const durationUs = Math.round((performance.now() - this.#startedAt) * 1000);
    this.#emit({ type: 'run-ended', status, ...outcome, durationUs, nodeExecutions: this.#state.history.length });
    this.#status = status;
    const executions = [...this.#executions.values()];
    this.#executions.clear();
    for (const { controller, timer } of executions) {
      clearTimeout(timer);
      controller?.abort(new NodeFailure('CANCELLED', 'The run has ended'));
    }
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

function toFailure(error: { code?: string; message: string; details?: RunError['details'] }): NodeFailure {
  return new NodeFailure(error.code ?? 'TOOL_ERROR', error.message, error.details && { ...error.details });
}

function inputOfFork(
  events: readonly RunEvent[],
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const started = events.find((event) => event.type === 'run-started');
  return Object.keys(args).length > 0 || !started ? args : started.input;
}
