import { ToolError } from '../kit/index.ts';

export const priorities = ['low', 'medium', 'high'] as const;
export type Priority = (typeof priorities)[number];

/** What a task says. These fields are what an update, an undo or an import sets. */
export interface TaskContent {
  readonly title: string;
  readonly description: string | null;
  /** `2026-11-27`, or RFC 3339 with an offset when a clock time was named. */
  readonly dueDate: string | null;
  readonly priority: Priority;
  readonly completed: boolean;
  readonly completedAt: Date | null;
  readonly labels: readonly string[];
  /** An RFC 5545 rule such as `FREQ=WEEKLY;BYDAY=MO`. */
  readonly recurrence: string | null;
}

export interface Task extends TaskContent {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts changes; a writer names the version it has read. */
  readonly version: number;
  /** Where it stands in the list; a new task stands last. */
  readonly position: number;
}

export const limits = {
  title: 500,
  description: 2000,
  label: 50,
  labels: 20,
  page: 100,
  defaultPage: 50,
  batch: 100,
  importedTasks: 10_000,
} as const;

const messages = {
  INVALID_TITLE: 'Task title must be 1-500 characters',
  INVALID_DESCRIPTION: 'Task description must be at most 2000 characters',
  INVALID_USER: 'User not found',
  INVALID_DATE: 'Could not parse date',
  INVALID_PRIORITY: 'Priority must be low, medium, or high',
  TASK_NOT_FOUND: 'Task not found',
  UNAUTHORIZED: "You don't have access to this task",
  ALREADY_COMPLETED: 'Task is already completed',
  NO_CHANGES: 'No changes specified',
} as const;

export type TaskErrorCode = keyof typeof messages;

/** The message the contract gives for a code. */
export function messageOf(code: TaskErrorCode): string {
  return messages[code];
}

export function taskError(code: TaskErrorCode, details: Record<string, unknown> = {}): ToolError {
  return new ToolError(code, messages[code], details);
}

export function invalidFilter(detail: string): ToolError {
  return new ToolError('INVALID_FILTER', `Invalid filter: ${detail}`);
}
