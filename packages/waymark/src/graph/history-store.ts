import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Logger, silentLogger } from '../kit/index.ts';
import type { Store } from '../store/store.ts';
import type { RunEvent } from './events.ts';
import type { History, RunExport } from './history/history.ts';
import { ownIdentity } from './history/process-identity.ts';
import { getRun, listRuns, readEvents } from './history/reader.ts';
import type { GraphTables } from './history/tables.ts';
import { deleteRuns, deleteUnused, markInterrupted, prune } from './history/upkeep.ts';
import { HistoryWriter } from './history/writer.ts';

export interface HistoryOptions {
  readonly clock?: () => Date;
  readonly log?: Logger;
}

const heartbeatMs = 5000;
const sweepEveryMs = 10_000;

/** Opens the history of graph runs in the store and marks what an earlier process left unfinished. */
export async function openHistory(store: Store, options: HistoryOptions = {}): Promise<History> {
  const { clock = () => new Date(), log = silentLogger } = options;
  const db = store.db.withTables<GraphTables>();
  const id = randomUUID();
  const writer = new HistoryWriter(store, { process: id, clock, log });
  let lastSweep = 0;

  await db
    .insertInto('graph_processes')
    .values({ id, ...ownIdentity(), seen_at: clock() })
    .execute();
  // Only who runs something needs to be known to be alive.
  const heartbeat = setInterval(() => {
    if (writer.open > 0) void beat().catch((error: unknown) => log.warn('history heartbeat failed', { error }));
  }, heartbeatMs).unref();

  async function beat(): Promise<void> {
    const seen = { ...ownIdentity(), seen_at: clock() };
    await db
      .insertInto('graph_processes')
      .values({ id, ...seen })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
      .execute();
  }

  async function sweep(): Promise<number> {
    lastSweep = clock().getTime();
    const marked = await markInterrupted(db, id, clock());
    if (marked > 0) log.info('runs of an earlier process marked as interrupted', { runs: marked });
    return marked;
  }

  async function eventsOf(run: string, range: { after?: number; limit?: number } = {}): Promise<readonly RunEvent[]> {
    await writer.flush();
    return readEvents(db, run, range);
  }

  async function sourceOf(hash: string): Promise<string | undefined> {
    const row = await db.selectFrom('graph_definitions').select('source').where('hash', '=', hash).executeTakeFirst();
    return row?.source;
  }

  await sweep();

  return {
    begin: (run) => writer.begin(run),
    recorder: (document) => writer.recorder(document),
    async list(filter = {}) {
      await writer.flush();
      if (clock().getTime() - lastSweep > sweepEveryMs) await sweep();
      return listRuns(db, filter);
    },
    async get(run, user) {
      await writer.flush();
      return getRun(db, run, user);
    },
    events: eventsOf,
    source: sourceOf,
    async export(run, user): Promise<RunExport | undefined> {
      await writer.flush();
      const details = await getRun(db, run, user);
      if (!details) return undefined;
      const [source, events] = await Promise.all([sourceOf(details.graphHash), eventsOf(run)]);
      return { format: 'waymark-run/1', run: details, source: source ?? '', events };
    },
    async delete(run, user) {
      await writer.flush();
      const owned = user === undefined ? sql`` : sql`and user_id = ${user}`;
      const deleted = await deleteRuns(
        db,
        sql`select id from graph_runs where id = ${run} and ended_at is not null ${owned}`,
      );
      if (deleted > 0) await deleteUnused(db, clock());
      return deleted > 0;
    },
    async prune(policy) {
      await writer.flush();
      return prune(db, policy, clock());
    },
    sweep,
    flush: () => writer.flush(),
    async close() {
      clearInterval(heartbeat);
      await writer.flush();
      if (writer.open === 0) await db.deleteFrom('graph_processes').where('id', '=', id).execute();
    },
  };
}
