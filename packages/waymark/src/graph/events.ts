import type { NodeType } from './model.ts';

/** Why a node or a run failed, in a form that can be stored and shown. */
export interface RunError {
  /** Such as `TOOL_ERROR`, `TIMEOUT`, `EXPRESSION_ERROR`, `LIMIT_EXCEEDED`, `CANCELLED`. */
  readonly code: string;
  readonly message: string;
  readonly node?: string;
  readonly path?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A question a run asks a person: an `approve` node, or a downstream server's elicitation. */
export interface Question {
  readonly id: string;
  readonly kind: 'approve' | 'elicit';
  readonly node: string;
  readonly path: string;
  readonly message: string;
  /** A flat JSON Schema of an object: the form to fill in. */
  readonly form?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
  /** Who answered. */
  readonly by?: string;
}

/** Seq and time; every event of a run has the next seq, from 0. */
interface EventBase {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Which execution an event is about. `path` is '' at the top, else the loops, branches and calls around it: `each[2]/fan>left/sub()`. */
interface NodeEventBase extends EventBase {
  readonly node: string;
  readonly nodeType: NodeType;
  readonly path: string;
  readonly attempt: number;
}

export interface RunStarted extends EventBase {
  readonly type: 'run-started';
  readonly run: string;
  readonly graphHash: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly user: string;
  readonly mode: 'inline' | 'durable';
  /** The run whose first events were copied, and the last seq taken from it. */
  readonly forkedFrom?: { readonly run: string; readonly seq: number };
}

export interface NodeStarted extends NodeEventBase {
  readonly type: 'node-started';
  /** What the node was given, where it is more than its context: tool arguments, items. */
  readonly input?: unknown;
}

export interface NodeEnded extends NodeEventBase {
  readonly type: 'node-ended';
  /** The order of completion, from 0: the index in the run's history. */
  readonly index: number;
  readonly durationUs: number;
  readonly output: unknown;
  /** Set on failure. Where the graph goes on all the same, `output` is `{error}`. */
  readonly error?: RunError;
  readonly input?: unknown;
  /** Answered from the cache or by a mock. */
  readonly from?: 'cache' | 'mock';
}

/** An attempt failed and another follows after `delayMs`. */
export interface NodeRetried extends NodeEventBase {
  readonly type: 'node-retried';
  readonly error: RunError;
  readonly delayMs: number;
}

export interface NodeProgressed extends NodeEventBase {
  readonly type: 'node-progressed';
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface QuestionAsked extends EventBase {
  readonly type: 'question-asked';
  readonly question: Question;
}

export interface QuestionAnswered extends EventBase {
  readonly type: 'question-answered';
  readonly id: string;
  readonly answer: Answer;
}

export interface RunPaused extends EventBase {
  readonly type: 'run-paused';
  readonly node: string;
  readonly path: string;
  readonly reason: 'breakpoint' | 'step' | 'pause' | 'start';
}

export interface RunResumed extends EventBase {
  readonly type: 'run-resumed';
}

/** Somebody changed a node's output while the run was paused. */
export interface ValueChanged extends EventBase {
  readonly type: 'value-changed';
  readonly node: string;
  readonly path: string;
  readonly value: unknown;
}

export interface RunEnded extends EventBase {
  readonly type: 'run-ended';
  readonly status: EndStatus;
  readonly result?: unknown;
  readonly error?: RunError;
  readonly durationUs: number;
  readonly nodeExecutions: number;
}

export type EndStatus = 'succeeded' | 'failed' | 'cancelled' | 'stopped';
export type RunStatus = 'running' | 'paused' | EndStatus | 'interrupted';

export type RunEvent =
  | RunStarted
  | NodeStarted
  | NodeEnded
  | NodeRetried
  | NodeProgressed
  | QuestionAsked
  | QuestionAnswered
  | RunPaused
  | RunResumed
  | ValueChanged
  | RunEnded;

/** Where the events of runs go. The engine appends in order and never waits for `append`; secrets are already removed. */
export interface Recorder {
  append(run: string, event: RunEvent): void;
  /** Resolves when everything appended for the run (or at all) is kept. */
  flush(run?: string): Promise<void>;
}
