import type { NewTask, Patch } from './understanding/index.ts';

/** A task as a tool returned it, as far as a conversation needs it. */
export interface TaskReference {
  readonly id: string;
  readonly title: string;
}

/** A call the agent made: what `--json`, the REST answer and reports show. */
export interface CallRecord {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
}

/** A question that waits for its answer. */
export type Pending =
  /** "Would you like me to add 'groceries' as a new task?" */
  | { readonly kind: 'add'; readonly task: NewTask }
  /** "What would you like to add?" */
  | { readonly kind: 'title' }
  /** "When is it due?", after a date that is none. */
  | { readonly kind: 'date'; readonly task: NewTask }
  | { readonly kind: 'new-date'; readonly task: TaskReference }
  /** "Which one?" */
  | { readonly kind: 'which'; readonly action: Action; readonly options: readonly TaskReference[] }
  /** "Mark all 3 as done?" */
  | { readonly kind: 'sure'; readonly action: Action; readonly tasks: readonly TaskReference[] }
  /** "What would you like to change?" */
  | { readonly kind: 'change'; readonly task: TaskReference }
  /** "Would you like to see your current tasks?" */
  | { readonly kind: 'show' };

/** What to do with a task once it is clear which one. */
export type Action =
  | { readonly do: 'complete' }
  | { readonly do: 'delete' }
  | { readonly do: 'update'; readonly patch: Patch };

/**
 * Everything a conversation remembers besides its history. It lives in the database; a process
 * holds it only while it answers.
 */
export interface Dialog {
  /** The list shown last, in the order of its numbers. */
  readonly shown: readonly TaskReference[];
  /** What "it" and "them" mean. */
  readonly focus: readonly TaskReference[];
  readonly pending: Pending | undefined;
  /** Where "show more" goes on. */
  readonly more:
    | { readonly arguments: Readonly<Record<string, unknown>>; readonly cursor: string; readonly label: string }
    | undefined;
  /** Titles of the tasks that tools returned in this conversation, by id; newest last. */
  readonly known: readonly TaskReference[];
}

export const emptyDialog: Dialog = { shown: [], focus: [], pending: undefined, more: undefined, known: [] };

/** A destructive call held until the person says yes. */
export interface HeldCall {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The title of the task it is about. */
  readonly title: string;
}
