import type { ListCursor } from './list-query.ts';
import type { Priority, Task, TaskContent } from './model.ts';

/** One call's circumstances: whose tasks, when, and what the client says about its time zone. */
export interface Circumstances {
  readonly userId: string;
  readonly now: Date;
  readonly randomId: () => string;
  readonly clientZone?: string | undefined;
  /** True when the caller has proven who they are, so that an unknown user is a new one. */
  readonly authenticated?: boolean | undefined;
}

export interface NewTask {
  readonly title: string;
  readonly description?: string | undefined;
  readonly dueDate?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly recurrence?: string | null | undefined;
}

export interface TaskPatch {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly priority?: Priority | undefined;
  readonly completed?: boolean | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly recurrence?: string | null | undefined;
}

export interface ListRequest {
  readonly completed?: boolean | undefined;
  readonly priority?: Priority | undefined;
  readonly dueBefore?: string | undefined;
  readonly dueAfter?: string | undefined;
  readonly search?: string | undefined;
  readonly label?: string | undefined;
  readonly limit: number;
  readonly after?: ListCursor | undefined;
}

export interface Changed {
  readonly task: Task;
  /** Names of the fields that differ from before. */
  readonly changes: readonly (keyof TaskContent)[];
  /** The next occurrence, when a repeating task was completed. */
  readonly next: Task | undefined;
}

export interface BatchResult {
  readonly completed: Task[];
  readonly already: Task[];
  readonly failed: { readonly taskId: string; readonly code: string; readonly message: string }[];
}
