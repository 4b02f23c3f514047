import type { Task, TaskContent } from './model.ts';
import type { Queryable } from './queryable.ts';
import { contentColumns, contentValues, taskColumns, type TaskRow, toTask } from './task-row.ts';

/** Who changes what, when, and with which other changes it is undone. */
export interface Change {
  readonly userId: string;
  readonly at: Date;
  readonly batch: string;
}

/** A task after a change, and the number of the change in the history. */
export interface Noted {
  readonly task: Task;
  readonly changeId: number;
}

type NotedRow = TaskRow & { readonly change_id: number };

function toNoted(row: NotedRow): Noted {
  return { task: toTask(row), changeId: row.change_id };
}

const contentList = contentColumns.join(', ');
const contentParameters = contentColumns.map((_column, index) => `$${index + 6}`).join(', ');
const contentAssignments = contentColumns.map((column, index) => `${column} = $${index + 6}`).join(', ');

/** The fields a change remembers so that it can be undone. */
const remembered = `jsonb_build_object(
  'title', old.title, 'description', old.description, 'dueDate', old.due_date, 'priority', old.priority,
  'completed', old.completed, 'completedAt', old.completed_at, 'labels', old.labels, 'recurrence', old.recurrence)`;

/** Adds one task. Fails with a foreign key error when there is no such user. */
export async function insertTask(db: Queryable, id: string, content: TaskContent, change: Change): Promise<Noted> {
  const [row] = await db.query<NotedRow>(
    `with added as (
       insert into tasks (id, user_id, created_at, updated_at, version, ${contentList})
       values ($1, $2, $3, $4, 1, ${contentParameters})
       returning ${taskColumns}
     ), noted as (
       insert into task_changes (user_id, batch, task_id, kind, version, made_at)
       select user_id, $5::text, id, 'added', version, created_at from added
       returning id
     )
     select added.*, noted.id as change_id from added, noted`,
    [id, change.userId, change.at, change.at, change.batch, ...contentValues(change.userId, content)],
    'insert',
  );
  return toNoted(row as NotedRow);
}

/** Writes a task's content if nobody has changed it since it was read. Undefined when somebody has. */
export async function replaceContent(
  db: Queryable,
  task: Task,
  content: TaskContent,
  change: Change,
): Promise<Noted | undefined> {
  const [row] = await db.query<NotedRow>(
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
       returning id as change_id
     )
     select ${taskColumns}, change_id from changed, noted`,
    [task.id, task.userId, task.version, change.at, change.batch, ...contentValues(task.userId, content)],
    'replace',
  );
  return row && toNoted(row);
}

export async function findTask(db: Queryable, id: string): Promise<Task | undefined> {
  const [row] = await db.query<TaskRow>(`select ${taskColumns} from tasks where id = $1`, [id], 'find');
  return row && toTask(row);
}

/** Adds many tasks at once, in order. */
export async function insertTasks(
  db: Queryable,
  tasks: readonly { readonly id: string; readonly content: TaskContent }[],
  change: Change,
): Promise<void> {
  const rows = tasks.map(({ id, content }, n) => {
    const values = contentValues(change.userId, content);
    return { n, id, ...Object.fromEntries(contentColumns.map((column, index) => [column, values[index]])) };
  });
  await db.query(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as rows (
         n integer, id text, title text, description text, due_date text, due_on date, due_at timestamptz,
         priority text, completed boolean, completed_at timestamptz, labels text[], recurrence text,
         search_text text, search_grams integer[])
     ), added as (
       insert into tasks (id, user_id, created_at, updated_at, version, ${contentList})
       select id, $2::text, $3::timestamptz, $3::timestamptz, 1, ${contentList} from given order by n
       returning id
     )
     insert into task_changes (user_id, batch, task_id, kind, version, made_at)
     select $2::text, $4::text, id, 'added', 1, $3::timestamptz from added`,
    [JSON.stringify(rows), change.userId, change.at, change.batch],
  );
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
  const [row] = await db.query<UserRow>('select id, time_zone from users where id = $1', [id], 'user');
  return row;
}

/** Users come into being with their first authenticated call. */
export async function ensureUser(db: Queryable, id: string): Promise<void> {
  await db.query('insert into users (id) values ($1) on conflict do nothing', [id]);
}
