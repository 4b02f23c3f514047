import { formatDate, readDue } from '../dates/index.ts';
import type { Priority, Task, TaskContent } from './model.ts';
import { gramsOf, searchTextOf } from './search-text.ts';

/** A row as the database gives it. */
export interface TaskRow {
  readonly id: string;
  readonly user_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly due_date: string | null;
  readonly priority: Priority;
  readonly completed: boolean;
  readonly completed_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly version: number;
  readonly position: number;
  readonly labels: string[];
  readonly recurrence: string | null;
}

export const taskColumns =
  'id, user_id, title, description, due_date, priority, completed, completed_at, created_at, updated_at, version, position, labels, recurrence';

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    userId: row.user_id,
    title: row.title,
    description: row.description,
    dueDate: row.due_date,
    priority: row.priority,
    completed: row.completed,
    completedAt: row.completed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    position: row.position,
    labels: row.labels,
    recurrence: row.recurrence,
  };
}

/** The columns that hold a task's content, with what is derived from it, in this order. */
export const contentColumns = [
  'title',
  'description',
  'due_date',
  'due_on',
  'due_at',
  'priority',
  'completed',
  'completed_at',
  'labels',
  'recurrence',
  'search_text',
  'search_grams',
] as const;

export function contentValues(userId: string, content: TaskContent): unknown[] {
  const due = content.dueDate === null ? undefined : readDue(content.dueDate);
  const searchText = searchTextOf(content.title, content.description);
  return [
    content.title,
    content.description,
    content.dueDate,
    due?.kind === 'day' ? formatDate(due.date) : null,
    due?.kind === 'instant' ? due.instant : null,
    content.priority,
    content.completed,
    content.completedAt,
    content.labels,
    content.recurrence,
    searchText,
    gramsOf(userId, searchText, content.labels),
  ];
}
