import { dueInstant, parseDate } from '../dates/index.ts';
import { ToolError } from '../kit/index.ts';
import { forgetOldChanges, type Undone, undoLastChange } from './change-history.ts';
import { readDescription, readTitle } from './content-rules.ts';
import { type DueBound, dueBound, type ListCursor, listTasks, type TaskFilter } from './list-query.ts';
import { invalidFilter, limits, type Task, type TaskContent, taskError } from './model.ts';
import { type Overview, readOverview } from './overview.ts';
import { inTransaction, onPool } from './queryable.ts';
import type { BatchResult, Changed, Circumstances, ListRequest, NewTask, TaskPatch } from './requests.ts';
import { rollForward } from './roll-forward.ts';
import { TaskAccess, type TaskServices } from './task-access.ts';
import { moveTask } from './task-order.ts';
import { type Change, deleteTask, insertTask, insertTasks, replaceContent } from './task-store.ts';

/** Attempts of an update while others keep changing the same task. */
const attempts = 10;

/** Tasks per statement when many are added. */
const chunk = 500;

/** Everything that can be done with tasks. Holds nothing between calls but the way to the store. */
export class TaskService {
  readonly #access: TaskAccess;

  constructor(services: TaskServices) {
    this.#access = new TaskAccess(services);
  }

  async add(circumstances: Circumstances, request: NewTask): Promise<Task> {
    const title = readTitle(request.title);
    const description = request.description === undefined ? null : readDescription(request.description);
    const dueDate =
      request.dueDate === undefined
        ? null
        : this.#readDate(request.dueDate, await this.zone(circumstances), circumstances);
    const content: TaskContent = {
      title,
      description,
      dueDate,
      priority: request.priority ?? 'medium',
      completed: false,
      completedAt: null,
      labels: request.labels ?? [],
      recurrence: request.recurrence ?? null,
    };
    return this.insert(circumstances, content);
  }

  /** Adds a task whose content has been read already. */
  async insert(circumstances: Circumstances, content: TaskContent): Promise<Task> {
    const db = await this.#access.database();
    const id = newTaskId(circumstances);
    const change: Change = { userId: circumstances.userId, at: circumstances.now, batch: id };
    const { task, changeId } = await this.#access.knowingUser(circumstances, () => insertTask(db, id, content, change));
    await forgetOldChanges(db, circumstances.userId, changeId);
    this.#access.publish('added', task);
    return task;
  }

  /** Adds finished contents in one step that is undone in one step. */
  async insertMany(circumstances: Circumstances, contents: readonly TaskContent[]): Promise<string[]> {
    const store = await this.#access.store();
    const change = this.#change(circumstances);
    const rows = contents.map((content) => ({ id: newTaskId(circumstances), content }));
    await this.#access.knowingUser(circumstances, () =>
      inTransaction(store, async (db) => {
        for (let start = 0; start < rows.length; start += chunk) {
          await insertTasks(db, rows.slice(start, start + chunk), change);
        }
      }),
    );
    this.#access.announce(circumstances.userId, { change: 'imported', count: rows.length });
    return rows.map(({ id }) => id);
  }

  async list(
    circumstances: Circumstances,
    request: ListRequest,
  ): Promise<{ tasks: Task[]; next: ListCursor | undefined }> {
    const db = await this.#access.database();
    const zone =
      request.dueBefore === undefined && request.dueAfter === undefined ? 'UTC' : await this.zone(circumstances);
    const bound = (name: string, text: string | undefined): DueBound | undefined => {
      if (text === undefined) return undefined;
      const result = parseDate(text, circumstances.now, zone);
      const instant = result.ok ? dueInstant(result.due.value, zone) : undefined;
      if (!instant) throw invalidFilter(`${name} "${clip(text)}" is not a date`);
      return dueBound(instant, zone);
    };
    const { completed, priority, search, label } = request;
    const filter: TaskFilter = {
      completed,
      priority,
      search,
      label,
      dueBefore: bound('due_before', request.dueBefore),
      dueAfter: bound('due_after', request.dueAfter),
    };
    const page = await listTasks(db, circumstances.userId, filter, request.limit, request.after);
    if (page.tasks.length === 0) await this.#access.requireUser(circumstances);
    return page;
  }

  /** Every task of the user in list order, page by page. */
  async *all(circumstances: Circumstances, filter: { readonly completed?: boolean | undefined }): AsyncGenerator<Task> {
    let after: ListCursor | undefined;
    do {
      const page = await this.list(circumstances, { ...filter, limit: chunk, after });
      yield* page.tasks;
      after = page.next;
    } while (after);
  }

  async get(circumstances: Circumstances, taskId: string): Promise<Task> {
    return this.#access.own(circumstances, taskId);
  }

  /** Reads, changes and writes back; when somebody else was faster, it starts over with what they wrote. */
  async update(circumstances: Circumstances, taskId: string, patch: TaskPatch): Promise<Changed> {
    const title = patch.title === undefined ? undefined : readTitle(patch.title);
    const description = typeof patch.description === 'string' ? readDescription(patch.description) : patch.description;
    const dueDate =
      typeof patch.dueDate === 'string'
        ? this.#readDate(patch.dueDate, await this.zone(circumstances), circumstances)
        : patch.dueDate;
    return this.change(circumstances, taskId, (task) => ({
      ...contentOf(task),
      ...defined({ title, description, dueDate, priority: patch.priority }),
      ...defined({ labels: patch.labels, recurrence: patch.recurrence }),
      ...(patch.completed === undefined || patch.completed === task.completed
        ? {}
        : { completed: patch.completed, completedAt: patch.completed ? circumstances.now : null }),
    }));
  }

  /** Marks a task as done; `already` when it was. A repeating task leaves its next occurrence behind. */
  async complete(circumstances: Circumstances, taskId: string): Promise<Changed & { readonly already: boolean }> {
    const changed = await this.update(circumstances, taskId, { completed: true });
    return { ...changed, already: !changed.changes.includes('completed') };
  }

  /** Completes several in one step that one undo takes back; what cannot be done is told and does not stop the rest. */
  async completeMany(circumstances: Circumstances, taskIds: readonly string[]): Promise<BatchResult> {
    await this.#access.requireUser(circumstances);
    const batch = circumstances.randomId();
    const result: BatchResult = { completed: [], already: [], failed: [] };
    for (const taskId of taskIds) {
      try {
        const { task, changes } = await this.change(
          circumstances,
          taskId,
          (current) => done(current, circumstances.now),
          batch,
        );
        (changes.length > 0 ? result.completed : result.already).push(task);
      } catch (error) {
        if (!(error instanceof ToolError) || error.code === 'STORE_UNAVAILABLE') throw error;
        result.failed.push({ taskId, code: error.code, message: error.message });
      }
    }
    return result;
  }

  async delete(circumstances: Circumstances, taskId: string): Promise<Task> {
    const db = await this.#access.database();
    const task = await deleteTask(db, taskId, this.#change(circumstances));
    if (!task) {
      await this.#access.own(circumstances, taskId);
      throw taskError('TASK_NOT_FOUND');
    }
    this.#access.publish('deleted', task);
    return task;
  }

  /** Takes back the last change of this user, unless it was a deletion. */
  async undo(circumstances: Circumstances): Promise<Undone> {
    const { id: userId } = await this.#access.requireUser(circumstances);
    const undone = await undoLastChange(await this.#access.store(), userId);
    this.#access.announce(userId, {
      change: 'undone',
      task_ids: [...undone.restored, ...undone.removed].slice(0, limits.batch).map(({ id }) => id),
    });
    return undone;
  }

  async overview(circumstances: Circumstances, days: number, label: string | undefined): Promise<Overview> {
    const db = await this.#access.database();
    const zone = await this.zone(circumstances);
    return readOverview(db, circumstances.userId, circumstances.now, zone, days, label);
  }

  /** Puts a task right behind another, or first. */
  async move(circumstances: Circumstances, taskId: string, after: string | null): Promise<Task> {
    const store = await this.#access.store();
    await this.#access.own(circumstances, taskId);
    if (after !== null) await this.#access.own(circumstances, after);
    await moveTask(store, circumstances.userId, taskId, after);
    const task = await this.#access.own(circumstances, taskId);
    this.#access.publish('moved', task);
    return task;
  }

  async change(
    circumstances: Circumstances,
    taskId: string,
    rewrite: (task: Task) => TaskContent,
    batch = circumstances.randomId(),
  ): Promise<Changed> {
    const store = await this.#access.store();
    const db = onPool(store);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const task = await this.#access.own(circumstances, taskId);
      const wanted = rewrite(task);
      const changes = differences(task, wanted);
      if (changes.length === 0) return { task, changes, next: undefined };
      const change: Change = { userId: circumstances.userId, at: circumstances.now, batch };
      const isDone = !task.completed && wanted.completed && wanted.recurrence !== null;
      const result = isDone
        ? await rollForward(store, task, wanted, change, newTaskId(circumstances), await this.zone(circumstances))
        : { done: await replaceContent(db, task, wanted, change), next: undefined };
      if (!result.done) continue;
      await forgetOldChanges(db, circumstances.userId, result.done.changeId);
      this.#access.publish(kindOf(changes, result.done.task), result.done.task);
      if (result.next) this.#access.publish('added', result.next);
      return { task: result.done.task, changes, next: result.next };
    }
    throw new ToolError('CONFLICT', 'The task is being changed by others right now. Try again.');
  }

  zone(circumstances: Circumstances): Promise<string> {
    return this.#access.zoneOf(circumstances);
  }

  #readDate(text: string, zone: string, { now }: Circumstances): string {
    const result = parseDate(text, now, zone);
    if (!result.ok) throw taskError('INVALID_DATE', { due_date: clip(text), reason: result.reason });
    return result.due.value;
  }

  #change({ userId, now, randomId }: Circumstances): Change {
    return { userId, at: now, batch: randomId() };
  }
}

function done(task: Task, now: Date): TaskContent {
  return task.completed ? task : { ...task, completed: true, completedAt: now };
}

export function contentOf(task: Task): TaskContent {
  const { title, description, dueDate, priority, completed, completedAt, labels, recurrence } = task;
  return { title, description, dueDate, priority, completed, completedAt, labels, recurrence };
}

function newTaskId({ randomId }: Circumstances): string {
  return `task_${randomId()}`;
}

function differences(task: Task, wanted: TaskContent): (keyof TaskContent)[] {
  const fields = ['title', 'description', 'dueDate', 'priority', 'completed', 'labels', 'recurrence'] as const;
  return fields.filter((field) => JSON.stringify(task[field]) !== JSON.stringify(wanted[field]));
}

function kindOf(changes: readonly (keyof TaskContent)[], task: Task): string {
  if (!changes.includes('completed')) return 'updated';
  return task.completed ? 'completed' : 'reopened';
}

function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
