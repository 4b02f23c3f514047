import { dueInstant, isTimeZone, parseDate, systemTimeZone } from '../dates/index.ts';
import { type Events, ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { readDescription, readTitle } from './content-rules.ts';
import { type DueBound, dueBound, type ListCursor, listTasks, type TaskFilter } from './list-query.ts';
import { type Overview, readOverview } from './overview.ts';
import { forgetOldChanges, type Undone, undoLastChange } from './change-history.ts';
import { moveTask } from './task-order.ts';
import { invalidFilter, type Priority, type Task, type TaskContent, taskError } from './model.ts';
import { inTransaction, onPool, type Queryable } from './queryable.ts';
import { rollForward } from './roll-forward.ts';
import {
  type Change,
  deleteTask,
  ensureUser,
  findTask,
  findUser,
  insertTask,
  insertTasks,
  replaceContent,
} from './task-store.ts';

export interface TaskServices {
  readonly store: () => Promise<Store>;
  readonly events: Events;
  /** The zone of users who have none of their own; by default that of this process. */
  readonly timeZone?: string | undefined;
}

/** One call's circumstances: whose tasks, when, and what the client says about its time zone. */
export interface Circumstances {
  readonly userId: string;
  readonly now: Date;
  readonly randomId: () => string;
  readonly clientZone?: string | undefined;
  /** True when the caller has proven who they are, so that an unknown user is a new one. */
  readonly authenticated?: boolean | undefined;
}

export interface NewTask {
  readonly title: string;
  readonly description?: string | undefined;
  readonly dueDate?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly recurrence?: string | null | undefined;
}

export interface TaskPatch {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly priority?: Priority | undefined;
  readonly completed?: boolean | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly recurrence?: string | null | undefined;
}

export interface ListRequest {
  readonly completed?: boolean | undefined;
  readonly priority?: Priority | undefined;
  readonly dueBefore?: string | undefined;
  readonly dueAfter?: string | undefined;
  readonly search?: string | undefined;
  readonly label?: string | undefined;
  readonly limit: number;
  readonly after?: ListCursor | undefined;
}

export interface Changed {
  readonly task: Task;
  /** Names of the fields that differ from before. */
  readonly changes: readonly (keyof TaskContent)[];
  /** The next occurrence, when a repeating task was completed. */
  readonly next: Task | undefined;
}

export interface BatchResult {
  readonly completed: Task[];
  readonly already: Task[];
  readonly failed: { readonly taskId: string; readonly code: string; readonly message: string }[];
}

/** Attempts of an update while others keep changing the same task. */
const attempts = 10;

/** Tasks per statement when many are added. */
const chunk = 500;

/** Everything that can be done with tasks. Holds nothing between calls but the way to the store. */
export class TaskService {
  readonly #services: TaskServices;

  constructor(services: TaskServices) {
    this.#services = services;
  }

  async add(circumstances: Circumstances, request: NewTask): Promise<Task> {
    const title = readTitle(request.title);
    const description = request.description === undefined ? null : readDescription(request.description);
    const db = await this.#database();
    const dueDate =
      request.dueDate === undefined
        ? null
        : this.#readDate(request.dueDate, await this.zoneOf(db, circumstances), circumstances);
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
    const db = await this.#database();
    const { task, changeId } = await this.#knowingUser(circumstances, () =>
      insertTask(db, newTaskId(circumstances), content, this.#change(circumstances)),
    );
    await forgetOldChanges(db, circumstances.userId, changeId);
    this.#publish('added', task);
    return task;
  }

  /** Adds finished contents in one step that is undone in one step. */
  async insertMany(circumstances: Circumstances, contents: readonly TaskContent[]): Promise<string[]> {
    const store = await this.#services.store();
    const change = this.#change(circumstances);
    const rows = contents.map((content) => ({ id: newTaskId(circumstances), content }));
    await this.#knowingUser(circumstances, () =>
      inTransaction(store, async (db) => {
        for (let start = 0; start < rows.length; start += chunk) {
          await insertTasks(db, rows.slice(start, start + chunk), change);
        }
      }),
    );
    this.#announce(circumstances.userId, { change: 'imported', count: rows.length });
    return rows.map(({ id }) => id);
  }

  async list(
    circumstances: Circumstances,
    request: ListRequest,
  ): Promise<{ tasks: Task[]; next: ListCursor | undefined }> {
    const db = await this.#database();
    const zone =
      request.dueBefore === undefined && request.dueAfter === undefined ? 'UTC' : await this.zoneOf(db, circumstances);
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
    if (page.tasks.length === 0) await this.#requireUser(db, circumstances);
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
    return this.#own(await this.#database(), circumstances, taskId);
  }

  /** Reads, changes and writes back; when somebody else was faster, it starts over with what they wrote. */
  async update(circumstances: Circumstances, taskId: string, patch: TaskPatch): Promise<Changed> {
    const title = patch.title === undefined ? undefined : readTitle(patch.title);
    const description = typeof patch.description === 'string' ? readDescription(patch.description) : patch.description;
    const db = await this.#database();
    const dueDate =
      typeof patch.dueDate === 'string'
        ? this.#readDate(patch.dueDate, await this.zoneOf(db, circumstances), circumstances)
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
    await this.#requireUser(await this.#database(), circumstances);
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
    const db = await this.#database();
    const task = await deleteTask(db, taskId, this.#change(circumstances));
    if (!task) {
      await this.#own(db, circumstances, taskId);
      throw taskError('TASK_NOT_FOUND');
    }
    this.#publish('deleted', task);
    return task;
  }

  /** Takes back the last change of this user, unless it was a deletion. */
  async undo({ userId, ...rest }: Circumstances): Promise<Undone> {
    const store = await this.#services.store();
    await this.#requireUser(onPool(store), { userId, ...rest });
    const undone = await undoLastChange(store, userId);
    for (const task of undone.restored) this.#publish('updated', task);
    for (const { id, title } of undone.removed.slice(0, chunk))
      this.#announce(userId, { change: 'deleted', task_id: id, title });
    return undone;
  }

  async overview(circumstances: Circumstances, days: number, label: string | undefined): Promise<Overview> {
    const db = await this.#database();
    const zone = await this.zoneOf(db, circumstances);
    return readOverview(db, circumstances.userId, circumstances.now, zone, days, label);
  }

  /** Puts a task right behind another, or first. */
  async move(circumstances: Circumstances, taskId: string, after: string | null): Promise<Task> {
    const store = await this.#services.store();
    const db = onPool(store);
    await this.#own(db, circumstances, taskId);
    if (after !== null) await this.#own(db, circumstances, after);
    await moveTask(store, circumstances.userId, taskId, after);
    const task = await this.#own(db, circumstances, taskId);
    this.#publish('moved', task);
    return task;
  }

  async change(
    circumstances: Circumstances,
    taskId: string,
    rewrite: (task: Task) => TaskContent,
    batch = circumstances.randomId(),
  ): Promise<Changed> {
    const store = await this.#services.store();
    const db = onPool(store);
    const zone = this.#lazyZone(db, circumstances);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const task = await this.#own(db, circumstances, taskId);
      const wanted = rewrite(task);
      const changes = differences(task, wanted);
      if (changes.length === 0) return { task, changes, next: undefined };
      const change = { ...this.#change(circumstances), batch };
      const isDone = !task.completed && wanted.completed && wanted.recurrence !== null;
      const result = isDone
        ? await rollForward(store, task, wanted, change, newTaskId(circumstances), await zone())
        : { done: await replaceContent(db, task, wanted, change), next: undefined };
      if (!result.done) continue;
      await forgetOldChanges(db, circumstances.userId, result.done.changeId);
      this.#publish(kindOf(changes, result.done.task), result.done.task);
      if (result.next) this.#publish('added', result.next);
      return { task: result.done.task, changes, next: result.next };
    }
    throw new ToolError('CONFLICT', 'The task is being changed by others right now. Try again.');
  }

  /** The user's own zone, else the client's, else the server's. */
  async zoneOf(db: Queryable, circumstances: Circumstances): Promise<string> {
    const own = (await this.#requireUser(db, circumstances)).time_zone;
    const candidates = [own, circumstances.clientZone, this.#services.timeZone];
    return candidates.find((zone) => typeof zone === 'string' && isTimeZone(zone)) ?? systemTimeZone();
  }

  async zone(circumstances: Circumstances): Promise<string> {
    return this.zoneOf(await this.#database(), circumstances);
  }

  async #database(): Promise<Queryable> {
    return onPool(await this.#services.store());
  }

  #lazyZone(db: Queryable, circumstances: Circumstances): () => Promise<string> {
    let zone: Promise<string> | undefined;
    return () => (zone ??= this.zoneOf(db, circumstances));
  }

  #readDate(text: string, zone: string, { now }: Circumstances): string {
    const result = parseDate(text, now, zone);
    if (!result.ok) throw taskError('INVALID_DATE', { due_date: clip(text), reason: result.reason });
    return result.due.value;
  }

  async #own(db: Queryable, circumstances: Circumstances, taskId: string): Promise<Task> {
    const task = await findTask(db, taskId);
    if (task?.userId === circumstances.userId) return task;
    await this.#requireUser(db, circumstances);
    throw taskError(task ? 'UNAUTHORIZED' : 'TASK_NOT_FOUND');
  }

  async #requireUser(db: Queryable, { userId, authenticated }: Circumstances) {
    const user = await findUser(db, userId);
    if (user) return user;
    if (!authenticated) throw taskError('INVALID_USER');
    await ensureUser(db, userId);
    return { id: userId, time_zone: null };
  }

  /** Spares the question whether the user exists: the database refuses a task of nobody. */
  async #knowingUser<T>(circumstances: Circumstances, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isMissingUser(error)) throw error;
      await this.#requireUser(await this.#database(), circumstances);
      return run();
    }
  }

  #change({ userId, now, randomId }: Circumstances): Change {
    return { userId, at: now, batch: randomId() };
  }

  #publish(change: string, { id, userId, title, completed }: Task): void {
    this.#announce(userId, { change, task_id: id, title, completed });
  }

  #announce(user: string, data: Record<string, unknown>): void {
    this.#services.events.publish({ type: 'task-changed', user, data });
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

function isMissingUser(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503';
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
