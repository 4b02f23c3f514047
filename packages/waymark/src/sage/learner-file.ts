import { z } from 'zod';

const id = z.string().regex(/^[a-z]+_[a-z2-7]{20}$/);
const time = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const json = z.string();

const tables = {
  outcomes: z.strictObject({
    id,
    goal: z.string(),
    pack_id: z.string().nullable(),
    pack_outcome_id: z.string().nullable(),
    criteria: json,
    status: z.enum(['active', 'achieved', 'paused', 'abandoned']),
    created_at: time,
    achieved_at: time.nullable(),
    worked_on_at: time,
  }),
  concepts: z.strictObject({
    id,
    name: z.string(),
    display_name: z.string(),
    summary: z.string(),
    pack_id: z.string().nullable(),
    status: z.enum(['identified', 'teaching', 'understood']),
    discovered_from: z.string().nullable(),
    times_discussed: count,
    passed: json,
    discovered_at: time,
    understood_at: time.nullable(),
  }),
  edges: z.strictObject({
    from_id: id,
    to_id: id,
    type: z.enum(['requires', 'relates_to', 'demonstrated_by', 'explored_in', 'builds_on', 'applied_in']),
    metadata: json,
  }),
  sessions: z.strictObject({
    id,
    outcome_id: id.nullable(),
    goal: z.string().nullable(),
    checkins: json,
    adaptations: json,
    mode: z.string(),
    state: json,
    turns: count,
    started_at: time,
    last_turn_at: time.nullable(),
    active_ms: count,
    ended_at: time.nullable(),
    end_reason: z.string().nullable(),
    summary: json.nullable(),
  }),
  turns: z.strictObject({
    session_id: id,
    seq: z.int().min(1),
    message: z.string(),
    result: json,
    mode: z.string(),
    engine: z.string(),
    at: time,
  }),
  proofs: z.strictObject({
    id,
    concept_id: id,
    session_id: id.nullable(),
    demonstration_type: z.enum(['explanation', 'application', 'both']),
    confidence: z.number().min(0).max(1),
    evidence: json,
    engine: z.string(),
    card: json,
    due_at: time,
    earned_at: time,
  }),
  reviews: z.strictObject({ id, proof_id: id, rating: z.enum(['again', 'hard', 'good']), at: time }),
  applications: z.strictObject({
    id,
    outcome_id: id.nullable(),
    session_id: id.nullable(),
    concept_ids: json,
    context: z.string(),
    planned_date: z.iso.date().nullable(),
    status: z.enum(['upcoming', 'pending_followup', 'completed', 'skipped']),
    result: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: time,
    followed_up_at: time.nullable(),
  }),
  practices: z.strictObject({
    id,
    session_id: id.nullable(),
    outcome_id: id.nullable(),
    pack_id: z.string().nullable(),
    scenario_id: z.string().nullable(),
    custom: json.nullable(),
    state: json,
    turns: count,
    engine: z.string(),
    started_at: time,
    ended_at: time.nullable(),
    feedback: json.nullable(),
  }),
  practice_turns: z.strictObject({
    practice_id: id,
    seq: z.int().min(1),
    message: z.string(),
    reply: z.string(),
    moves: json,
    at: time,
  }),
} as const;

export type TableName = keyof typeof tables;

/** In the order in which rows may refer to each other. */
export const tableNames = Object.keys(tables) as TableName[];

export function columnsOf(table: TableName): string[] {
  return Object.keys(tables[table].shape);
}

/** Everything a learner has, as it is exported. JSON inside is text, as it is stored. */
export const learnerFileSchema = z.strictObject({
  format: z.literal('waymark-learner/1'),
  exportedAt: time,
  profile: json,
  activeOutcomeId: id.nullable(),
  tables: z.strictObject({
    outcomes: z.array(tables.outcomes),
    concepts: z.array(tables.concepts),
    edges: z.array(tables.edges),
    sessions: z.array(tables.sessions),
    turns: z.array(tables.turns),
    proofs: z.array(tables.proofs),
    reviews: z.array(tables.reviews),
    applications: z.array(tables.applications),
    practices: z.array(tables.practices),
    practice_turns: z.array(tables.practice_turns),
  }),
});

export type LearnerFile = z.output<typeof learnerFileSchema>;
