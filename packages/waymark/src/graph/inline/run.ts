import type { NodeMoment, RunHandle, RunOutcome, RunRequest, RunView } from '../engine.ts';
import { NodeFailure, toRunError } from '../errors.ts';
import type { Answer, EndStatus, Question, RunError, RunEvent, RunPaused, RunStatus } from '../events.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import { apply } from '../interpreter/apply.ts';
import { stateAt } from '../interpreter/fold.ts';
import { TokenScope } from '../interpreter/scope.ts';
import { Chain } from '../interpreter/chain.ts';
import { createState, enqueue, type RunState, type Token } from '../interpreter/state.ts';
import type { GraphDocument } from '../model.ts';
import { createRedactor, type Redact } from '../redact.ts';
import { Deadline } from './deadline.ts';
import { InlineDebugger } from './debugger.ts';
import { type EventBody, EventLog } from './event-log.ts';
import { checkArguments, type Surroundings } from './execute.ts';
import { NodeLoop } from './loop.ts';
import { Mocks } from './mocks.ts';
import { Questions } from './questions.ts';
import type { EngineServices } from './services.ts';

/** A run in memory: its state, its events, and what can be done with it from outside. */
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
  readonly #questions: Questions;
  readonly #deadline: Deadline;
  readonly #loop: NodeLoop;
  #settle: (outcome: RunOutcome) => void = () => {};
  #state: RunState;
  #startedAt = 0;
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
    this.#loop = new NodeLoop(
      {
        document,
        debugger: this.debugger,
        hooks: request.debug?.hooks,
        random: services.random,
        state: () => this.#state,
        status: () => this.#status,
        isOpen: () => this.#isOpen,
        emit: (body) => this.#emit(body),
        finish: (status, outcome) => this.#finish(status, outcome),
        isOutOfTime: (now) => this.#deadline.isOver(now),
        exceedTime: () => this.#exceedTime(this.#deadline.elapsed()),
        momentOf: (token) => this.#momentOf(token),
      },
      {
        surroundings: this.#surroundings(),
        mocks: new Mocks(request.mocks ?? {}, request.replay),
        cache: services.cache,
      },
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
    this.#loop.pump();
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
    this.#loop.abort();
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

function inputOfFork(
  events: readonly RunEvent[],
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const started = events.find((event) => event.type === 'run-started');
  return Object.keys(args).length > 0 || !started ? args : started.input;
}
