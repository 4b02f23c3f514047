import { addDays, formatDate, startOfDay, wallClockAt } from '../dates/index.ts';
import type { Priority, Task } from './model.ts';
import type { Queryable } from './queryable.ts';
import { foldForSearch, gramOfLabel, gramsOfTerm } from './search-text.ts';
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
  const rows = await findRows(db, { userId, filter, after, count: limit + 1 });
  const tasks = rows.slice(0, limit).map(toTask);
  const last = tasks.at(-1);
  const next =
    rows.length > limit && last ? { completed: last.completed, position: last.position, id: last.id } : undefined;
  return { tasks, next };
}

interface Request {
  readonly userId: string;
  readonly filter: TaskFilter;
  readonly after: ListCursor | undefined;
  readonly count: number;
}

/** How many tasks a search looks through from the head of the list before it asks the index. */
const [nearWindow, farWindow] = [1000, 20_000];

/**
 * A frequent word is found fastest by walking the list until the page is full; a rare one by the
 * index, which would have to fetch and sort every match of a frequent one. The head of the list
 * tells which it is, and for most people it is the whole list.
 */
async function findRows(db: Queryable, request: Request): Promise<TaskRow[]> {
  const term = request.filter.search === undefined ? '' : foldForSearch(request.filter.search);
  if (term === '') return queryRows(db, request, () => []);
  const near = await searchWindow(db, request, term, nearWindow);
  if (near.isAll) return near.rows;
  const expected = (near.rows.length / nearWindow) * farWindow;
  const far = expected > request.count ? await searchWindow(db, request, term, farWindow) : near;
  if (far.isAll) return far.rows;
  const grams = gramsOfTerm(request.userId, term);
  return queryRows(db, request, (parameter) => [
    ...(grams.length > 0 ? [`search_grams @> ${parameter(grams)}::integer[]`] : []),
    `strpos(search_text, ${parameter(term)}::text) > 0`,
  ]);
}

type Parameter = (value: unknown) => string;

/** Searches the next tasks of the list; `isAll` when the page is full or nothing lies behind them. */
async function searchWindow(
  db: Queryable,
  request: Request,
  term: string,
  size: number,
): Promise<{ rows: TaskRow[]; isAll: boolean }> {
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const found = await db.query<{ looked_at: number } & (TaskRow | { id: null })>(
    `with looked_at as materialized (
       select ${taskColumns}, strpos(search_text, ${parameter(term)}::text) > 0 as matches
       from tasks where ${conditionsOf(request, parameter).join(' and ')}
       order by user_id, completed, position, id limit ${parameter(size)}::integer
     )
     select found.*, (select count(*) from looked_at) as looked_at
     from (select) as always left join lateral (
       select ${taskColumns} from looked_at where matches
       order by completed, position, id limit ${parameter(request.count)}::integer
     ) as found on true`,
    values,
  );
  const rows = found.filter((row): row is { looked_at: number } & TaskRow => row.id !== null);
  return { rows, isAll: rows.length >= request.count || (found[0]?.looked_at ?? 0) < size };
}

async function queryRows(
  db: Queryable,
  request: Request,
  more: (parameter: Parameter) => readonly string[],
): Promise<TaskRow[]> {
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const conditions = [...conditionsOf(request, parameter), ...more(parameter)];
  return db.query<TaskRow>(
    `select ${taskColumns} from tasks where ${conditions.join(' and ')}
     order by user_id, completed, position, id limit ${parameter(request.count)}::integer`,
    values,
  );
}

/** Every condition but the search. */
function conditionsOf({ userId, filter, after }: Request, parameter: Parameter): string[] {
  const conditions = [`user_id = ${parameter(userId)}::text`];
  if (filter.completed !== undefined) conditions.push(`completed = ${parameter(filter.completed)}::boolean`);
  if (filter.priority !== undefined) conditions.push(`priority = ${parameter(filter.priority)}::text`);
  if (filter.label !== undefined) {
    conditions.push(`search_grams @> ${parameter([gramOfLabel(userId, filter.label)])}::integer[]`);
    conditions.push(`${parameter(filter.label)}::text = any(labels)`);
  }
  if (filter.dueBefore) conditions.push(dueCondition('<', filter.dueBefore, parameter));
  if (filter.dueAfter) conditions.push(dueCondition('>=', filter.dueAfter, parameter));
  if (after) {
    const place = [after.completed, after.position, after.id].map(parameter);
    conditions.push(`(completed, position, id) > (${place[0]}::boolean, ${place[1]}::bigint, ${place[2]}::text)`);
  }
  return conditions;
}

function dueCondition(operator: '<' | '>=', bound: DueBound, parameter: Parameter): string {
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
