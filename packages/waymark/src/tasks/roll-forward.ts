import { nextOccurrence } from '../dates/index.ts';
import type { Store } from '../store/index.ts';
import type { Task, TaskContent } from './model.ts';
import { inTransaction } from './queryable.ts';
import { type Change, insertTask, replaceContent } from './task-store.ts';

/**
 * Completes a repeating task and adds its next occurrence, both or neither. The rule moves on to the
 * new task, so that reopening and completing the old one again does not add a second one.
 */
export async function rollForward(
  store: Store,
  task: Task,
  completed: TaskContent,
  change: Change,
  nextId: string,
  zone: string,
): Promise<{ task: Task | undefined; next: Task | undefined }> {
  const next =
    completed.recurrence === null
      ? undefined
      : nextOccurrence(completed.recurrence, completed.dueDate, change.at, zone);
  return inTransaction(store, async (db) => {
    const done = await replaceContent(db, task, { ...completed, recurrence: null }, change);
    if (!done || !next) return { task: done, next: undefined };
    const content = { ...completed, completed: false, completedAt: null, dueDate: next.due, recurrence: next.rule };
    return { task: done, next: await insertTask(db, nextId, content, change) };
  });
}
