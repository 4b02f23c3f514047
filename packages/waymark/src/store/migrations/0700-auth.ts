import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credentials (
      user_id text primary key references users (id) on delete cascade,
      password_hash text not null,
      failed_attempts integer not null default 0,
      locked_until timestamptz,
      changed_at timestamptz not null default now()
    )
  `.execute(db);
  await sql`
    create table access_tokens (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      hash bytea not null unique,
      scopes text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_at timestamptz
    )
  `.execute(db);
  await sql`create index access_tokens_user on access_tokens (user_id)`.execute(db);
  await sql`
    create table oauth_records (
      kind text not null,
      id text not null,
      payload jsonb not null,
      grant_id text,
      uid text,
      user_id text,
      expires_at timestamptz,
      consumed_at timestamptz,
      primary key (kind, id)
    )
  `.execute(db);
  await sql`create index oauth_records_grant on oauth_records (grant_id)`.execute(db);
  await sql`create index oauth_records_uid on oauth_records (uid)`.execute(db);
  await sql`create index oauth_records_user on oauth_records (user_id)`.execute(db);
  await sql`create index oauth_records_expiry on oauth_records (expires_at)`.execute(db);
  await sql`
    create table signing_keys (
      id text primary key,
      private_key jsonb not null,
      created_at timestamptz not null default now()
    )
  `.execute(db);
  await sql`create table server_secrets (name text primary key, value text not null)`.execute(db);
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      user_id text,
      event text not null,
      client text,
      address text,
      details jsonb not null default '{}'
    )
  `.execute(db);
  await sql`create index audit_log_user on audit_log (user_id, id desc)`.execute(db);
}
