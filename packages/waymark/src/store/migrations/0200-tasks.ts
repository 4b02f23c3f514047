import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Room between neighbours, so that a task can be put between two others.
  await sql`create sequence task_positions increment by 1048576`.execute(db);
  await sql`
    create table tasks (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      title text not null,
      description text,
      due_date text,
      due_on date,
      due_at timestamptz,
      priority text not null check (priority in ('low', 'medium', 'high')),
      completed boolean not null default false,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      version integer not null default 1,
      position bigint not null default nextval('task_positions'),
      labels text[] not null default '{}',
      recurrence text,
      search_text text not null,
      search_grams integer[] not null,
      check (completed = (completed_at is not null)),
      check ((due_date is null) = (due_on is null and due_at is null))
    )
  `.execute(db);
  await sql`alter sequence task_positions owned by tasks.position`.execute(db);
  await sql`create index tasks_in_order on tasks (user_id, completed, position, id)`.execute(db);
  await sql`create index tasks_by_priority on tasks (user_id, priority, completed, position, id)`.execute(db);
  await sql`create index tasks_due_on on tasks (user_id, due_on) where due_on is not null`.execute(db);
  await sql`create index tasks_due_at on tasks (user_id, due_at) where due_at is not null`.execute(db);
  // A short pending list keeps a search from reading megabytes of rows not yet indexed.
  await sql`
    create index tasks_search on tasks using gin (search_grams) with (gin_pending_list_limit = 256)
  `.execute(db);

  await sql`
    create table task_changes (
      id bigint generated always as identity primary key,
      user_id text not null references users (id) on delete cascade,
      batch text not null,
      task_id text not null,
      kind text not null check (kind in ('added', 'updated', 'deleted')),
      before jsonb,
      version integer not null,
      made_at timestamptz not null
    )
  `.execute(db);
  await sql`create index task_changes_by_user on task_changes (user_id, id)`.execute(db);
  await sql`create index task_changes_by_task on task_changes (task_id)`.execute(db);
}
