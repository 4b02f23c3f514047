import type { Recorder, RunError, RunEvent, RunStatus } from '../events.ts';
import type { GraphDocument } from '../model.ts';

/** A run as a list shows it. */
export interface RunSummary {
  readonly run: string;
  readonly user: string;
  readonly graph: string;
  readonly tool: string;
  readonly graphHash: string;
  readonly mode: 'inline' | 'durable';
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly nodeExecutions: number;
  readonly error?: RunError;
  readonly forkedFrom?: { readonly run: string; readonly seq: number };
}

export interface RunDetails extends RunSummary {
  readonly input: unknown;
  /** Absent while the run is under way and when it failed. */
  readonly result?: unknown;
}

export interface RunFilter {
  /** Whose runs; everybody's when absent. */
  readonly user?: string | undefined;
  readonly graph?: string | undefined;
  readonly tool?: string | undefined;
  readonly status?: readonly RunStatus[] | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  /** Present when there are more. */
  readonly next?: string;
}

/** A run with everything needed to look at it, or to replay it, somewhere else. */
export interface RunExport {
  readonly format: 'waymark-run/1';
  readonly run: RunDetails;
  /** The graph file as it was. */
  readonly source: string;
  readonly events: readonly RunEvent[];
}

export interface RetentionPolicy {
  /** Runs that ended earlier go. */
  readonly maxAgeDays?: number | undefined;
  /** Of each user only the latest stay. */
  readonly maxRunsPerUser?: number | undefined;
}

export interface BegunRun {
  readonly run: string;
  readonly document: GraphDocument;
  readonly tool: string;
  readonly user: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly forkedFrom?: { readonly run: string; readonly seq: number };
}

/** What happened in runs, kept. Runs do not need it; without a store there is simply no history. */
export interface History {
  /** Lists a run before it does anything: whatever happens to its process, it is known to have begun. */
  begin(run: BegunRun): Promise<void>;
  /** Where the engine appends the events of runs of this graph. */
  recorder(document: GraphDocument): Recorder;
  list(filter?: RunFilter): Promise<RunPage>;
  /** Only the owner's run when `user` is given. */
  get(run: string, user?: string): Promise<RunDetails | undefined>;
  /** The run's events in order; `after` leaves out those up to that seq. */
  events(run: string, range?: { readonly after?: number; readonly limit?: number }): Promise<readonly RunEvent[]>;
  /** The text of the graph file that a run was made with. */
  source(graphHash: string): Promise<string | undefined>;
  export(run: string, user?: string): Promise<RunExport | undefined>;
  /** False for a run that is not there, is not the user's, or has not ended. */
  delete(run: string, user?: string): Promise<boolean>;
  /** Deletes what the policy no longer keeps. Returns how many runs went. */
  prune(policy: RetentionPolicy): Promise<number>;
  /** Marks runs as interrupted whose process is gone. Returns how many. */
  sweep(): Promise<number>;
  flush(): Promise<void>;
  close(): Promise<void>;
}
