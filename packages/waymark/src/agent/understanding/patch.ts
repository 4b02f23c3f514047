import type { Due, Duration } from '../../dates/index.ts';
import type { Priority } from './priority.ts';
import type { Target } from './target.ts';

/** What an update sets. Dates stay relative where they depend on the task. */
export interface Patch {
  readonly title?: string;
  readonly description?: string | null;
  readonly priority?: Priority;
  /** One step up or down. */
  readonly priorityStep?: 1 | -1;
  readonly due?: Due;
  /** How the person said the date ("4pm"), for the reply. */
  readonly dueWords?: string;
  readonly clearDue?: boolean;
  readonly shift?: Duration;
  readonly completed?: false;
}

export interface UpdateRequest {
  readonly intent: 'update';
  readonly target: Target;
  readonly patch: Patch;
  /** Words that stand where a date should, but are none. */
  readonly dateProblem?: string;
}

/** What one way of saying a change tells. */
export type Reading = Omit<UpdateRequest, 'intent'>;
