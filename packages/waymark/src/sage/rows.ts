import type { Selectable } from 'kysely';
import type {
  Adaptations,
  Application,
  Checkin,
  Concept,
  DemonstrationType,
  Learner,
  LearnerProfile,
  Outcome,
  PassedCheck,
  Proof,
  Session,
  SessionEnd,
  TutorState,
} from './model.ts';
import type { SageTables } from './tables.ts';

type Row<Name extends keyof SageTables> = Selectable<SageTables[Name]>;

export function toLearner(row: Row<'sage_learners'>): Learner {
  return {
    id: row.id,
    userId: row.user_id,
    activeOutcomeId: row.active_outcome_id,
    profile: JSON.parse(row.profile) as LearnerProfile,
    createdAt: row.created_at,
  };
}

export function toOutcome(row: Row<'sage_outcomes'>): Outcome {
  return {
    id: row.id,
    goal: row.goal,
    packId: row.pack_id,
    packOutcomeId: row.pack_outcome_id,
    criteria: JSON.parse(row.criteria) as string[],
    status: row.status,
    createdAt: row.created_at,
    achievedAt: row.achieved_at,
    workedOnAt: row.worked_on_at,
  };
}

export function toConcept(row: Row<'sage_concepts'>): Concept {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    summary: row.summary,
    packId: row.pack_id,
    status: row.status,
    discoveredFrom: row.discovered_from,
    timesDiscussed: row.times_discussed,
    passed: JSON.parse(row.passed) as PassedCheck[],
    discoveredAt: row.discovered_at,
    understoodAt: row.understood_at,
  };
}

export function toSession(row: Row<'sage_sessions'>): Session {
  return {
    id: row.id,
    outcomeId: row.outcome_id,
    goal: row.goal,
    checkinToken: row.checkin_token,
    checkins: JSON.parse(row.checkins) as Checkin[],
    adaptations: JSON.parse(row.adaptations) as Adaptations,
    mode: row.mode,
    state: JSON.parse(row.state) as TutorState,
    turns: row.turns,
    startedAt: row.started_at,
    lastTurnAt: row.last_turn_at,
    activeMs: row.active_ms,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    summary: row.summary === null ? null : (JSON.parse(row.summary) as SessionEnd),
  };
}

export function toProof(row: Row<'sage_proofs'>): Proof {
  return {
    id: row.id,
    conceptId: row.concept_id,
    sessionId: row.session_id,
    demonstrationType: row.demonstration_type as DemonstrationType,
    confidence: row.confidence,
    evidence: JSON.parse(row.evidence) as PassedCheck[],
    engine: row.engine,
    card: row.card,
    dueAt: row.due_at,
    earnedAt: row.earned_at,
  };
}

export function toApplication(row: Row<'sage_applications'>): Application {
  return {
    id: row.id,
    outcomeId: row.outcome_id,
    sessionId: row.session_id,
    conceptIds: JSON.parse(row.concept_ids) as string[],
    context: row.context,
    plannedDate: row.planned_date,
    status: row.status,
    result: row.result as Application['result'],
    notes: row.notes,
    createdAt: row.created_at,
    followedUpAt: row.followed_up_at,
  };
}
