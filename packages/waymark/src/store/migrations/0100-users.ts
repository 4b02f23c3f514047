import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id text primary key,
      created_at timestamptz not null default now(),
      time_zone text
    )
  `.execute(db);
  await sql`insert into users (id) values ('local')`.execute(db);
}
