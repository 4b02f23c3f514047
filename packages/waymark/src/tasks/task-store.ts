import type { Task, TaskContent } from './model.ts';
import type { Queryable } from './queryable.ts';
import { contentColumns, contentValues, taskColumns, type TaskRow, toTask } from './task-row.ts';

/** Who changes what, when, and with which other changes it is undone. */
export interface Change {
  readonly userId: string;
  readonly at: Date;
  readonly batch: string;
}

const contentList = contentColumns.join(', ');
const contentParameters = contentColumns.map((_column, index) => `$${index + 6}`).join(', ');
const contentAssignments = contentColumns.map((column, index) => `${column} = $${index + 6}`).join(', ');

/** The fields a change remembers so that it can be undone. */
const remembered = `jsonb_build_object(
  'title', old.title, 'description', old.description, 'dueDate', old.due_date, 'priority', old.priority,
  'completed', old.completed, 'completedAt', old.completed_at, 'labels', old.labels, 'recurrence', old.recurrence)`;

/** Adds one task. Fails with a foreign key error when there is no such user. */
export async function insertTask(db: Queryable, id: string, content: TaskContent, change: Change): Promise<Task> {
  const [row] = await db.query<TaskRow>(
    `with added as (
       insert into tasks (id, user_id, created_at, updated_at, version, ${contentList})
       values ($1, $2, $3, $4, 1, ${contentParameters})
       returning ${taskColumns}
     ), noted as (
       insert into task_changes (user_id, batch, task_id, kind, version, made_at)
       select user_id, $5::text, id, 'added', version, created_at from added
     )
     select * from added`,
    [id, change.userId, change.at, change.at, change.batch, ...contentValues(change.userId, content)],
  );
  return toTask(row as TaskRow);
}

/** Writes a task's content if nobody has changed it since it was read. Undefined when somebody has. */
export async function replaceContent(
  db: Queryable,
  task: Task,
  content: TaskContent,
  change: Change,
): Promise<Task | undefined> {
  const [row] = await db.query<TaskRow>(
    `with old as (
       select * from tasks where id = $1 and user_id = $2 and version = $3 for update
     ), changed as (
       update tasks set updated_at = $4, version = old.version + 1, ${contentAssignments}
       from old where tasks.id = old.id and tasks.version = $3
       returning ${taskColumns
         .split(', ')
         .map((column) => `tasks.${column}`)
         .join(', ')}, ${remembered} as before
     ), noted as (
       insert into task_changes (user_id, batch, task_id, kind, before, version, made_at)
       select user_id, $5::text, id, 'updated', before, version, updated_at from changed
     )
     select ${taskColumns} from changed`,
    [task.id, task.userId, task.version, change.at, change.batch, ...contentValues(task.userId, content)],
  );
  return row && toTask(row);
}

export async function findTask(db: Queryable, id: string): Promise<Task | undefined> {
  const [row] = await db.query<TaskRow>(`select ${taskColumns} from tasks where id = $1`, [id]);
  return row && toTask(row);
}

export async function findTasks(db: Queryable, userId: string, ids: readonly string[]): Promise<Task[]> {
  const rows = await db.query<TaskRow>(`select ${taskColumns} from tasks where user_id = $1 and id = any($2::text[])`, [
    userId,
    ids,
  ]);
  return rows.map(toTask);
}

/** Removes a task for good, with everything remembered about it. */
export async function deleteTask(db: Queryable, id: string, change: Change): Promise<Task | undefined> {
  const [row] = await db.query<TaskRow>(
    `with removed as (
       delete from tasks where id = $1 and user_id = $2 returning ${taskColumns}
     ), forgotten as (
       delete from task_changes where task_id = (select id from removed)
     ), noted as (
       insert into task_changes (user_id, batch, task_id, kind, version, made_at)
       select user_id, $3::text, id, 'deleted', version, $4::timestamptz from removed
     )
     select * from removed`,
    [id, change.userId, change.batch, change.at],
  );
  return row && toTask(row);
}

export interface UserRow {
  readonly id: string;
  readonly time_zone: string | null;
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>('select id, time_zone from users where id = $1', [id]);
  return row;
}

/** Users come into being with their first authenticated call. */
export async function ensureUser(db: Queryable, id: string): Promise<void> {
  await db.query('insert into users (id) values ($1) on conflict do nothing', [id]);
}
