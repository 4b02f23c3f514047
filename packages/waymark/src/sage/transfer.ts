import { sql } from 'kysely';
import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { type Circumstances, type IdKind, newId } from './circumstances.ts';
import { columnsOf, type LearnerFile, learnerFileSchema, type TableName, tableNames } from './learner-file.ts';
import { openLearner } from './learner-store.ts';
import { type Database, databaseOf, inTransaction } from './tables.ts';

/** Everything a learner has, in one document. */
export async function exportLearner(store: Store, circumstances: Circumstances): Promise<LearnerFile> {
  const db = databaseOf(store);
  const { learner } = await openLearner(db, circumstances);
  const tables: Record<string, unknown[]> = {};
  for (const name of tableNames) tables[name] = await rowsOf(db, name, circumstances.userId);
  return learnerFileSchema.parse({
    format: 'waymark-learner/1',
    exportedAt: circumstances.now.toISOString(),
    profile: JSON.stringify(learner.profile),
    activeOutcomeId: learner.activeOutcomeId,
    tables,
  });
}

async function rowsOf(db: Database, name: TableName, userId: string): Promise<unknown[]> {
  const columns = columnsOf(name);
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(`sage_${name}`)}
    where user_id = ${userId} order by ${sql.join(columns.slice(0, 2).map((column) => sql.ref(column)))}
  `.execute(db);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, value instanceof Date ? value.toISOString() : value]),
    ),
  );
}

export interface LearnerImport {
  readonly outcomes: number;
  readonly concepts: number;
  readonly proofs: number;
  readonly sessions: number;
}

const idPattern = /\b(sess|out|con|proof|prac|app|rev)_[a-z2-7]{20}\b/g;

/** Reads such a document back, for whoever asks. Ids are new, so that it also works beside the original. */
export async function importLearner(
  store: Store,
  circumstances: Circumstances,
  text: string,
  options: { readonly replace: boolean },
): Promise<LearnerImport> {
  const file = readLearnerFile(withNewIds(text, circumstances));
  return inTransaction(store, async (db) => {
    await openLearner(db, circumstances);
    await makeRoom(db, circumstances.userId, options.replace);
    for (const name of tableNames) await insertRows(db, name, file.tables[name], circumstances);
    await db
      .updateTable('sage_learners')
      .set({ profile: file.profile, active_outcome_id: file.activeOutcomeId })
      .where('user_id', '=', circumstances.userId)
      .execute();
    const { outcomes, concepts, proofs, sessions } = file.tables;
    return { outcomes: outcomes.length, concepts: concepts.length, proofs: proofs.length, sessions: sessions.length };
  });
}

function withNewIds(text: string, circumstances: Circumstances): string {
  const ids = new Map<string, string>();
  return text.replaceAll(idPattern, (old, kind: IdKind) => {
    const fresh = ids.get(old) ?? newId(kind, circumstances);
    ids.set(old, fresh);
    return fresh;
  });
}

function readLearnerFile(text: string): LearnerFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ToolError('INVALID_ARGUMENT', 'Not a learner file: it is not JSON');
  }
  const parsed = learnerFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError('INVALID_ARGUMENT', `Not a learner file: ${issue?.path.map(String).join('.')} ${issue?.message}`);
}

async function makeRoom(db: Database, userId: string, replace: boolean): Promise<void> {
  const present = await sql<{ found: boolean }>`
    select exists (select 1 from sage_sessions where user_id = ${userId} and turns > 0)
      or exists (select 1 from sage_concepts where user_id = ${userId}) as found
  `.execute(db);
  if (present.rows[0]?.found && !replace) {
    throw new ToolError('CONFLICT', 'There is learning data already; say that it is to be replaced');
  }
  for (const name of tableNames.toReversed()) {
    await sql`delete from ${sql.table(`sage_${name}`)} where user_id = ${userId}`.execute(db);
  }
}

const batch = 200;

async function insertRows(
  db: Database,
  name: TableName,
  rows: readonly Record<string, unknown>[],
  circumstances: Circumstances,
): Promise<void> {
  const token = name === 'sessions' ? ['checkin_token'] : [];
  const columns = [...columnsOf(name), 'user_id', ...token];
  for (let from = 0; from < rows.length; from += batch) {
    const values = rows.slice(from, from + batch).map((row) => {
      const full: Record<string, unknown> = { ...row, user_id: circumstances.userId };
      if (token.length > 0) full['checkin_token'] = circumstances.randomId();
      return sql`(${sql.join(columns.map((column) => full[column]))})`;
    });
    await sql`
      insert into ${sql.table(`sage_${name}`)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}
    `.execute(db);
  }
}
