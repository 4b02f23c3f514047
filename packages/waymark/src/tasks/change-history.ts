import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import type { Task, TaskContent } from './model.ts';
import { inTransaction, type Queryable } from './queryable.ts';
import { contentColumns, contentValues, taskColumns, type TaskRow, toTask } from './task-row.ts';

/** Changes kept per user, and how often the older ones are cleared. */
const keptChanges = 100;
const clearEvery = 64;

interface ChangeRow {
  readonly id: number;
  readonly task_id: string;
  readonly kind: 'added' | 'updated' | 'deleted';
  readonly before: (Omit<TaskContent, 'completedAt'> & { readonly completedAt: string | null }) | null;
  readonly version: number;
}

export interface Undone {
  /** Tasks that are as they were before. */
  readonly restored: readonly Task[];
  /** Tasks that are gone again. */
  readonly removed: readonly { readonly id: string; readonly title: string }[];
}

/** Takes back the user's last change, with everything that happened in the same step. */
export async function undoLastChange(store: Store, userId: string): Promise<Undone> {
  return inTransaction(store, async (db) => {
    const changes = await db.query<ChangeRow>(
      `select id, task_id, kind, before, version from task_changes
       where user_id = $1 and batch = (select batch from task_changes where user_id = $1 order by id desc limit 1)
       order by id desc for update`,
      [userId],
    );
    if (changes.length === 0) throw new ToolError('NOTHING_TO_UNDO', 'There is no change to undo');
    if (changes.some(({ kind }) => kind === 'deleted')) {
      throw new ToolError('CANNOT_UNDO', 'The last change was a deletion, and deletions are permanent');
    }
    const removed = await removeAdded(db, userId, changes);
    const restored: Task[] = [];
    for (const change of changes) {
      if (change.kind === 'updated') restored.push(await restore(db, userId, change));
    }
    await db.query('delete from task_changes where id = any($1::bigint[])', [changes.map(({ id }) => id)]);
    return { restored, removed };
  });
}

async function removeAdded(db: Queryable, userId: string, changes: readonly ChangeRow[]) {
  const added = changes.filter(({ kind }) => kind === 'added').map((change) => change.task_id);
  if (added.length === 0) return [];
  const rows = await db.query<{ id: string; title: string }>(
    'delete from tasks where user_id = $1 and id = any($2::text[]) and version = 1 returning id, title',
    [userId, added],
  );
  if (rows.length !== added.length) throw changedSince();
  return rows;
}

/** The version goes back too: the row is again what it was, so that the change before can be undone next. */
async function restore(db: Queryable, userId: string, change: ChangeRow): Promise<Task> {
  if (!change.before) throw changedSince();
  const { completedAt, ...before } = change.before;
  const content = { ...before, completedAt: completedAt === null ? null : new Date(completedAt) };
  const [row] = await db.query<TaskRow>(
    `update tasks set version = version - 1,
       ${contentColumns.map((column, index) => `${column} = $${index + 4}`).join(', ')}
     where id = $1 and user_id = $2 and version = $3 returning ${taskColumns}`,
    [change.task_id, userId, change.version, ...contentValues(userId, content)],
  );
  if (!row) throw changedSince();
  return toTask(row);
}

function changedSince(): ToolError {
  return new ToolError('CANNOT_UNDO', 'The task has been changed since, so the last change cannot be undone');
}

/** Keeps the history short. Called after every change, does something after every 64th. */
export async function forgetOldChanges(db: Queryable, userId: string, changeId: number): Promise<void> {
  if (changeId % clearEvery !== 0) return;
  await db.query(
    `with newest as (select id, batch from task_changes where user_id = $1 order by id desc limit ${keptChanges})
     delete from task_changes where user_id = $1
       and id < (select min(id) from newest) and batch not in (select batch from newest)`,
    [userId],
  );
}
