import { sql, type Transaction } from 'kysely';
import type { Logger } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import type { Recorder, RunEnded, RunEvent, RunStarted } from '../events.ts';
import type { GraphDocument } from '../model.ts';
import { type EventRow, toRow } from './event-rows.ts';
import { type Blob, Packer } from './pack.ts';
import type { GraphTables } from './tables.ts';
import { WriteBehind } from './write-behind.ts';

type Database = Transaction<GraphTables>;

interface Item {
  readonly run: string;
  readonly event: RunEvent;
  readonly document: GraphDocument;
  /** Made once: a packer gives each part out only once, also when the first write fails. */
  prepared?: Prepared;
}

interface Prepared {
  readonly row: EventRow;
  readonly blobs: readonly Blob[];
  readonly run?: GraphTables['graph_runs'];
  readonly change?: { readonly run: string; readonly set: Partial<GraphTables['graph_runs']> };
}

/** Writes the events of runs, in batches behind them. */
export class HistoryWriter {
  readonly #behind: WriteBehind<Item>;
  readonly #packers = new Map<string, Packer>();
  readonly #process: string;
  readonly #clock: () => Date;

  constructor(store: Store, options: { process: string; clock: () => Date; log: Logger }) {
    this.#process = options.process;
    this.#clock = options.clock;
    this.#behind = new WriteBehind({
      log: options.log,
      write: (batch) => store.transaction((transaction) => this.#write(transaction.withTables<GraphTables>(), batch)),
    });
  }

  /** Runs whose end has not been written. */
  get open(): number {
    return this.#packers.size;
  }

  recorder(document: GraphDocument): Recorder {
    return {
      append: (run, event) => {
        // Progress is for who watches now; a history of it would be most of the history.
        if (event.type === 'node-progressed') return;
        if (event.type === 'run-started') this.#packers.set(run, new Packer());
        // The row of the run goes first, so that it is listed whatever happens to its process.
        this.#behind.add({ run, event, document }, event.type === 'run-started');
      },
      flush: () => this.#behind.flush(),
    };
  }

  flush(): Promise<void> {
    return this.#behind.flush();
  }

  async #write(db: Database, batch: readonly Item[]): Promise<void> {
    const prepared = batch.map((item) => (item.prepared ??= this.#prepare(item)));
    const now = this.#clock();
    await writeDefinitions(db, batch, now);
    const runs = prepared.flatMap(({ run }) => (run ? [run] : []));
    if (runs.length > 0) {
      await db
        .insertInto('graph_runs')
        .values(runs)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    }
    await writeBlobs(
      db,
      prepared.flatMap(({ blobs }) => blobs),
      now,
    );
    await writeEvents(
      db,
      prepared.map(({ row }) => row),
    );
    for (const { change } of prepared) {
      if (change) await db.updateTable('graph_runs').set(change.set).where('id', '=', change.run).execute();
    }
    for (const { run, event } of batch) if (event.type === 'run-ended') this.#packers.delete(run);
  }

  #prepare({ run, event, document }: Item): Prepared {
    const packer = this.#packers.get(run) ?? new Packer();
    const { row, blobs } = toRow(run, event, packer);
    switch (event.type) {
      case 'run-started': {
        const input = packer.pack(event.input);
        const started = startedRun(run, event, document, input.text, this.#process);
        return { row, blobs: [...blobs, ...input.blobs], run: started };
      }
      case 'run-ended': {
        const result = event.result === undefined ? undefined : packer.pack(event.result);
        const set = endedRun(event, result?.text ?? null);
        return { row, blobs: [...blobs, ...(result?.blobs ?? [])], change: { run, set } };
      }
      case 'run-paused':
        return { row, blobs, change: { run, set: { status: 'paused' } } };
      case 'run-resumed':
        return { row, blobs, change: { run, set: { status: 'running' } } };
      default:
        return { row, blobs };
    }
  }
}

function startedRun(run: string, event: RunStarted, document: GraphDocument, input: string, process: string) {
  return {
    id: run,
    user_id: event.user,
    graph: storable(document.server.name),
    tool: storable(event.tool),
    graph_hash: event.graphHash,
    mode: event.mode,
    status: 'running',
    process,
    input,
    result: null,
    error: null,
    forked_from: event.forkedFrom?.run ?? null,
    fork_seq: event.forkedFrom?.seq ?? null,
    node_executions: 0,
    started_at: new Date(event.at),
    ended_at: null,
    duration_us: null,
  };
}

function endedRun(event: RunEnded, result: string | null): Partial<GraphTables['graph_runs']> {
  return {
    status: event.status,
    result,
    error: event.error ? JSON.stringify(event.error) : null,
    node_executions: event.nodeExecutions,
    ended_at: new Date(event.at),
    duration_us: Math.round(event.durationUs),
  };
}

async function writeDefinitions(db: Database, batch: readonly Item[], now: Date): Promise<void> {
  const started = batch.filter(({ event }) => event.type === 'run-started');
  const documents = new Map(started.map(({ document }) => [document.hash, document]));
  for (const hash of [...documents.keys()].sort()) {
    const { server, source } = documents.get(hash) as GraphDocument;
    await db
      .insertInto('graph_definitions')
      .values({ hash, name: storable(server.name), source: storable(source), kept_at: now })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ kept_at: now }))
      .execute();
  }
}

/** Sorted, so that two processes that write the same parts wait for each other instead of blocking each other. */
async function writeBlobs(db: Database, blobs: readonly Blob[], now: Date): Promise<void> {
  if (blobs.length === 0) return;
  const byHash = new Map(blobs.map(({ hash, text }) => [hash, text]));
  const hashes = [...byHash.keys()].sort();
  const values = hashes.map((hash) => byHash.get(hash) as string);
  await sql`
    insert into graph_blobs (hash, value, kept_at)
    select hash, value, ${now} from unnest(${hashes}::text[], ${values}::text[]) as parts (hash, value)
    on conflict (hash) do update set kept_at = excluded.kept_at
    where graph_blobs.kept_at < excluded.kept_at - interval '1 hour'
  `.execute(db);
}

async function writeEvents(db: Database, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <Key extends keyof EventRow>(key: Key) => rows.map((row) => row[key]);
  const text = (key: 'node' | 'path') => rows.map((row) => (row[key] === null ? null : storable(row[key])));
  await sql`
    insert into graph_events (run_id, seq, type, node, path, at, data)
    select * from unnest(
      ${column('run')}::text[], ${column('seq')}::integer[], ${column('type')}::text[], ${text('node')}::text[],
      ${text('path')}::text[], ${column('at')}::timestamptz[], ${column('data')}::text[]
    )
    on conflict (run_id, seq) do nothing
  `.execute(db);
}

/** Postgres text has no NUL; names may. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u2400');
}
