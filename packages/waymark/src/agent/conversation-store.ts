import type { Store } from '../store/index.ts';
import type { Item } from './loop.ts';
import { type CallRecord, type Dialog, emptyDialog, type HeldCall } from './model.ts';

/** Calls that wait for the person's yes, and the run to take up again then. */
export interface Held {
  readonly calls: readonly HeldCall[];
  readonly state: string;
  readonly question: string;
  /** How often it was asked. */
  readonly asked: number;
}

export interface ClaimedConversation {
  readonly id: string;
  readonly lease: string;
  readonly dialog: Dialog;
  readonly held: Held | undefined;
  readonly turns: number;
  readonly timeZone: string | undefined;
}

export interface FinishedTurn {
  readonly message: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  readonly items: readonly Item[];
  readonly model: string;
  readonly at: Date;
  readonly durationMs: number;
  readonly dialog: Dialog;
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

/** How long a turn holds its conversation unless it renews; a killed process frees it after this. */
export const leaseSeconds = 10;

/** Conversations in the database. One turn at a time holds a conversation, whichever process it runs in. */
export class ConversationStore {
  readonly #store: () => Promise<Store>;

  constructor(store: () => Promise<Store>) {
    this.#store = store;
  }

  /** Takes hold of a conversation, making it first if need be. Undefined while another turn holds it. */
  async claim(
    user: string,
    id: string,
    agent: string,
    lease: string,
    now: Date,
  ): Promise<ClaimedConversation | undefined> {
    const { pool } = await this.#store();
    const { rows } = await pool.query<ClaimRow>(
      `insert into agent_conversations as c (user_id, id, agent, lease, lease_until, created_at, updated_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => ${leaseSeconds}), $5, $5)
       on conflict (user_id, id) do update set lease = excluded.lease, lease_until = excluded.lease_until
         where c.lease is null or c.lease_until < now()
       returning dialog, held, turns, (select time_zone from users where users.id = c.user_id) as time_zone`,
      [user, id, agent, lease, now],
    );
    const [row] = rows;
    if (!row) return undefined;
    return {
      id,
      lease,
      dialog: { ...emptyDialog, ...(JSON.parse(row.dialog) as Partial<Dialog>) },
      held: row.held === null ? undefined : (JSON.parse(row.held) as Held),
      turns: row.turns,
      timeZone: row.time_zone ?? undefined,
    };
  }

  async renew(user: string, id: string, lease: string): Promise<void> {
    const { pool } = await this.#store();
    await pool.query(
      `update agent_conversations set lease_until = now() + make_interval(secs => ${leaseSeconds})
       where user_id = $1 and id = $2 and lease = $3`,
      [user, id, lease],
    );
  }

  async release(user: string, id: string, lease: string): Promise<void> {
    const { pool } = await this.#store();
    await pool.query(
      'update agent_conversations set lease = null, lease_until = null where user_id = $1 and id = $2 and lease = $3',
      [user, id, lease],
    );
  }

  /** Writes the turn and lets go. False when the hold had run out and somebody else has taken it. */
  async finish(user: string, { id, lease }: ClaimedConversation, turn: FinishedTurn): Promise<boolean> {
    const { pool } = await this.#store();
    const { rowCount } = await pool.query(
      `with held as (
         update agent_conversations set dialog = $4, held = $5, turns = turns + 1, updated_at = $6,
           title = coalesce(title, $7), lease = null, lease_until = null
         where user_id = $1 and id = $2 and lease = $3
         returning turns
       )
       insert into agent_turns (user_id, conversation_id, seq, message, reply, calls, items, model, at, duration_ms)
       select $1, $2, held.turns, $8, $9, $10, $11, $12, $6, $13 from held`,
      [
        user,
        id,
        lease,
        JSON.stringify(turn.dialog),
        turn.held ? JSON.stringify(turn.held) : null,
        turn.at,
        turn.message.slice(0, 80),
        withoutNul(turn.message),
        withoutNul(turn.reply),
        JSON.stringify(turn.calls),
        JSON.stringify(turn.items),
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

interface ClaimRow {
  readonly dialog: string;
  readonly held: string | null;
  readonly turns: number;
  readonly time_zone: string | null;
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
