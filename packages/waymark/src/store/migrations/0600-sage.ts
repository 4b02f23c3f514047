import { type Kysely, sql } from 'kysely';

/**
 * What people learn. JSON is kept as text where it is only ever read whole. Ids are random and
 * unique for everybody; each query still names the user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sage_learners (
      user_id text primary key references users (id) on delete cascade,
      id text not null unique,
      profile text not null default '{}',
      active_outcome_id text,
      created_at timestamptz not null
    )
  `.execute(db);
  await sql`
    create table sage_outcomes (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      goal text not null,
      pack_id text,
      pack_outcome_id text,
      criteria text not null default '[]',
      status text not null check (status in ('active', 'achieved', 'paused', 'abandoned')),
      created_at timestamptz not null,
      achieved_at timestamptz,
      worked_on_at timestamptz not null
    )
  `.execute(db);
  await sql`create index sage_outcomes_user on sage_outcomes (user_id, created_at)`.execute(db);
  await sql`
    create table sage_concepts (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      display_name text not null,
      summary text not null,
      pack_id text,
      status text not null check (status in ('identified', 'teaching', 'understood')),
      discovered_from text,
      times_discussed integer not null default 0,
      passed text not null default '[]',
      discovered_at timestamptz not null,
      understood_at timestamptz,
      unique (user_id, name)
    )
  `.execute(db);
  await sql`
    create table sage_edges (
      user_id text not null references users (id) on delete cascade,
      from_id text not null,
      to_id text not null,
      type text not null check (type in ('requires', 'relates_to', 'demonstrated_by', 'explored_in', 'builds_on', 'applied_in')),
      metadata text not null default '{}',
      primary key (user_id, type, from_id, to_id)
    )
  `.execute(db);
  await sql`
    create table sage_sessions (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      outcome_id text,
      goal text,
      checkin_token text not null,
      checkins text not null default '[]',
      adaptations text not null,
      mode text not null,
      state text not null default '{}',
      turns integer not null default 0,
      started_at timestamptz not null,
      last_turn_at timestamptz,
      active_ms bigint not null default 0,
      ended_at timestamptz,
      end_reason text,
      summary text
    )
  `.execute(db);
  await sql`create index sage_sessions_user on sage_sessions (user_id, started_at)`.execute(db);
  await sql`
    create table sage_turns (
      session_id text not null references sage_sessions (id) on delete cascade,
      seq integer not null,
      user_id text not null references users (id) on delete cascade,
      message text not null,
      result text not null,
      mode text not null,
      engine text not null,
      request_key text,
      at timestamptz not null,
      primary key (session_id, seq)
    )
  `.execute(db);
  await sql`create index sage_turns_user on sage_turns (user_id, at)`.execute(db);
  await sql`
    create table sage_proofs (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      concept_id text not null references sage_concepts (id) on delete cascade,
      session_id text,
      demonstration_type text not null,
      confidence double precision not null,
      evidence text not null,
      engine text not null,
      card text not null,
      due_at timestamptz not null,
      earned_at timestamptz not null
    )
  `.execute(db);
  await sql`create index sage_proofs_user on sage_proofs (user_id, earned_at)`.execute(db);
  await sql`
    create table sage_reviews (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      proof_id text not null references sage_proofs (id) on delete cascade,
      rating text not null,
      at timestamptz not null
    )
  `.execute(db);
  await sql`
    create table sage_applications (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      outcome_id text,
      session_id text,
      concept_ids text not null default '[]',
      context text not null,
      planned_date date,
      status text not null check (status in ('upcoming', 'pending_followup', 'completed', 'skipped')),
      result text,
      notes text,
      created_at timestamptz not null,
      followed_up_at timestamptz
    )
  `.execute(db);
  await sql`create index sage_applications_user on sage_applications (user_id, created_at)`.execute(db);
  await sql`
    create table sage_practices (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      session_id text,
      outcome_id text,
      pack_id text,
      scenario_id text,
      custom text,
      state text not null,
      turns integer not null default 0,
      engine text not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      feedback text
    )
  `.execute(db);
  await sql`create index sage_practices_user on sage_practices (user_id, started_at)`.execute(db);
  await sql`
    create table sage_practice_turns (
      practice_id text not null references sage_practices (id) on delete cascade,
      seq integer not null,
      user_id text not null references users (id) on delete cascade,
      message text not null,
      reply text not null,
      moves text not null,
      request_key text,
      at timestamptz not null,
      primary key (practice_id, seq)
    )
  `.execute(db);
}
