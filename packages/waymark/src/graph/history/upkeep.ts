import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RunError } from '../events.ts';
import type { RetentionPolicy } from './history.ts';
import { isGone } from './process-identity.ts';
import type { GraphTables } from './tables.ts';

type Database = Kysely<GraphTables>;

const staleMs = 30_000;
const dayMs = 86_400_000;
const interrupted: RunError = { code: 'INTERRUPTED', message: 'The process that ran it ended before the run did' };

/** Marks the runs of processes that are gone, with the history they had. */
export async function markInterrupted(db: Database, own: string, now: Date): Promise<number> {
  const processes = await db.selectFrom('graph_processes').selectAll().where('id', '!=', own).execute();
  const gone = processes
    .filter((process) => process.seen_at.getTime() < now.getTime() - staleMs || isGone(process))
    .map(({ id }) => id);
  if (gone.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    update graph_runs as run
    set status = 'interrupted',
        error = ${JSON.stringify(interrupted)},
        node_executions = (select count(*) from graph_events where run_id = run.id and type = 'node-ended'),
        ended_at = (select max(at) from graph_events where run_id = run.id)
    where status in ('running', 'paused') and mode = 'inline' and process = any(${gone}::text[])
  `.execute(db);
  await db.deleteFrom('graph_processes').where('id', 'in', gone).execute();
  return Number(numAffectedRows);
}

/** Deletes runs the policy no longer keeps, then definitions and parts that nothing points at. */
export async function prune(db: Database, policy: RetentionPolicy, now: Date): Promise<number> {
  let deleted = 0;
  if (policy.maxAgeDays !== undefined) {
    const before = new Date(now.getTime() - policy.maxAgeDays * dayMs);
    deleted += await deleteRuns(db, sql`select id from graph_runs where ended_at < ${before}`);
  }
  if (policy.maxRunsPerUser !== undefined) {
    deleted += await deleteRuns(
      db,
      sql`
        select id from (
          select id, ended_at, row_number() over (partition by user_id order by started_at desc, id desc) as place
          from graph_runs
        ) as placed
        where place > ${policy.maxRunsPerUser} and ended_at is not null
      `,
    );
  }
  if (deleted > 0) await deleteUnused(db, now);
  return deleted;
}

/** Deletes the runs that `ids` selects, and their events. Returns how many runs there were. */
export async function deleteRuns(db: Database, ids: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ runs: number }>`
    with gone as (delete from graph_runs where id in (${ids}) returning id),
      events as (delete from graph_events using gone where run_id = gone.id)
    select count(*) as runs from gone
  `.execute(db);
  return rows[0]?.runs ?? 0;
}

/**
 * A run that is being written points at its parts only when its transaction ends, and may point at
 * parts that were there before; writing renews `kept_at`, so what was kept lately stays.
 */
export async function deleteUnused(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * 3_600_000);
  await sql`
    with recursive used (hash) as (
      select found.hash[1]
      from (
        select data as value from graph_events
        union all select input from graph_runs
        union all select result from graph_runs where result is not null
      ) as texts, regexp_matches(texts.value, '\\{"\\$":"([0-9a-f]{32})"\\}', 'g') as found (hash)
      union
      select found.hash[1]
      from used join graph_blobs on graph_blobs.hash = used.hash,
        regexp_matches(graph_blobs.value, '\\{"\\$":"([0-9a-f]{32})"\\}', 'g') as found (hash)
    )
    delete from graph_blobs where kept_at < ${before} and not exists (select from used where used.hash = graph_blobs.hash)
  `.execute(db);
  await sql`
    delete from graph_definitions
    where kept_at < ${before} and not exists (select from graph_runs where graph_hash = graph_definitions.hash)
  `.execute(db);
}
