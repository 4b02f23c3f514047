import type { NodeState } from '../graphs/node-looks.ts';

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly node?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Question {
  readonly id: string;
  readonly node: string;
  readonly message: string;
  readonly form?: Readonly<Record<string, unknown>>;
}

/** What happens in a run, as the server tells it; see docs/graph-rest.md. */
export interface RunEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly node?: string;
  readonly nodeType?: string;
  readonly path?: string;
  readonly attempt?: number;
  readonly index?: number;
  readonly durationUs?: number;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly value?: unknown;
  readonly error?: RunError;
  readonly from?: string;
  readonly status?: string;
  readonly result?: unknown;
  readonly reason?: string;
  readonly message?: string;
  readonly question?: Question;
  readonly id?: string;
  readonly run?: string;
  readonly forkedFrom?: { readonly run: string; readonly seq: number };
}

/** One execution of a node. */
export interface Visit {
  readonly node: string;
  readonly path: string;
  readonly seq: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly index?: number;
  readonly attempt: number;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: RunError;
  readonly from?: string;
  readonly durationUs?: number;
}

/** A run as it stood after some event: a pure fold, the same live, after a reload and while travelling in time. */
export interface RunView {
  readonly states: ReadonlyMap<string, NodeState>;
  readonly counts: ReadonlyMap<string, number>;
  readonly visits: ReadonlyMap<string, readonly Visit[]>;
  readonly questions: readonly Question[];
  readonly pausedAt: string | undefined;
  readonly end: { readonly status: string; readonly result?: unknown; readonly error?: RunError } | undefined;
}

export function foldEvents(events: readonly RunEvent[], upTo = Infinity): RunView {
  const states = new Map<string, NodeState>();
  const counts = new Map<string, number>();
  const visits = new Map<string, Visit[]>();
  const questions = new Map<string, Question>();
  let pausedAt: string | undefined;
  let end: RunView['end'];
  const settle = (node: string) => {
    const list = visits.get(node) ?? [];
    const open = list.some((visit) => visit.endedAt === undefined);
    states.set(node, open ? 'running' : list.at(-1)?.error ? 'failed' : 'done');
  };
  for (const event of events) {
    if (event.seq > upTo) break;
    const { type, node = '', path = '' } = event;
    if (type === 'node-started') {
      const list = visits.get(node) ?? [];
      list.push({ node, path, seq: event.seq, startedAt: event.at, attempt: event.attempt ?? 1, input: event.input });
      visits.set(node, list);
      states.set(node, 'running');
    } else if (type === 'node-ended') {
      const list = visits.get(node) ?? [];
      const position = list.findLastIndex((visit) => visit.path === path && visit.endedAt === undefined);
      const durationUs = event.durationUs ?? 0;
      const started = list[position] ?? {
        node,
        path,
        seq: event.seq,
        startedAt: event.at - durationUs / 1000,
        attempt: event.attempt ?? 1,
      };
      const ended: Visit = {
        ...started,
        endedAt: event.at,
        durationUs,
        output: event.output,
        ...(event.index === undefined ? {} : { index: event.index }),
        ...(event.input === undefined ? {} : { input: event.input }),
        ...(event.error ? { error: event.error } : {}),
        ...(event.from ? { from: event.from } : {}),
      };
      if (position >= 0) list[position] = ended;
      else list.push(ended);
      visits.set(node, list);
      counts.set(node, (counts.get(node) ?? 0) + 1);
      settle(node);
    } else if (type === 'value-changed') {
      const list = visits.get(node) ?? [];
      const last = list.at(-1);
      if (last) list[list.length - 1] = { ...last, output: event.value };
    } else if (type === 'run-paused') {
      pausedAt = node;
      if (node) states.set(node, 'paused');
    } else if (type === 'run-resumed') {
      if (pausedAt !== undefined && states.get(pausedAt) === 'paused') states.delete(pausedAt);
      pausedAt = undefined;
    } else if (type === 'question-asked' && event.question) {
      questions.set(event.question.id, event.question);
      states.set(event.question.node, 'waiting');
    } else if (type === 'question-answered' && event.id) {
      const question = questions.get(event.id);
      questions.delete(event.id);
      if (question) settle(question.node);
    } else if (type === 'run-ended') {
      pausedAt = undefined;
      end = {
        status: event.status ?? 'succeeded',
        ...(event.result === undefined ? {} : { result: event.result }),
        ...(event.error ? { error: event.error } : {}),
      };
    }
  }
  return { states, counts, visits, questions: [...questions.values()], pausedAt, end };
}
