import type { User } from '../kit/index.ts';
import type { Answer, EndStatus, Question, Recorder, RunError, RunEvent, RunStatus } from './events.ts';
import type { GraphDocument, GraphNode, NodeType } from './model.ts';

/** Starts runs and knows those that are under way. Any number run at once. */
export interface GraphEngine {
  start(request: RunRequest): RunHandle;
  get(run: string): RunHandle | undefined;
  active(): readonly RunHandle[];
  /** Cancels what runs, waits for it and lets go of everything. */
  close(): Promise<void>;
}

export interface RunRequest {
  readonly document: GraphDocument;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Random when absent. */
  readonly run?: string;
  readonly user?: string;
  /** Handed to every tool call: Waymark's own toolsets act with this person's rights, never with more. */
  readonly caller?: User;
  /** Aborting cancels the run and the calls it waits for. */
  readonly signal?: AbortSignal;
  /** `_meta` handed on to every tool call, such as trace context. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly recorder?: Recorder;
  readonly onEvent?: (event: RunEvent) => void;
  readonly debug?: DebugOptions;
  /** Outputs by node id that replace `mcp`, `call`, `wait` and `approve` nodes. */
  readonly mocks?: Readonly<Record<string, Mock>>;
  /** The events of an earlier run: `mcp`, `wait` and `approve` nodes end as they ended there. */
  readonly replay?: readonly RunEvent[];
  /** Nothing outside is touched: `mcp` nodes without a mock end with what they would have sent. */
  readonly dryRun?: boolean;
  /** Begin with the events of another run, up to and including `seq`, then go on from there. */
  readonly fork?: ForkRequest;
}

/** A fixed output, the outputs of one execution after the other, or a failure. */
export type Mock =
  | { readonly output: unknown }
  | { readonly outputs: readonly unknown[] }
  | { readonly error: { readonly code?: string; readonly message: string } };

export interface ForkRequest {
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly seq: number;
  /** Outputs to change before going on, by node id. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

export interface DebugOptions {
  readonly breakpoints?: readonly Breakpoint[];
  readonly startPaused?: boolean;
  readonly hooks?: RunHooks;
}

/** Called along the way; the run goes on when what they return has settled. What they throw is ignored. */
export interface RunHooks {
  /** Returning false pauses the run before the node. */
  nodeStarting?(at: NodeMoment): boolean | void | Promise<boolean | void>;
  nodeEnded?(at: NodeMoment, record: NodeRecord, input: unknown): void | Promise<void>;
  nodeFailed?(at: NodeMoment, record: NodeRecord): void | Promise<void>;
  paused?(at: NodeMoment): void | Promise<void>;
  resumed?(): void | Promise<void>;
}

export interface NodeMoment {
  /** The index the execution has, or will have, in the history. */
  readonly index: number;
  readonly node: GraphNode;
  readonly path: string;
  /** Latest output by node id, as it is now. */
  readonly context: Readonly<Record<string, unknown>>;
}

export interface Breakpoint {
  readonly node: string;
  /** A JSONata expression over the context; the run pauses only where it is true. */
  readonly condition?: string;
}

export interface RunHandle {
  readonly id: string;
  readonly tool: string;
  readonly document: GraphDocument;
  /** Never rejects: a failure is an outcome. */
  readonly outcome: Promise<RunOutcome>;
  view(): RunView;
  /** Everything that happened so far, secrets removed. */
  events(): readonly RunEvent[];
  subscribe(listener: (event: RunEvent) => void): () => void;
  questions(): readonly Question[];
  /** Returns false when nobody waits for that answer (any more). */
  answer(questionId: string, answer: Answer): boolean;
  cancel(reason?: string): void;
  readonly debugger: RunDebugger;
}

export interface RunDebugger {
  pause(): void;
  resume(): void;
  /** Runs one node; resolves when the run is paused again or has ended. */
  step(): Promise<void>;
  runTo(node: string): Promise<void>;
  stop(): void;
  setBreakpoints(breakpoints: readonly Breakpoint[]): void;
  breakpoints(): readonly Breakpoint[];
  /** Evaluates a JSONata expression in the context of now, or of an earlier index of the history. */
  evaluate(expression: string, at?: number): Promise<unknown>;
  /** Changes a node's latest output; only while paused. */
  setValue(node: string, value: unknown): void;
  /** Resolves at the next pause or at the end. */
  settled(): Promise<RunStatus>;
}

/** The run as it stands. */
export interface RunView {
  readonly run: string;
  readonly status: RunStatus;
  readonly tool: string;
  /** The node that runs or is about to run; the first of several. */
  readonly currentNode: string | undefined;
  /** What runs now. */
  readonly current: readonly { readonly node: string; readonly path: string }[];
  readonly history: readonly NodeRecord[];
  /** Latest output by node id. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** One finished execution of a node. */
export interface NodeRecord {
  readonly index: number;
  readonly node: string;
  readonly nodeType: NodeType;
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationUs: number;
  readonly output: unknown;
  readonly error?: RunError;
}

export type RunOutcome =
  | { readonly status: 'succeeded'; readonly run: string; readonly result: unknown; readonly durationUs: number }
  | {
      readonly status: Exclude<EndStatus, 'succeeded'>;
      readonly run: string;
      readonly error: RunError;
      readonly durationUs: number;
    };
