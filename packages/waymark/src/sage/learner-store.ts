import { sql } from 'kysely';
import { isTimeZone } from '../dates/index.ts';
import { type Circumstances, newId } from './circumstances.ts';
import type { Application, Concept, Learner, Outcome, Proof } from './model.ts';
import { toApplication, toConcept, toLearner, toOutcome, toProof } from './rows.ts';
import type { Database } from './tables.ts';

export interface KnownLearner {
  readonly learner: Learner;
  readonly zone: string;
}

/** The learner behind a user, made on first sight. */
export async function openLearner(db: Database, circumstances: Circumstances): Promise<KnownLearner> {
  const known = await findLearner(db, circumstances);
  if (known) return known;
  const { userId, now } = circumstances;
  await db
    .insertInto('users')
    .values({ id: userId, time_zone: null })
    .onConflict((oc) => oc.doNothing())
    .execute();
  await db
    .insertInto('sage_learners')
    .values({
      user_id: userId,
      id: newId('learner', circumstances),
      profile: '{}',
      active_outcome_id: null,
      created_at: now,
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const made = await findLearner(db, circumstances);
  if (!made) throw new Error('a learner just made is gone');
  return made;
}

export async function findLearner(
  db: Database,
  { userId, clientZone }: Circumstances,
): Promise<KnownLearner | undefined> {
  const row = await db
    .selectFrom('sage_learners')
    .innerJoin('users', 'users.id', 'sage_learners.user_id')
    .selectAll('sage_learners')
    .select('users.time_zone')
    .where('sage_learners.user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return undefined;
  const learner = toLearner(row);
  const zones = [row.time_zone, learner.profile.timeZone, clientZone];
  return { learner, zone: zones.find((zone): zone is string => typeof zone === 'string' && isTimeZone(zone)) ?? 'UTC' };
}

export async function findOutcome(db: Database, userId: string, id: string): Promise<Outcome | undefined> {
  const row = await db
    .selectFrom('sage_outcomes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toOutcome(row);
}

/** The concepts an outcome requires, in the order they were found. */
export async function requiredConcepts(db: Database, userId: string, outcomeId: string): Promise<Concept[]> {
  const rows = await db
    .selectFrom('sage_edges')
    .innerJoin('sage_concepts', 'sage_concepts.id', 'sage_edges.to_id')
    .selectAll('sage_concepts')
    .where('sage_edges.user_id', '=', userId)
    .where('sage_edges.type', '=', 'requires')
    .where('sage_edges.from_id', '=', outcomeId)
    .orderBy('sage_concepts.discovered_at')
    .orderBy('sage_concepts.id')
    .execute();
  return rows.map(toConcept);
}

/** The learner's concepts among these names, which are those of packs. */
export async function conceptsByName(db: Database, userId: string, names: readonly string[]): Promise<Concept[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('sage_concepts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', sql<string>`any(${names as string[]})`)
    .execute();
  return rows.map(toConcept);
}

/** Applications whose day has come and that nobody has asked about. */
export async function pendingApplications(db: Database, userId: string, today: string): Promise<Application[]> {
  const rows = await db
    .selectFrom('sage_applications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', 'in', ['upcoming', 'pending_followup'])
    .where((where) => where.or([where('planned_date', '<', today), where('status', '=', 'pending_followup')]))
    .orderBy('planned_date')
    .limit(5)
    .execute();
  return rows.map(toApplication);
}

export async function upcomingApplications(db: Database, userId: string, today: string): Promise<Application[]> {
  const rows = await db
    .selectFrom('sage_applications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'upcoming')
    .where('planned_date', '>=', today)
    .orderBy('planned_date')
    .limit(5)
    .execute();
  return rows.map(toApplication);
}

/** Proofs due for review: the latest of each concept that is still held to be understood. */
export async function dueProofs(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ proof: Proof; concept: Concept }[]> {
  const rows = await db
    .selectFrom('sage_proofs')
    .innerJoin('sage_concepts', 'sage_concepts.id', 'sage_proofs.concept_id')
    .selectAll('sage_proofs')
    .select(['sage_concepts.name'])
    .where('sage_proofs.user_id', '=', userId)
    .where('sage_proofs.due_at', '<=', now)
    .where('sage_concepts.status', '=', 'understood')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('sage_proofs as later')
            .select('later.id')
            .whereRef('later.concept_id', '=', 'sage_proofs.concept_id')
            .whereRef('later.earned_at', '>', 'sage_proofs.earned_at'),
        ),
      ),
    )
    .orderBy('sage_proofs.due_at')
    .limit(10)
    .execute();
  const concepts = new Map(
    (
      await conceptsByName(
        db,
        userId,
        rows.map(({ name }) => name),
      )
    ).map((item) => [item.id, item]),
  );
  return rows.flatMap((row) => {
    const concept = concepts.get(row.concept_id);
    return concept ? [{ proof: toProof(row), concept }] : [];
  });
}
