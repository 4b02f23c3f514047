import { type Kysely, sql } from 'kysely';

/**
 * Conversations with agents. A conversation id is chosen by the caller, so it is only unique for
 * its user. JSON is kept as text: it is only ever read whole.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_conversations (
      user_id text not null references users (id) on delete cascade,
      id text not null,
      agent text not null,
      title text,
      dialog text not null default '{}',
      held text,
      turns integer not null default 0,
      lease text,
      lease_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (user_id, id)
    )
  `.execute(db);
  await sql`create index agent_conversations_recent on agent_conversations (user_id, updated_at desc, id)`.execute(db);
  await sql`
    create table agent_turns (
      user_id text not null,
      conversation_id text not null,
      seq integer not null,
      message text not null,
      reply text not null,
      calls text not null,
      items text not null,
      model text not null,
      at timestamptz not null,
      duration_ms integer not null,
      primary key (user_id, conversation_id, seq),
      foreign key (user_id, conversation_id) references agent_conversations (user_id, id) on delete cascade
    )
  `.execute(db);
}
