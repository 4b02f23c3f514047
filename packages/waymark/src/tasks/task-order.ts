import type { Store } from '../store/index.ts';
import { taskError } from './model.ts';
import { inTransaction, type Queryable } from './queryable.ts';

/** The distance between two new tasks: the step of the sequence. */
const gap = 1_048_576;

interface Place {
  readonly id: string;
  readonly completed: boolean;
  readonly position: number;
}

/** Puts a task right behind another in the list, or at its head when `after` is null. */
export async function moveTask(store: Store, userId: string, taskId: string, after: string | null): Promise<void> {
  await inTransaction(store, async (db) => {
    // One mover at a time: two between the same neighbours would get the same place.
    await db.query('select id from users where id = $1 for update', [userId]);
    const place = (await findPlace(db, userId, taskId, after)) ?? (await renumbered(db, userId, taskId, after));
    if (place === undefined) throw taskError('TASK_NOT_FOUND');
    await db.query('update tasks set position = $3 where user_id = $1 and id = $2', [userId, taskId, place]);
  });
}

async function renumbered(db: Queryable, userId: string, taskId: string, after: string | null) {
  await renumber(db, userId);
  return findPlace(db, userId, taskId, after);
}

/** A number between the neighbours; undefined when there is none left between them. */
async function findPlace(
  db: Queryable,
  userId: string,
  taskId: string,
  after: string | null,
): Promise<number | undefined> {
  const places = await db.query<Place>(
    'select id, completed, position from tasks where user_id = $1 and id = any($2::text[])',
    [userId, after === null ? [taskId] : [taskId, after]],
  );
  const moved = places.find(({ id }) => id === taskId);
  const before = places.find(({ id }) => id === after);
  if (!moved || (after !== null && !before)) throw taskError('TASK_NOT_FOUND');
  const [next] = await db.query<{ position: number }>(
    `select position from tasks where user_id = $1 and completed = $2 and id <> $3
       and ($4::bigint is null or position > $4)
     order by position limit 1`,
    [userId, (before ?? moved).completed, taskId, before?.position ?? null],
  );
  if (!next) return before ? lastPlace(db) : moved.position;
  if (!before) return next.position - gap;
  const place = Math.floor((before.position + next.position) / 2);
  return place > before.position ? place : undefined;
}

/** Behind everything, where the next new task would have stood. */
async function lastPlace(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ place: number }>(`select nextval('task_positions') as place`, []);
  return row?.place;
}

async function renumber(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `update tasks set position = numbered.n from (
       select id, nextval('task_positions') as n
       from (select id from tasks where user_id = $1 order by completed, position, id) as sorted
     ) as numbered
     where tasks.id = numbered.id`,
    [userId],
  );
}
