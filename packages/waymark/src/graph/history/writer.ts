import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import type { Recorder, RunEnded, RunEvent } from '../events.ts';
import type { GraphDocument } from '../model.ts';
import { type EventRow, toRow } from './event-rows.ts';
import type { BegunRun } from './history.ts';
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

interface Beginning {
  readonly row: GraphTables['graph_runs'];
  readonly blobs: readonly Blob[];
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
  /** Apart from the events, so that a run that begins waits for nobody else's history. */
  readonly #beginnings: WriteBehind<Beginning>;
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
    const db = store.db.withTables<GraphTables>();
    this.#beginnings = new WriteBehind({
      log: options.log,
      async write(batch) {
        await writeBlobs(
          db,
          batch.flatMap(({ blobs }) => blobs),
          options.clock(),
        );
        await writeRuns(
          db,
          batch.map(({ row }) => row),
        );
      },
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
        this.#behind.add({ run, event, document });
      },
      flush: () => this.#behind.flush(),
    };
  }

  /** Resolves when the run is listed. */
  begin({ document, input, ...begun }: BegunRun): Promise<void> {
    const packer = new Packer();
    this.#packers.set(begun.run, packer);
    const packed = packer.pack(input);
    const row = this.#newRow(begun, document, packed.text, 'inline', this.#clock());
    this.#beginnings.add({ row, blobs: packed.blobs });
    return this.#beginnings.flush();
  }

  flush(): Promise<void> {
    return this.#behind.flush();
  }

  async #write(db: Database, batch: readonly Item[]): Promise<void> {
    const prepared = batch.map((item) => (item.prepared ??= this.#prepare(item)));
    const now = this.#clock();
    await writeDefinitions(db, batch, now);
    await writeRuns(
      db,
      prepared.flatMap(({ run }) => (run ? [run] : [])),
    );
    await writeBlobs(
      db,
      prepared.flatMap(({ blobs }) => blobs),
      now,
    );
    await writeEvents(
      db,
      prepared.flatMap(({ row }) => (row ? [row] : [])),
    );
    for (const { change } of prepared) {
      if (change) await db.updateTable('graph_runs').set(change.set).where('id', '=', change.run).execute();
    }
    for (const { run, event } of batch) if (event.type === 'run-ended') this.#packers.delete(run);
  }

  #prepare({ run, event, document }: Item): Prepared {
    const isKnown = this.#packers.has(run);
    const packer = this.#packers.get(run) ?? new Packer();
    this.#packers.set(run, packer);
    const { row, blobs } = toRow(run, event, packer);
    switch (event.type) {
      case 'run-started': {
        if (isKnown) return { row, blobs };
        const input = packer.pack(event.input);
        const started = this.#newRow(event, document, input.text, event.mode, new Date(event.at));
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

  #newRow(
    begun: Pick<BegunRun, 'run' | 'tool' | 'user' | 'forkedFrom'>,
    document: GraphDocument,
    input: string,
    mode: string,
    at: Date,
  ): GraphTables['graph_runs'] {
    return {
      id: begun.run,
      user_id: begun.user,
      graph: storable(document.server.name),
      tool: storable(begun.tool),
      graph_hash: document.hash,
      mode,
      status: 'running',
      process: this.#process,
      input,
      result: null,
      error: null,
      forked_from: begun.forkedFrom?.run ?? null,
      fork_seq: begun.forkedFrom?.seq ?? null,
      node_executions: 0,
      started_at: at,
      ended_at: null,
      duration_us: null,
    };
  }
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

async function writeRuns(db: Kysely<GraphTables>, rows: readonly GraphTables['graph_runs'][]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('graph_runs')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
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
async function writeBlobs(db: Kysely<GraphTables>, blobs: readonly Blob[], now: Date): Promise<void> {
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
