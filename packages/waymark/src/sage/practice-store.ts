import { ToolError } from '../kit/index.ts';
import type { Circumstances } from './circumstances.ts';
import { buildCustomScenario, type CustomScenario } from './custom-scenario.ts';
import type { PackLibrary } from './pack-library.ts';
import type { Scenario } from './pack-model.ts';
import type { Synonyms } from './pattern.ts';
import { type Feedback, hintFor, type PracticeState, type PracticeStep } from './practice-engine.ts';
import type { Database } from './tables.ts';

export interface OpenPractice {
  readonly id: string;
  readonly outcomeId: string | null;
  readonly scenario: Scenario;
  readonly synonyms: Synonyms;
  readonly custom: boolean;
  readonly state: PracticeState;
  readonly turns: number;
  readonly ended: boolean;
  readonly feedback: FullFeedback | null;
}

export interface FullFeedback extends Feedback {
  readonly turns: number;
  readonly hintsUsed: number;
  readonly notAssessed: string | null;
  readonly moves: readonly {
    readonly turn: number;
    readonly move: string;
    readonly good: boolean;
    readonly quote: string;
  }[];
}

export function requireOpen(practice: OpenPractice): OpenPractice {
  if (!practice.ended) return practice;
  throw new ToolError('PRACTICE_ENDED', 'This practice has ended; start a new one with sage_practice_start', {
    practiceSessionId: practice.id,
  });
}

export async function findPractice(
  db: Database,
  library: PackLibrary,
  userId: string,
  id: string,
  options: { readonly lock: boolean } = { lock: true },
): Promise<OpenPractice> {
  const query = db.selectFrom('sage_practices').selectAll().where('user_id', '=', userId).where('id', '=', id);
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new ToolError('PRACTICE_NOT_FOUND', 'Practice session not found', { practiceSessionId: id });
  const known = row.scenario_id ? library.scenario(row.scenario_id) : undefined;
  const scenario = row.custom ? buildCustomScenario(JSON.parse(row.custom) as CustomScenario) : known?.scenario;
  if (!scenario)
    throw new ToolError('SCENARIO_NOT_FOUND', 'The scenario of this practice is no longer installed', {
      scenarioId: row.scenario_id,
    });
  return {
    id,
    outcomeId: row.outcome_id,
    scenario,
    synonyms: known?.pack.synonyms ?? {},
    custom: row.custom !== null,
    state: JSON.parse(row.state) as PracticeState,
    turns: row.turns,
    ended: row.ended_at !== null,
    feedback: row.feedback === null ? null : (JSON.parse(row.feedback) as FullFeedback),
  };
}

export async function repeated(db: Database, practice: OpenPractice, key: string | undefined) {
  if (key === undefined) return undefined;
  const row = await db
    .selectFrom('sage_practice_turns')
    .select(['seq', 'reply'])
    .where('practice_id', '=', practice.id)
    .where('request_key', '=', key)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    reply: row.reply,
    turn: row.seq,
    over: practice.state.over,
    hint: hintFor(practice.scenario, practice.state, row.seq),
  };
}

export async function saveStep(
  db: Database,
  { id }: OpenPractice,
  message: string,
  { reply, state, made }: PracticeStep,
  turn: number,
  circumstances: Circumstances,
): Promise<void> {
  await db
    .insertInto('sage_practice_turns')
    .values({
      practice_id: id,
      seq: turn,
      user_id: circumstances.userId,
      message,
      reply,
      moves: JSON.stringify(made),
      request_key: circumstances.requestKey ?? null,
      at: circumstances.now,
    })
    .execute();
  await db
    .updateTable('sage_practices')
    .set({ state: JSON.stringify(state), turns: turn })
    .where('id', '=', id)
    .execute();
}
