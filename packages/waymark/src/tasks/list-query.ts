import { addDays, formatDate, startOfDay, wallClockAt } from '../dates/index.ts';
import type { Priority, Task } from './model.ts';
import type { Queryable } from './queryable.ts';
import { foldForSearch, gramsOfTerm } from './search-text.ts';
import { taskColumns, type TaskRow, toTask } from './task-row.ts';

/** A point on the time line, and the first day that does not start before it in the user's zone. */
export interface DueBound {
  readonly instant: Date;
  readonly day: string;
}

export interface TaskFilter {
  readonly completed?: boolean | undefined;
  readonly priority?: Priority | undefined;
  /** Exclusive. */
  readonly dueBefore?: DueBound | undefined;
  /** Inclusive. */
  readonly dueAfter?: DueBound | undefined;
  readonly search?: string | undefined;
  readonly label?: string | undefined;
}

/** Where a page ended. */
export interface ListCursor {
  readonly completed: boolean;
  readonly position: number;
  readonly id: string;
}

export function dueBound(instant: Date, zone: string): DueBound {
  const { date } = wallClockAt(instant, zone);
  const startsBefore = startOfDay(date, zone) < instant;
  return { instant, day: formatDate(startsBefore ? addDays(date, 1) : date) };
}

/** Open tasks first, then in list order. One row more than asked for tells whether there is more. */
export async function listTasks(
  db: Queryable,
  userId: string,
  filter: TaskFilter,
  limit: number,
  after?: ListCursor,
): Promise<{ tasks: Task[]; next: ListCursor | undefined }> {
  const values: unknown[] = [userId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['user_id = $1', ...conditionsOf(userId, filter, parameter)];
  if (after) {
    const place = [after.completed, after.position, after.id].map(parameter);
    conditions.push(`(completed, position, id) > (${place[0]}::boolean, ${place[1]}::bigint, ${place[2]}::text)`);
  }
  const rows = await db.query<TaskRow>(
    `select ${taskColumns} from tasks where ${conditions.join(' and ')}
     order by user_id, completed, position, id limit ${parameter(limit + 1)}::integer`,
    values,
  );
  const tasks = rows.slice(0, limit).map(toTask);
  const last = tasks.at(-1);
  const next =
    rows.length > limit && last ? { completed: last.completed, position: last.position, id: last.id } : undefined;
  return { tasks, next };
}

function conditionsOf(userId: string, filter: TaskFilter, parameter: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  if (filter.completed !== undefined) conditions.push(`completed = ${parameter(filter.completed)}::boolean`);
  if (filter.priority !== undefined) conditions.push(`priority = ${parameter(filter.priority)}::text`);
  if (filter.label !== undefined) conditions.push(`${parameter(filter.label)}::text = any(labels)`);
  if (filter.dueBefore) conditions.push(dueCondition('<', filter.dueBefore, parameter));
  if (filter.dueAfter) conditions.push(dueCondition('>=', filter.dueAfter, parameter));
  const term = filter.search === undefined ? '' : foldForSearch(filter.search);
  if (term !== '') {
    const grams = gramsOfTerm(userId, term);
    if (grams.length > 0) conditions.push(`search_grams @> ${parameter(grams)}::integer[]`);
    conditions.push(`strpos(search_text, ${parameter(term)}::text) > 0`);
  }
  return conditions;
}

function dueCondition(operator: '<' | '>=', bound: DueBound, parameter: (value: unknown) => string): string {
  const [day, instant] = [parameter(bound.day), parameter(bound.instant)];
  return `(due_on ${operator} ${day}::date or due_at ${operator} ${instant}::timestamptz)`;
}

export function encodeCursor({ completed, position, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([completed, position, id])).toString('base64url');
}

export function decodeCursor(text: string): ListCursor | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(value)) return undefined;
    const [completed, position, id] = value as unknown[];
    if (typeof completed !== 'boolean' || !Number.isSafeInteger(position) || typeof id !== 'string') return undefined;
    return { completed, position: position as number, id };
  } catch {
    return undefined;
  }
}
