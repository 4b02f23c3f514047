import { type Kysely, sql } from 'kysely';
import { ToolError } from '../../kit/index.ts';
import type { RunError, RunEvent, RunStatus } from '../events.ts';
import { toEvent } from './event-rows.ts';
import type { RunDetails, RunFilter, RunPage, RunSummary } from './history.ts';
import { referencesOf, unpack } from './pack.ts';
import type { GraphTables } from './tables.ts';

type Database = Kysely<GraphTables>;
type RunRow = Omit<GraphTables['graph_runs'], 'input' | 'result' | 'process'>;

const summaryColumns = [
  'id',
  'user_id',
  'graph',
  'tool',
  'graph_hash',
  'mode',
  'status',
  'error',
  'forked_from',
  'fork_seq',
  'node_executions',
  'started_at',
  'ended_at',
  'duration_us',
] as const;

export async function listRuns(db: Database, filter: RunFilter): Promise<RunPage> {
  const limit = Math.min(Math.max(filter.limit ?? 50, 1), 500);
  let query = db.selectFrom('graph_runs').select(summaryColumns);
  if (filter.user !== undefined) query = query.where('user_id', '=', filter.user);
  if (filter.graph !== undefined) query = query.where('graph', '=', filter.graph);
  if (filter.tool !== undefined) query = query.where('tool', '=', filter.tool);
  if (filter.status?.length) query = query.where('status', 'in', filter.status);
  if (filter.since) query = query.where('started_at', '>=', filter.since);
  if (filter.until) query = query.where('started_at', '<', filter.until);
  if (filter.cursor !== undefined) {
    const { at, id } = readCursor(filter.cursor);
    query = query.where(sql<boolean>`(started_at, id) < (${at}, ${id})`);
  }
  const rows = await query
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { runs: rows.slice(0, limit).map(toSummary), ...(last ? { next: writeCursor(last) } : {}) };
}

export async function getRun(db: Database, run: string, user: string | undefined): Promise<RunDetails | undefined> {
  let query = db
    .selectFrom('graph_runs')
    .select([...summaryColumns, 'input', 'result'])
    .where('id', '=', run);
  if (user !== undefined) query = query.where('user_id', '=', user);
  const row = await query.executeTakeFirst();
  if (!row) return undefined;
  const blobs = await loadBlobs(db, [row.input, row.result ?? '']);
  return {
    ...toSummary(row),
    input: unpack(row.input, blobs),
    ...(row.result === null ? {} : { result: unpack(row.result, blobs) }),
  };
}

export async function readEvents(
  db: Database,
  run: string,
  { after = -1, limit = 100_000 }: { after?: number; limit?: number } = {},
): Promise<RunEvent[]> {
  const rows = await db
    .selectFrom('graph_events')
    .select(['seq', 'type', 'node', 'path', 'at', 'data'])
    .where('run_id', '=', run)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const texts = rows.map(({ data }) => data);
  const blobs = await loadBlobs(db, texts);
  return rows.map(({ data, ...row }) =>
    toEvent({ ...row, type: row.type as RunEvent['type'] }, unpack(data, blobs) as Record<string, unknown>),
  );
}

/** Everything the texts point at, directly or through other parts: one query per level. */
async function loadBlobs(db: Database, texts: readonly string[]): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  let wanted = new Set(texts.flatMap(referencesOf));
  while (wanted.size > 0) {
    const rows = await db
      .selectFrom('graph_blobs')
      .select(['hash', 'value'])
      .where(sql<boolean>`hash = any(${[...wanted]}::text[])`)
      .execute();
    for (const { hash, value } of rows) blobs.set(hash, value);
    wanted = new Set(rows.flatMap(({ value }) => referencesOf(value)).filter((hash) => !blobs.has(hash)));
  }
  return blobs;
}

function toSummary(row: RunRow): RunSummary {
  return {
    run: row.id,
    user: row.user_id,
    graph: row.graph,
    tool: row.tool,
    graphHash: row.graph_hash,
    mode: row.mode as RunSummary['mode'],
    status: row.status as RunStatus,
    startedAt: row.started_at.toISOString(),
    ...(row.ended_at ? { endedAt: row.ended_at.toISOString() } : {}),
    ...(row.duration_us === null ? {} : { durationMs: row.duration_us / 1000 }),
    nodeExecutions: row.node_executions,
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as RunError }),
    ...(row.forked_from === null ? {} : { forkedFrom: { run: row.forked_from, seq: row.fork_seq ?? 0 } }),
  };
}

function writeCursor(row: RunRow): string {
  return Buffer.from(JSON.stringify([row.started_at.getTime(), row.id])).toString('base64url');
}

function readCursor(cursor: string): { at: Date; id: string } {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [unknown, unknown];
    if (typeof at === 'number' && Number.isSafeInteger(at) && typeof id === 'string') return { at: new Date(at), id };
  } catch {
    // Said below.
  }
  throw new ToolError('INVALID_CURSOR', 'The cursor is not one that a list of runs has returned', { cursor });
}
