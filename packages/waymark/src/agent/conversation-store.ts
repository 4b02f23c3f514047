import type { Store } from '../store/index.ts';
import type { Item } from './loop.ts';
import type { CallRecord, Dialog, HeldCall } from './model.ts';

/** Calls that wait for the person's yes, and the run to take up again then. */
export interface Held {
  readonly calls: readonly HeldCall[];
  readonly state: string;
  readonly question: string;
  /** How often it was asked. */
  readonly asked: number;
}

export interface OpenConversation<D = Dialog> {
  readonly id: string;
  /** The hold on a conversation in which a destructive call waits; ordinary turns need none. */
  readonly lease: string | undefined;
  readonly dialog: D;
  readonly held: Held | undefined;
  readonly timeZone: string | undefined;
}

export interface FinishedTurn<D = Dialog> {
  readonly message: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  readonly items: readonly Item[];
  readonly model: string;
  readonly at: Date;
  readonly durationMs: number;
  readonly dialog: D;
  readonly held: Held | undefined;
}

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly waiting: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface StoredTurn {
  readonly seq: number;
  readonly message: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  readonly model: string;
  readonly at: string;
  readonly duration_ms: number;
}

/** How long a hold lasts unless it is renewed; a killed process frees a conversation after this. */
export const leaseSeconds = 10;

/**
 * Conversations in the database. Where a destructive call waits for its answer, one turn at a time
 * holds the conversation, whichever process it runs in: no answer is taken twice.
 */
export class ConversationStore {
  readonly #store: () => Promise<Store>;

  constructor(store: () => Promise<Store>) {
    this.#store = store;
  }

  /** Opens a conversation, new or known. Undefined while another turn holds it. */
  async open<D extends object>(
    user: string,
    id: string,
    lease: string,
    empty: D,
  ): Promise<OpenConversation<D> | undefined> {
    const { pool } = await this.#store();
    const { rows } = await pool.query<OpenRow>(
      `select u.time_zone, c.dialog, c.held, c.turns, coalesce(c.lease_until > now(), false) as busy
       from users u left join agent_conversations c on c.user_id = u.id and c.id = $2 where u.id = $1`,
      [user, id],
    );
    const [row] = rows;
    if (!row) await pool.query('insert into users (id) values ($1) on conflict do nothing', [user]);
    if (row?.busy) return undefined;
    const isHeld = typeof row?.held === 'string';
    if (isHeld && !(await this.#take(user, id, lease, row.turns ?? 0))) return undefined;
    return {
      id,
      lease: isHeld ? lease : undefined,
      dialog: { ...empty, ...(JSON.parse(row?.dialog ?? '{}') as Partial<D>) },
      held: isHeld ? (JSON.parse(row.held ?? '') as Held) : undefined,
      timeZone: row?.time_zone ?? undefined,
    };
  }

  async #take(user: string, id: string, lease: string, turns: number): Promise<boolean> {
    const { pool } = await this.#store();
    const { rowCount } = await pool.query(
      `update agent_conversations set lease = $3, lease_until = now() + make_interval(secs => ${leaseSeconds})
       where user_id = $1 and id = $2 and turns = $4 and (lease is null or lease_until < now())`,
      [user, id, lease, turns],
    );
    return rowCount === 1;
  }

  async renew(user: string, { id, lease }: Pick<OpenConversation, 'id' | 'lease'>): Promise<void> {
    if (lease === undefined) return;
    const { pool } = await this.#store();
    await pool.query(
      `update agent_conversations set lease_until = now() + make_interval(secs => ${leaseSeconds})
       where user_id = $1 and id = $2 and lease = $3`,
      [user, id, lease],
    );
  }

  async release(user: string, { id, lease }: Pick<OpenConversation, 'id' | 'lease'>): Promise<void> {
    if (lease === undefined) return;
    const { pool } = await this.#store();
    await pool.query(
      'update agent_conversations set lease = null, lease_until = null where user_id = $1 and id = $2 and lease = $3',
      [user, id, lease],
    );
  }

  /** Writes the turn and lets go. False when the hold had run out and somebody else has taken it. */
  async finish<D>(
    user: string,
    agent: string,
    { id, lease }: Pick<OpenConversation, 'id' | 'lease'>,
    turn: FinishedTurn<D>,
  ): Promise<boolean> {
    const { pool } = await this.#store();
    const { rowCount } = await pool.query(
      `with written as (
         insert into agent_conversations as c (user_id, id, agent, title, dialog, held, turns, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, 1, $7, $7)
         on conflict (user_id, id) do update set dialog = excluded.dialog, held = excluded.held, turns = c.turns + 1,
           title = coalesce(c.title, excluded.title), updated_at = excluded.updated_at, lease = null, lease_until = null
           where $8::text is null or c.lease = $8
         returning turns
       )
       insert into agent_turns (user_id, conversation_id, seq, message, reply, calls, items, model, at, duration_ms)
       select $1, $2, written.turns, $9, $10, $11, $12, $13, $7, $14 from written`,
      [
        user,
        id,
        agent,
        withoutNul(turn.message).slice(0, 80),
        storable(turn.dialog),
        turn.held ? storable(turn.held) : null,
        turn.at,
        lease ?? null,
        withoutNul(turn.message),
        withoutNul(turn.reply),
        storable(turn.calls),
        storable(turn.items),
        turn.model,
        Math.round(turn.durationMs),
      ],
    );
    return rowCount === 1;
  }

  /** What was said, oldest first, as a model reads it: the last turns that fit. */
  async items(user: string, id: string, maxTurns: number): Promise<Item[]> {
    const { pool } = await this.#store();
    const { rows } = await pool.query<{ message: string; reply: string; items: string }>(
      `select message, reply, items from (
         select seq, message, reply, items from agent_turns
         where user_id = $1 and conversation_id = $2 order by seq desc limit $3
       ) recent order by seq`,
      [user, id, maxTurns],
    );
    return rows.flatMap(({ message, reply, items }) => {
      const own = JSON.parse(items) as Item[];
      const answered = own.some((item) => item.kind === 'assistant' && item.text === reply);
      return [
        { kind: 'user' as const, text: message },
        ...own,
        ...(answered ? [] : [{ kind: 'assistant' as const, text: reply }]),
      ];
    });
  }

  async list(user: string, agent: string, limit: number): Promise<ConversationSummary[]> {
    const { pool } = await this.#store();
    const { rows } = await pool.query<SummaryRow>(
      `select id, title, turns, held is not null as waiting, created_at, updated_at from agent_conversations
       where user_id = $1 and agent = $2 and turns > 0 order by updated_at desc, id limit $3`,
      [user, agent, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      title: row.title ?? '',
      turns: row.turns,
      waiting: row.waiting,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }));
  }

  /** The turns of a conversation, oldest first. Undefined when the user has no such conversation. */
  async turns(user: string, id: string): Promise<StoredTurn[] | undefined> {
    const { pool } = await this.#store();
    const known = await pool.query('select 1 from agent_conversations where user_id = $1 and id = $2', [user, id]);
    if (known.rowCount === 0) return undefined;
    const { rows } = await pool.query<TurnRow>(
      `select seq, message, reply, calls, model, at, duration_ms from agent_turns
       where user_id = $1 and conversation_id = $2 order by seq`,
      [user, id],
    );
    return rows.map((row) => ({ ...row, calls: JSON.parse(row.calls) as CallRecord[], at: row.at.toISOString() }));
  }

  async remove(user: string, id: string): Promise<boolean> {
    const { pool } = await this.#store();
    const { rowCount } = await pool.query('delete from agent_conversations where user_id = $1 and id = $2', [user, id]);
    return rowCount === 1;
  }
}

interface OpenRow {
  readonly time_zone: string | null;
  readonly dialog: string | null;
  readonly held: string | null;
  readonly turns: number | null;
  readonly busy: boolean;
}

interface SummaryRow {
  readonly id: string;
  readonly title: string | null;
  readonly turns: number;
  readonly waiting: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface TurnRow {
  readonly seq: number;
  readonly message: string;
  readonly reply: string;
  readonly calls: string;
  readonly model: string;
  readonly at: Date;
  readonly duration_ms: number;
}

/** Database text holds every character but this one. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

function storable(value: unknown): string {
  return withoutNul(JSON.stringify(value));
}
