import type { Kysely } from 'kysely';
import type { CoreTables, Store } from '../store/index.ts';
import type { Application, ConceptStatus, EdgeType, Mode, OutcomeStatus } from './model.ts';

/** Columns as they come back; JSON is text. */
export type SageTables = {
  sage_learners: {
    user_id: string;
    id: string;
    profile: string;
    active_outcome_id: string | null;
    created_at: Date;
  };
  sage_outcomes: {
    id: string;
    user_id: string;
    goal: string;
    pack_id: string | null;
    pack_outcome_id: string | null;
    criteria: string;
    status: OutcomeStatus;
    created_at: Date;
    achieved_at: Date | null;
    worked_on_at: Date;
  };
  sage_concepts: {
    id: string;
    user_id: string;
    name: string;
    display_name: string;
    summary: string;
    pack_id: string | null;
    status: ConceptStatus;
    discovered_from: string | null;
    times_discussed: number;
    passed: string;
    discovered_at: Date;
    understood_at: Date | null;
  };
  sage_edges: { user_id: string; from_id: string; to_id: string; type: EdgeType; metadata: string };
  sage_sessions: {
    id: string;
    user_id: string;
    outcome_id: string | null;
    goal: string | null;
    checkin_token: string;
    checkins: string;
    adaptations: string;
    mode: Mode;
    state: string;
    turns: number;
    started_at: Date;
    last_turn_at: Date | null;
    active_ms: number;
    ended_at: Date | null;
    end_reason: string | null;
    summary: string | null;
  };
  sage_turns: {
    session_id: string;
    seq: number;
    user_id: string;
    message: string;
    result: string;
    mode: Mode;
    engine: string;
    request_key: string | null;
    at: Date;
  };
  sage_proofs: {
    id: string;
    user_id: string;
    concept_id: string;
    session_id: string | null;
    demonstration_type: string;
    confidence: number;
    evidence: string;
    engine: string;
    card: string;
    due_at: Date;
    earned_at: Date;
  };
  sage_reviews: { id: string; user_id: string; proof_id: string; rating: string; at: Date };
  sage_applications: {
    id: string;
    user_id: string;
    outcome_id: string | null;
    session_id: string | null;
    concept_ids: string;
    context: string;
    planned_date: string | null;
    status: Application['status'];
    result: string | null;
    notes: string | null;
    created_at: Date;
    followed_up_at: Date | null;
  };
  sage_practices: {
    id: string;
    user_id: string;
    session_id: string | null;
    outcome_id: string | null;
    pack_id: string | null;
    scenario_id: string | null;
    custom: string | null;
    state: string;
    turns: number;
    engine: string;
    started_at: Date;
    ended_at: Date | null;
    feedback: string | null;
  };
  sage_practice_turns: {
    practice_id: string;
    seq: number;
    user_id: string;
    message: string;
    reply: string;
    moves: string;
    request_key: string | null;
    at: Date;
  };
};

/** The store outside a transaction, or the one connection of one. */
export type Database = Kysely<CoreTables & SageTables>;

export function databaseOf(store: Store): Database {
  return store.db.withTables<SageTables>();
}

export function inTransaction<T>(store: Store, run: (db: Database) => Promise<T>): Promise<T> {
  return store.transaction((transaction) => run(transaction.withTables<SageTables>()));
}
