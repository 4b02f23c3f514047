import { nextOccurrence } from '../dates/index.ts';
import type { Store } from '../store/index.ts';
import type { Task, TaskContent } from './model.ts';
import { inTransaction } from './queryable.ts';
import { type Change, insertTask, type Noted, replaceContent } from './task-store.ts';

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
): Promise<{ done: Noted | undefined; next: Task | undefined }> {
  const next =
    completed.recurrence === null
      ? undefined
      : nextOccurrence(completed.recurrence, completed.dueDate, change.at, zone);
  return inTransaction(store, async (db) => {
    const done = await replaceContent(db, task, { ...completed, recurrence: null }, change);
    if (!done || !next) return { done, next: undefined };
    const content = { ...completed, completed: false, completedAt: null, dueDate: next.due, recurrence: next.rule };
    const { task: following } = await insertTask(db, nextId, content, change);
    return { done, next: following };
  });
}
