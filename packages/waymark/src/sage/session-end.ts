import { occasionOf } from './applications.ts';
import type { Circumstances } from './circumstances.ts';
import {
  dueProofs,
  findOutcome,
  type KnownLearner,
  pendingApplications,
  requiredConcepts,
  upcomingApplications,
} from './learner-store.ts';
import type { Session, SessionEnd } from './model.ts';
import type { PackLibrary } from './pack-library.ts';
import { activeTime, localDay, modeBreakdown, nextSteps } from './progress.ts';
import { saveEnd, turnModes } from './session-store.ts';
import type { Database } from './tables.ts';
import { inTeachingOrder } from './teaching-order.ts';

export interface EndedSession extends SessionEnd {
  readonly alreadyEnded?: boolean;
}

/** Sums a session up and closes it, inside the caller's transaction. */
export async function endSession(
  db: Database,
  session: Session,
  { learner, zone }: KnownLearner,
  library: PackLibrary,
  circumstances: Circumstances,
  reason: 'ended' | 'superseded',
): Promise<EndedSession> {
  const { userId, now } = circumstances;
  const today = localDay(now, zone);
  const activeMs = session.activeMs + activeTime(session.lastTurnAt ?? session.startedAt, now);
  const explored = await db
    .selectFrom('sage_edges')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('type', '=', 'explored_in')
    .where('to_id', '=', session.id)
    .executeTakeFirstOrThrow();
  const proofs = await db
    .selectFrom('sage_proofs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('session_id', '=', session.id)
    .executeTakeFirstOrThrow();

  const outcomeId = learner.activeOutcomeId ?? session.outcomeId;
  const outcome = outcomeId ? await findOutcome(db, userId, outcomeId) : undefined;
  const required = outcome ? inTeachingOrder(library, outcome, await requiredConcepts(db, userId, outcome.id)) : [];
  const open = required.filter(({ status }) => status !== 'understood');
  const upcoming = await upcomingApplications(db, userId, today);
  const pending = await pendingApplications(db, userId, today);
  const due = await dueProofs(db, userId, now);
  const practice = library.outcome(outcome?.packId ?? null, outcome?.packOutcomeId ?? null)?.practice;
  const focus = required.find(({ name }) => name === session.state.focus) ?? open[0];
  const half = open.find(({ passed }) => passed.length > 0);

  const end: SessionEnd = {
    summary: {
      duration: Math.round(activeMs / 60_000),
      conceptsExplored: explored.count,
      proofsEarned: proofs.count,
      modeBreakdown: modeBreakdown(await turnModes(db, session.id)),
    },
    nextSteps: nextSteps({
      today,
      upcoming: upcoming.map(({ context, plannedDate }) => ({
        occasion: occasionOf(context),
        plannedDate,
        concept: focus?.displayName,
      })),
      pending: pending.map(({ context }) => occasionOf(context)),
      halfProven: half?.displayName,
      dueReviews: due.map(({ concept }) => concept.displayName),
      nextConcept: open.find((concept) => concept !== half)?.displayName,
      goal: outcome?.goal,
      achieved: outcome?.status === 'achieved',
      practice: practice && library.scenario(practice)?.scenario.title,
    }),
  };
  await saveEnd(db, session, end, reason, now, activeMs);
  return end;
}
