import type { Logger } from '../kit/context.ts';
import type { Store } from '../store/store.ts';
import type { ConversationRecord } from './conversation.ts';
import type { ConversationEntry, ConversationLog } from './conversation-log.ts';

interface Waiting {
  readonly id: string;
  readonly seq: number;
  readonly record: ConversationRecord;
}

const channel = 'sop_conversations';
const flushAfterMilliseconds = 50;
const longestQueue = 10_000;

/**
 * Conversations in the store, for servers that share one database. Records are written behind the call
 * that made them, many at once; other processes learn that a conversation has moved on and read it anew.
 */
export function createStoreLog(openStore: () => Promise<Store>, log: Logger, origin: string): ConversationLog {
  const next = new Map<string, number>();
  const changed = new Set<string>();
  let records: Waiting[] = [];
  let sources = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopListening: (() => Promise<void>) | undefined;
  let opened: Promise<Store> | undefined;

  function open(): Promise<Store> {
    opened ??= openStore().then(async (store) => {
      stopListening = await store.listen(channel, (payload) => {
        const message = JSON.parse(payload) as { origin: string; ids: string[] };
        if (message.origin !== origin) for (const id of message.ids) if (next.has(id)) changed.add(id);
      });
      return store;
    });
    return opened;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), flushAfterMilliseconds);
  }

  /** One flush after the other, so that records arrive in order. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    const batch = records;
    const texts = sources;
    records = [];
    sources = new Map();
    if (batch.length === 0 && texts.size === 0) return;
    try {
      const store = await open();
      await writeSources(store, texts);
      const lost = await writeRecords(store, batch);
      for (const id of lost) changed.add(id);
      const ids = [...new Set(batch.map(({ id }) => id))];
      if (ids.length > 0) await store.notify(channel, JSON.stringify({ origin, ids: ids.slice(0, 100) }));
    } catch (error) {
      log.warn('SOP conversations could not be stored; trying again', { error });
      records = [...batch, ...records].slice(-longestQueue);
      for (const [hash, text] of texts) sources.set(hash, text);
      schedule();
    }
  }

  async function readRecords(id: string): Promise<ConversationRecord[] | undefined> {
    await flush();
    const store = await open();
    const { rows } = await store.pool.query<{ record: ConversationRecord }>(
      'select record from sop_records where conversation_id = $1 order by seq',
      [id],
    );
    return rows.length === 0 ? undefined : rows.map((row) => row.record);
  }

  return {
    append(id, record) {
      const seq = record.type === 'started' ? 0 : next.get(id);
      if (seq === undefined) return;
      next.set(id, seq + 1);
      records.push({ id, seq, record });
      schedule();
    },
    changedElsewhere: (id) => changed.has(id),
    read: readRecords,
    async resume(id) {
      const found = await readRecords(id);
      changed.delete(id);
      if (found) next.set(id, found.length);
      return found;
    },
    async list(user) {
      await flush();
      const store = await open();
      const { rows } = await store.pool.query<{ id: string; started_at: Date; last_used_at: Date }>(
        'select id, started_at, last_used_at from sop_conversations where user_id = $1 order by last_used_at desc limit 1000',
        [user],
      );
      return rows.map((row): ConversationEntry => ({
        id: row.id,
        startedAt: new Date(row.started_at).toISOString(),
        lastUsedAt: new Date(row.last_used_at).toISOString(),
      }));
    },
    saveSource(hash, text) {
      sources.set(hash, text);
      schedule();
    },
    async readSource(hash) {
      await flush();
      const store = await open();
      const { rows } = await store.pool.query<{ source: string }>('select source from sop_sources where hash = $1', [
        hash,
      ]);
      return rows[0]?.source;
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
      await stopListening?.();
    },
  };
}

async function writeSources(store: Store, sources: ReadonlyMap<string, string>): Promise<void> {
  if (sources.size === 0) return;
  await store.pool.query(
    'insert into sop_sources (hash, source) select * from unnest($1::text[], $2::text[]) on conflict do nothing',
    [[...sources.keys()], [...sources.values()]],
  );
}

/** Writes all or, where another process was faster, nothing of a conversation; gives back whose records were lost. */
async function writeRecords(store: Store, batch: readonly Waiting[]): Promise<string[]> {
  if (batch.length === 0) return [];
  const started = batch.filter(({ record }) => record.type === 'started');
  const users = started.map(({ record }) => (record.type === 'started' ? record.user : ''));
  const last = new Map(batch.map(({ id, record }) => [id, record.at]));
  return store.transaction(async (transaction) => {
    const { sql } = await import('kysely');
    if (started.length > 0) {
      await sql`
        insert into sop_conversations (id, user_id, started_at, last_used_at)
        select * from unnest(${started.map(({ id }) => id)}::text[], ${users}::text[],
          ${started.map(({ record }) => record.at)}::timestamptz[], ${started.map(({ record }) => record.at)}::timestamptz[])
        on conflict do nothing`.execute(transaction);
    }
    const { rows } = await sql<{ conversation_id: string; seq: number }>`
      insert into sop_records (conversation_id, seq, record)
      select waiting.id, waiting.seq, waiting.record
      from unnest(${batch.map(({ id }) => id)}::text[], ${batch.map(({ seq }) => seq)}::integer[],
        ${batch.map(({ record }) => JSON.stringify(record))}::jsonb[]) as waiting (id, seq, record)
      join sop_conversations on sop_conversations.id = waiting.id
      on conflict do nothing
      returning conversation_id, seq`.execute(transaction);
    await sql`
      update sop_conversations set last_used_at = newer.at
      from unnest(${[...last.keys()]}::text[], ${[...last.values()]}::timestamptz[]) as newer (id, at)
      where sop_conversations.id = newer.id`.execute(transaction);
    const written = new Set(rows.map((row) => `${row.conversation_id}/${row.seq}`));
    return batch.filter(({ id, seq }) => !written.has(`${id}/${seq}`)).map(({ id }) => id);
  });
}

/** Files first, because they are safe at once; the store for everyone else. */
export function createSharedLog(files: ConversationLog, store: ConversationLog): ConversationLog {
  return {
    append(id, record) {
      files.append(id, record);
      store.append(id, record);
    },
    changedElsewhere: (id) => files.changedElsewhere(id) || store.changedElsewhere(id),
    async read(id) {
      const [local, shared] = await Promise.all([files.read(id), store.read(id)]);
      return (shared?.length ?? 0) > (local?.length ?? 0) ? shared : local;
    },
    async resume(id) {
      const [local, shared] = await Promise.all([files.resume(id), store.resume(id)]);
      if (!local || (shared && shared.length > local.length)) {
        for (const record of shared?.slice(local?.length ?? 0) ?? []) files.append(id, record);
        return shared;
      }
      // What a killed process did not get to store.
      for (const record of local.slice(shared?.length ?? 0)) store.append(id, record);
      return local;
    },
    async list(user) {
      const entries = new Map((await files.list(user)).map((entry) => [entry.id, entry]));
      for (const entry of await store.list(user)) entries.set(entry.id, entry);
      return [...entries.values()].toSorted((left, right) => right.lastUsedAt.localeCompare(left.lastUsedAt));
    },
    saveSource(hash, text) {
      files.saveSource(hash, text);
      store.saveSource(hash, text);
    },
    readSource: async (hash) => (await files.readSource(hash)) ?? store.readSource(hash),
    flush: () => store.flush(),
    async close() {
      await store.close();
      await files.close();
    },
  };
}
