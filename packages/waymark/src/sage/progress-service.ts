import { sql } from 'kysely';
import type { Store } from '../store/index.ts';
import type { Circumstances } from './circumstances.ts';
import { dueProofs, openLearner, pendingApplications, requiredConcepts } from './learner-store.ts';
import { localDay, outcomeProgress, streakDays } from './progress.ts';
import { toApplication, toConcept, toOutcome, toProof } from './rows.ts';
import { type Database, databaseOf } from './tables.ts';

export interface Progress {
  readonly structured: {
    readonly activeOutcome: {
      readonly id: string;
      readonly description: string;
      readonly progress: number;
      readonly conceptsRequired: number;
      readonly conceptsProven: number;
    } | null;
    readonly stats: {
      readonly totalSessions: number;
      readonly totalProofs: number;
      readonly totalConcepts: number;
      readonly streakDays: number;
    };
    readonly recentProofs: readonly { readonly concept: string; readonly earnedAt: string }[];
  };
  readonly fullState: Readonly<Record<string, unknown>>;
}

/** Lists in the full state are cut here; the export has everything. */
const most = 200;

export async function readProgress(store: Store, circumstances: Circumstances): Promise<Progress> {
  const db = databaseOf(store);
  const { userId, now } = circumstances;
  const { learner, zone } = await openLearner(db, circumstances);
  const outcomes = (
    await db.selectFrom('sage_outcomes').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
  ).map(toOutcome);
  const concepts = (
    await db
      .selectFrom('sage_concepts')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('discovered_at', 'desc')
      .limit(most)
      .execute()
  ).map(toConcept);
  const proofRows = await db
    .selectFrom('sage_proofs')
    .innerJoin('sage_concepts', 'sage_concepts.id', 'sage_proofs.concept_id')
    .selectAll('sage_proofs')
    .select(['sage_concepts.display_name', 'sage_concepts.name'])
    .where('sage_proofs.user_id', '=', userId)
    .orderBy('sage_proofs.earned_at', 'desc')
    .limit(most)
    .execute();
  const {
    rows: [counts],
  } = await sql<{ sessions: number; proofs: number; concepts: number }>`
    select (select count(*) from sage_sessions where user_id = ${userId} and turns > 0) as sessions,
      (select count(*) from sage_proofs where user_id = ${userId}) as proofs,
      (select count(*) from sage_concepts where user_id = ${userId}) as concepts
  `.execute(db);
  const today = localDay(now, zone);
  const active = outcomes.find(({ id }) => id === learner.activeOutcomeId);
  const required = active ? await requiredConcepts(db, userId, active.id) : [];
  const pending = await pendingApplications(db, userId, today);
  const upcoming = await db
    .selectFrom('sage_applications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'upcoming')
    .orderBy('planned_date')
    .limit(20)
    .execute();
  const due = await dueProofs(db, userId, now);
  return {
    structured: {
      activeOutcome: active
        ? {
            id: active.id,
            description: active.goal,
            progress: outcomeProgress(required, active.status === 'achieved'),
            conceptsRequired: required.length,
            conceptsProven: required.filter(({ status }) => status === 'understood').length,
          }
        : null,
      stats: {
        totalSessions: counts?.sessions ?? 0,
        totalProofs: counts?.proofs ?? 0,
        totalConcepts: counts?.concepts ?? 0,
        streakDays: streakDays(await activeDays(db, userId, zone), today),
      },
      recentProofs: proofRows
        .slice(0, 5)
        .map((row) => ({ concept: row.display_name, earnedAt: localDay(row.earned_at, zone) })),
    },
    fullState: {
      learner: {
        id: learner.id,
        profile: learner.profile,
        timeZone: zone,
        createdAt: learner.createdAt.toISOString(),
        activeOutcomeId: learner.activeOutcomeId,
      },
      outcomes: outcomes.map(({ id, goal, criteria, status, packId, createdAt, achievedAt }) => ({
        id,
        description: goal,
        criteria,
        status,
        pack: packId,
        createdAt: createdAt.toISOString(),
        achievedAt: achievedAt?.toISOString() ?? null,
        // In teaching order.
        ...(id === active?.id ? { requires: required.map((concept) => concept.id) } : {}),
      })),
      concepts: concepts.map(
        ({ id, name, displayName, summary, status, timesDiscussed, discoveredAt, understoodAt }) => ({
          id,
          name,
          displayName,
          summary,
          status,
          timesDiscussed,
          required: required.some((concept) => concept.id === id),
          discoveredAt: discoveredAt.toISOString(),
          understoodAt: understoodAt?.toISOString() ?? null,
        }),
      ),
      proofs: proofRows.map((row) => {
        const { id, demonstrationType, confidence, evidence, engine, earnedAt, dueAt } = toProof(row);
        return {
          id,
          concept: row.name,
          displayName: row.display_name,
          demonstrationType,
          confidence,
          evidence,
          engine,
          earnedAt: earnedAt.toISOString(),
          reviewDueAt: dueAt.toISOString(),
        };
      }),
      pendingFollowups: pending.map(showApplication),
      upcomingApplications: upcoming.map(toApplication).map(showApplication),
      dueReviews: due.map(({ concept, proof }) => ({
        concept: concept.name,
        displayName: concept.displayName,
        dueAt: proof.dueAt.toISOString(),
      })),
    },
  };
}

function showApplication({ id, context, plannedDate, status }: ReturnType<typeof toApplication>) {
  return { id, context, plannedDate, status };
}

/** Days on which the learner did something: a turn, a finished practice, a review. */
async function activeDays(db: Database, userId: string, zone: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct (at at time zone ${zone})::date as day from (
      select at from sage_turns where user_id = ${userId}
      union all select ended_at from sage_practices where user_id = ${userId} and ended_at is not null
      union all select at from sage_reviews where user_id = ${userId}
    ) as activity (at)
  `.execute(db);
  return rows.map(({ day }) => day);
}
