import { addDays, dueInstant, formatDate, startOfDay, wallClockAt } from '../dates/index.ts';
import { dueBound } from './list-query.ts';
import type { Task } from './model.ts';
import type { Queryable } from './queryable.ts';
import { taskColumns, type TaskRow, toTask } from './task-row.ts';

export interface Overview {
  readonly overdue: readonly Task[];
  readonly today: readonly Task[];
  readonly upcoming: readonly Task[];
  readonly counts: {
    readonly open: number;
    readonly completed: number;
    readonly overdue: number;
    readonly undated: number;
  };
  readonly labels: readonly { readonly label: string; readonly open: number }[];
}

const mostListed = 50;

/** What needs attention now: what is late, what is for today, and what comes within some days. */
export async function readOverview(
  db: Queryable,
  userId: string,
  now: Date,
  zone: string,
  days: number,
  label: string | undefined,
): Promise<Overview> {
  const { date: today } = wallClockAt(now, zone);
  const nowBound = { instant: now, day: formatDate(today) };
  const tomorrow = dueBound(startOfDay(addDays(today, 1), zone), zone);
  const horizon = dueBound(startOfDay(addDays(today, days + 1), zone), zone);
  const between = async (from: { instant: Date; day: string } | undefined, to: { instant: Date; day: string }) => {
    const rows = await db.query<TaskRow>(
      `select ${taskColumns} from tasks
       where user_id = $1 and not completed and ($6::text is null or $6::text = any(labels))
         and ((due_on < $2::date and due_on >= $3::date) or (due_at < $4::timestamptz and due_at >= $5::timestamptz))
       order by coalesce(due_at, due_on::timestamp at time zone 'UTC'), position limit ${mostListed}`,
      [userId, to.day, from?.day ?? '-infinity', to.instant, from?.instant ?? '-infinity', label ?? null],
    );
    const instantOf = (task: Task) => dueInstant(task.dueDate ?? '', zone)?.getTime() ?? 0;
    return rows.map(toTask).toSorted((left, right) => instantOf(left) - instantOf(right));
  };
  return {
    overdue: await between(undefined, nowBound),
    today: await between(nowBound, tomorrow),
    upcoming: await between(tomorrow, horizon),
    counts: await readCounts(db, userId, nowBound, label),
    labels: await db.query<{ label: string; open: number }>(
      `select label, count(*) as open from tasks, unnest(labels) as label
       where user_id = $1 and not completed group by label order by open desc, label limit ${mostListed}`,
      [userId],
    ),
  };
}

async function readCounts(
  db: Queryable,
  userId: string,
  at: { instant: Date; day: string },
  label: string | undefined,
): Promise<Overview['counts']> {
  const [counts] = await db.query<Overview['counts']>(
    `select count(*) filter (where not completed) as open,
       count(*) filter (where completed) as completed,
       count(*) filter (where not completed and (due_on < $2::date or due_at < $3::timestamptz)) as overdue,
       count(*) filter (where not completed and due_date is null) as undated
     from tasks where user_id = $1 and ($4::text is null or $4::text = any(labels))`,
    [userId, at.day, at.instant, label ?? null],
  );
  return counts ?? { open: 0, completed: 0, overdue: 0, undated: 0 };
}
