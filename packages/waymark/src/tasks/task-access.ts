import { isTimeZone, systemTimeZone } from '../dates/index.ts';
import type { Events } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { type Task, taskError } from './model.ts';
import { onPool, type Queryable } from './queryable.ts';
import type { Circumstances } from './requests.ts';
import { ensureUser, findTask, findUser, type UserRow } from './task-store.ts';

export interface TaskServices {
  readonly store: () => Promise<Store>;
  readonly events: Events;
  /** The zone of users who have none of their own; by default that of this process. */
  readonly timeZone?: string | undefined;
}

/** Who may do what, and in which time zone they are. */
export class TaskAccess {
  readonly #services: TaskServices;
  /** One question per call, however often the zone is needed in it. */
  readonly #zones = new WeakMap<Circumstances, Promise<string>>();

  constructor(services: TaskServices) {
    this.#services = services;
  }

  store(): Promise<Store> {
    return this.#services.store();
  }

  async database(): Promise<Queryable> {
    return onPool(await this.#services.store());
  }

  /** The user's own zone, else the client's, else the server's. */
  zoneOf(circumstances: Circumstances): Promise<string> {
    const known = this.#zones.get(circumstances);
    if (known) return known;
    const zone = this.#findZone(circumstances);
    this.#zones.set(circumstances, zone);
    return zone;
  }

  async #findZone(circumstances: Circumstances): Promise<string> {
    const { time_zone: own } = await this.requireUser(circumstances);
    const candidates = [own, circumstances.clientZone, this.#services.timeZone];
    return candidates.find((zone) => typeof zone === 'string' && isTimeZone(zone)) ?? systemTimeZone();
  }

  /** The task, if it is this user's. */
  async own(circumstances: Circumstances, taskId: string): Promise<Task> {
    const task = await findTask(await this.database(), taskId);
    if (task?.userId === circumstances.userId) return task;
    await this.requireUser(circumstances);
    throw taskError(task ? 'UNAUTHORIZED' : 'TASK_NOT_FOUND');
  }

  async requireUser({ userId, authenticated }: Circumstances): Promise<UserRow> {
    const db = await this.database();
    const user = await findUser(db, userId);
    if (user) return user;
    if (!authenticated) throw taskError('INVALID_USER');
    await ensureUser(db, userId);
    return { id: userId, time_zone: null };
  }

  /** Spares the question whether the user exists: the database refuses a task of nobody. */
  async knowingUser<T>(circumstances: Circumstances, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isMissingUser(error)) throw error;
      await this.requireUser(circumstances);
      return run();
    }
  }

  publish(change: string, { id, userId, title, completed }: Task): void {
    this.announce(userId, { change, task_id: id, title, completed });
  }

  announce(user: string, data: Record<string, unknown>): void {
    this.#services.events.publish({ type: 'task-changed', user, data });
  }
}

const foreignKeyViolation = '23503';

function isMissingUser(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === foreignKeyViolation;
}
