import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sop_sources (
      hash text primary key,
      source text not null
    )
  `.execute(db);
  await sql`
    create table sop_conversations (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      started_at timestamptz not null,
      last_used_at timestamptz not null
    )
  `.execute(db);
  await sql`create index sop_conversations_by_user on sop_conversations (user_id, last_used_at desc)`.execute(db);
  await sql`
    create table sop_records (
      conversation_id text not null references sop_conversations (id) on delete cascade,
      seq integer not null,
      record jsonb not null,
      primary key (conversation_id, seq)
    )
  `.execute(db);
}
