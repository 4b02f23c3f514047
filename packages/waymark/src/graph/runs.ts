import { randomUUID } from 'node:crypto';
import { type Events, type Logger, silentLogger, ToolError, type User } from '../kit/index.ts';
import type { DebugOptions, ForkRequest, GraphEngine, Mock, RunHandle } from './engine.ts';
import type { Answer, Question, Recorder, RunEvent } from './events.ts';
import type { History, RunDetails, RunExport, RunFilter, RunPage } from './history/history.ts';
import type { GraphDocument } from './model.ts';
import { RecentRuns } from './recent-runs.ts';
import { createRedactor } from './redact.ts';
import { traceRun } from './tracing.ts';

export interface StartRun {
  readonly document: GraphDocument;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly user: User;
  readonly signal?: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly debug?: DebugOptions;
  readonly mocks?: Readonly<Record<string, Mock>>;
  readonly dryRun?: boolean;
  readonly fork?: ForkRequest;
}

/** A question that waits for a person. */
export interface PendingQuestion extends Question {
  readonly run: string;
  readonly graph: string;
  readonly tool: string;
}

export interface GraphRunsOptions {
  readonly engine: GraphEngine;
  /** Opened with the first run. Absent: runs are remembered for a while, by this process alone. */
  readonly history?: (() => Promise<History>) | undefined;
  readonly events?: Events | undefined;
  readonly log?: Logger;
}

/** The runs of a process: those under way, and those that have been. A run belongs to who started it. */
export interface GraphRuns {
  start(request: StartRun): Promise<RunHandle>;
  /** A run under way. */
  live(run: string, user: User): RunHandle | undefined;
  list(filter: Omit<RunFilter, 'user'>, user: User): Promise<RunPage>;
  /** @throws ToolError RUN_NOT_FOUND */
  get(run: string, user: User): Promise<RunDetails>;
  /** @throws ToolError RUN_NOT_FOUND */
  events(run: string, user: User, after?: number): Promise<readonly RunEvent[]>;
  /** @throws ToolError RUN_NOT_FOUND */
  export(run: string, user: User): Promise<RunExport>;
  /** @throws ToolError RUN_NOT_FOUND, RUN_ACTIVE */
  delete(run: string, user: User): Promise<void>;
  questions(user: User): readonly PendingQuestion[];
  /** @throws ToolError RUN_NOT_FOUND, QUESTION_NOT_FOUND */
  answer(run: string, question: string, answer: Answer, user: User): void;
  close(): Promise<void>;
}

export function createGraphRuns(options: GraphRunsOptions): GraphRuns {
  const { engine, events, log = silentLogger } = options;
  const owners = new Map<string, string>();
  const recent = new RecentRuns();
  let history: Promise<History | undefined> | undefined;

  /** A run must not fail for want of a place to remember it. */
  function openHistory(): Promise<History | undefined> {
    history ??= (options.history?.() ?? Promise.resolve(undefined)).catch((error: unknown) => {
      log.error('the history of runs cannot be kept', { error });
      return undefined;
    });
    return history;
  }

  function announce(run: string, document: GraphDocument, tool: string, user: User, event: RunEvent): void {
    const data = { run, graph: document.server.name, tool };
    const publish = (type: string, more: Record<string, unknown> = {}) =>
      events?.publish({ type, user: user.id, data: { ...data, ...more } });
    if (event.type === 'run-started') publish('run-started');
    else if (event.type === 'run-ended') publish('run-ended', { status: event.status });
    else if (event.type === 'run-paused') publish('run-paused', { node: event.node });
    else if (event.type === 'run-resumed') publish('run-resumed');
    else if (event.type === 'question-asked') publish('question-asked', { question: event.question });
    else if (event.type === 'question-answered') publish('question-answered', { id: event.id });
  }

  const notFound = (run: string) => new ToolError('RUN_NOT_FOUND', `There is no run "${run}"`, { run });

  function live(run: string, user: User): RunHandle | undefined {
    return owners.get(run) === user.id ? engine.get(run) : undefined;
  }

  return {
    live,
    async start({ user, debug, mocks, dryRun, fork, signal, meta, ...request }) {
      const { document, tool } = request;
      if (!document.tools.has(tool)) throw new ToolError('TOOL_NOT_FOUND', `There is no tool "${tool}"`, { tool });
      const kept = await openHistory();
      const run = randomUUID();
      const redact = createRedactor(document.secrets);
      await kept?.begin({
        run,
        document,
        tool,
        user: user.id,
        input: redact(request.args),
        ...(fork ? { forkedFrom: { run: fork.run, seq: fork.seq } } : {}),
      });
      const trace = traceRun(document.server.name, tool, run);
      owners.set(run, user.id);
      const handle = engine.start({
        ...request,
        run,
        user: user.id,
        caller: user,
        meta: { ...meta, ...trace?.meta },
        ...(signal ? { signal } : {}),
        ...(debug ? { debug } : {}),
        ...(mocks ? { mocks } : {}),
        ...(dryRun ? { dryRun } : {}),
        ...(fork ? { fork } : {}),
        ...(kept ? { recorder: kept.recorder(document) } : {}),
        onEvent(event) {
          trace?.onEvent(event);
          announce(run, document, tool, user, event);
        },
      });
      if (!kept) recent.add(handle, user.id);
      if (kept && fork) copyEvents(fork, run, kept.recorder(document));
      void handle.outcome.then(() => owners.delete(run));
      return handle;
    },
    async list(filter, user) {
      const kept = await openHistory();
      return kept ? kept.list({ ...filter, user: user.id }) : recent.list({ ...filter, user: user.id });
    },
    async get(run, user) {
      const kept = await openHistory();
      const found = kept ? await kept.get(run, user.id) : recent.get(run, user.id);
      if (!found) throw notFound(run);
      return found;
    },
    async events(run, user, after = -1) {
      const handle = live(run, user);
      if (handle) return handle.events().filter(({ seq }) => seq > after);
      const kept = await openHistory();
      if (!kept) {
        const found = recent.events(run, user.id);
        if (!found) throw notFound(run);
        return found.filter(({ seq }) => seq > after);
      }
      if (!(await kept.get(run, user.id))) throw notFound(run);
      return kept.events(run, { after });
    },
    async export(run, user) {
      const kept = await openHistory();
      const found = kept ? await kept.export(run, user.id) : recent.export(run, user.id);
      if (!found) throw notFound(run);
      return found;
    },
    async delete(run, user) {
      if (live(run, user)) throw new ToolError('RUN_ACTIVE', `The run "${run}" is under way; stop it first`, { run });
      const kept = await openHistory();
      const deleted = kept ? await kept.delete(run, user.id) : recent.delete(run, user.id);
      if (!deleted) throw notFound(run);
    },
    questions(user) {
      const own = engine.active().filter(({ id }) => owners.get(id) === user.id);
      return own.flatMap((handle) =>
        handle.questions().map((question) => ({
          ...question,
          run: handle.id,
          graph: handle.document.server.name,
          tool: handle.tool,
        })),
      );
    },
    answer(run, question, answer, user) {
      const handle = live(run, user);
      if (!handle) throw notFound(run);
      if (!handle.answer(question, { ...answer, by: user.id })) {
        throw new ToolError('QUESTION_NOT_FOUND', `Nobody waits for an answer to "${question}" (any more)`, {
          question,
        });
      }
    },
    async close() {
      await engine.close();
      await (await history)?.close();
    },
  };
}

/** A fork stays whole when the run it comes from is deleted: its events are few bytes, their values are shared. */
function copyEvents({ events, seq: last }: ForkRequest, run: string, recorder: Recorder): void {
  for (const event of events) {
    if (event.seq <= last && event.type !== 'run-started' && event.type !== 'run-ended') recorder.append(run, event);
  }
}
