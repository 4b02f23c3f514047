import { type Kysely, sql } from 'kysely';

/**
 * The history of graph runs. Values are JSON as text, not jsonb: what is replayed must be what was
 * recorded, with its order of keys and characters that jsonb refuses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table graph_definitions (
      hash text primary key,
      name text not null,
      source text not null,
      kept_at timestamptz not null
    )
  `.execute(db);
  await sql`
    create table graph_processes (
      id text primary key,
      host text not null,
      pid integer not null,
      started text not null,
      seen_at timestamptz not null
    )
  `.execute(db);
  await sql`
    create table graph_runs (
      id text primary key,
      user_id text not null,
      graph text not null,
      tool text not null,
      graph_hash text not null,
      mode text not null,
      status text not null,
      process text,
      input text not null,
      result text,
      error text,
      forked_from text,
      fork_seq integer,
      node_executions integer not null default 0,
      started_at timestamptz not null,
      ended_at timestamptz,
      duration_us bigint
    )
  `.execute(db);
  await sql`create index graph_runs_by_time on graph_runs (user_id, started_at desc, id desc)`.execute(db);
  await sql`create index graph_runs_by_status on graph_runs (user_id, status, started_at desc, id desc)`.execute(db);
  await sql`create index graph_runs_by_tool on graph_runs (user_id, graph, tool, started_at desc, id desc)`.execute(db);
  await sql`create index graph_runs_open on graph_runs (process) where status in ('running', 'paused')`.execute(db);
  await sql`create index graph_runs_ended on graph_runs (ended_at)`.execute(db);
  await sql`
    create table graph_events (
      run_id text not null,
      seq integer not null,
      type text not null,
      node text,
      path text,
      at timestamptz not null,
      data text not null,
      primary key (run_id, seq)
    )
  `.execute(db);
  await sql`
    create table graph_blobs (
      hash text primary key,
      value text not null,
      kept_at timestamptz not null
    )
  `.execute(db);
}
