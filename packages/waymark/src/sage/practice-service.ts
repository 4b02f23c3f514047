import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { adapt, mergeCheckins } from './adaptation.ts';
import { type Circumstances, newId } from './circumstances.ts';
import { buildCustomScenario, type CustomScenario, notAssessed } from './custom-scenario.ts';
import { GraphWriter } from './graph-store.ts';
import { findOutcome, openLearner } from './learner-store.ts';
import type { Session } from './model.ts';
import type { PackLibrary } from './pack-library.ts';
import type { Scenario } from './pack-model.ts';
import { feedbackOn, freshPractice, hintFor, playTurn } from './practice-engine.ts';
import { speak } from './practice-character.ts';
import {
  findPractice,
  type FullFeedback,
  type OpenPractice,
  repeated,
  requireOpen,
  saveStep,
} from './practice-store.ts';
import type { Generate } from './services.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { openSessions } from './session-store.ts';
import { type Database, databaseOf, inTransaction } from './tables.ts';
import { asNewConcept } from './turn-draft.ts';

export interface PracticeServices {
  readonly store: () => Promise<Store>;
  readonly library: () => Promise<PackLibrary>;
  readonly announce: (userId: string, data: Record<string, unknown>) => void;
  /** A language model that finds the character's words; without it the scenario's own lines are used. */
  readonly generate?: Generate | undefined;
}

export interface PresetScenario {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly sageRole: string;
  readonly userRole: string;
  readonly category: string;
  readonly difficulty: string;
  readonly relatedConcepts: readonly string[];
}

export interface PracticeAnswer {
  readonly reply: string;
  readonly turn: number;
  readonly over: boolean;
  readonly hint: string | undefined;
}

interface Spoken {
  readonly reply: string | undefined;
  /** The turns there were when the words were found. */
  readonly turns: number;
}

const maxRetries = 5;

/** Role plays: from the opening line to feedback. */
export class PracticeService {
  readonly #services: PracticeServices;
  readonly #queue = new KeyedQueue();

  constructor(services: PracticeServices) {
    this.#services = services;
  }

  async presets(): Promise<PresetScenario[]> {
    return (await this.#services.library()).scenarios.map(({ scenario }) => describePreset(scenario));
  }

  async start(
    circumstances: Circumstances,
    wanted: { readonly scenarioId?: string | undefined; readonly custom?: CustomScenario | undefined },
  ) {
    const store = await this.#services.store();
    const library = await this.#services.library();
    if (wanted.scenarioId !== undefined && wanted.custom) {
      throw new ToolError('INVALID_ARGUMENT', 'Give scenario_id or custom_scenario, not both', {
        argument: 'custom_scenario',
      });
    }
    const started = await inTransaction(store, async (db) => {
      const { learner } = await openLearner(db, circumstances);
      const outcome = learner.activeOutcomeId
        ? await findOutcome(db, circumstances.userId, learner.activeOutcomeId)
        : undefined;
      const [session] = await openSessions(db, circumstances.userId);
      const advice = adviceFor(session);
      const scenarioId = wanted.custom ? undefined : (wanted.scenarioId ?? bestScenario(library, outcome));
      const scenario = wanted.custom ? buildCustomScenario(wanted.custom) : requireScenario(library, scenarioId);
      const id = newId('prac', circumstances);
      await db
        .insertInto('sage_practices')
        .values({
          id,
          user_id: circumstances.userId,
          session_id: session?.id ?? null,
          outcome_id: outcome?.id ?? null,
          pack_id: scenarioId ? (library.scenario(scenarioId)?.pack.id ?? null) : null,
          scenario_id: scenarioId ?? null,
          custom: wanted.custom ? JSON.stringify(wanted.custom) : null,
          state: JSON.stringify(freshPractice),
          turns: 0,
          engine: 'packs',
          started_at: circumstances.now,
          ended_at: null,
          feedback: null,
        })
        .execute();
      return { id, scenario, note: advice };
    });
    this.#services.announce(circumstances.userId, { change: 'practice-started', practice_id: started.id });
    return started;
  }

  async message(circumstances: Circumstances, id: string, message: string): Promise<PracticeAnswer> {
    const answer = await this.#queue.run(id, () => this.#turn(circumstances, id, message));
    this.#services.announce(circumstances.userId, { change: 'practice-turn', practice_id: id, turn: answer.turn });
    return answer;
  }

  /** With a language model the words are found before anything is held; if somebody was faster, once more. */
  async #turn(circumstances: Circumstances, id: string, message: string): Promise<PracticeAnswer> {
    for (let attempt = 0; attempt < maxRetries; attempt += 1) {
      const spoken = await this.#speak(circumstances, id, message);
      const answer = await this.#keep(circumstances, id, message, spoken);
      if (answer) return answer;
    }
    throw new ToolError('ENGINE_UNAVAILABLE', 'The practice is busy elsewhere; send the message again', {
      practiceSessionId: id,
    });
  }

  async #speak(circumstances: Circumstances, id: string, message: string): Promise<Spoken | undefined> {
    const { generate } = this.#services;
    if (!generate) return undefined;
    const db = databaseOf(await this.#services.store());
    const library = await this.#services.library();
    const practice = requireOpen(await findPractice(db, library, circumstances.userId, id, { lock: false }));
    const step = playTurn(practice.scenario, practice.state, message, practice.turns + 1, practice.synonyms);
    const transcript = await this.transcript(circumstances, id);
    const reply = await speak(generate, practice.scenario, transcript, message, step, circumstances.signal);
    return { reply, turns: practice.turns };
  }

  async #keep(
    circumstances: Circumstances,
    id: string,
    message: string,
    spoken: Spoken | undefined,
  ): Promise<PracticeAnswer | undefined> {
    const library = await this.#services.library();
    return inTransaction(await this.#services.store(), async (db) => {
      const practice = await findPractice(db, library, circumstances.userId, id);
      const before = await repeated(db, practice, circumstances.requestKey);
      if (before) return before;
      requireOpen(practice);
      if (spoken && spoken.turns !== practice.turns) return undefined;
      const turn = practice.turns + 1;
      const played = playTurn(practice.scenario, practice.state, message, turn, practice.synonyms);
      const step = { ...played, reply: spoken?.reply ?? played.reply };
      await saveStep(db, practice, message, step, turn, circumstances);
      return { reply: step.reply, turn, over: step.state.over, hint: hintFor(practice.scenario, step.state, turn) };
    });
  }

  async hint(
    circumstances: Circumstances,
    id: string,
  ): Promise<{ readonly hint: string | null; readonly turn: number }> {
    const store = await this.#services.store();
    const library = await this.#services.library();
    return inTransaction(store, async (db) => {
      const practice = requireOpen(await findPractice(db, library, circumstances.userId, id));
      const hint = hintFor(practice.scenario, practice.state, practice.turns) ?? null;
      const state = { ...practice.state, hints: practice.state.hints + 1 };
      await db
        .updateTable('sage_practices')
        .set({ state: JSON.stringify(state) })
        .where('id', '=', id)
        .execute();
      return { hint, turn: practice.turns };
    });
  }

  /** Ending twice gives the same feedback twice. */
  async end(circumstances: Circumstances, id: string): Promise<FullFeedback & { readonly alreadyEnded: boolean }> {
    const store = await this.#services.store();
    const library = await this.#services.library();
    const ended = await inTransaction(store, async (db) => {
      const practice = await findPractice(db, library, circumstances.userId, id);
      if (practice.feedback) return { ...practice.feedback, alreadyEnded: true };
      const feedback = fullFeedback(practice);
      await db
        .updateTable('sage_practices')
        .set({ ended_at: circumstances.now, feedback: JSON.stringify(feedback) })
        .where('id', '=', id)
        .execute();
      await keepGaps(db, library, circumstances, practice.outcomeId, feedback.revealedGaps);
      return { ...feedback, alreadyEnded: false };
    });
    this.#services.announce(circumstances.userId, { change: 'practice-ended', practice_id: id });
    return ended;
  }

  async transcript(circumstances: Circumstances, id: string) {
    const db = databaseOf(await this.#services.store());
    const rows = await db
      .selectFrom('sage_practice_turns')
      .select(['seq', 'message', 'reply'])
      .where('practice_id', '=', id)
      .where('user_id', '=', circumstances.userId)
      .orderBy('seq')
      .execute();
    return rows.map(({ seq, message, reply }) => ({ turn: seq, you: message, character: reply }));
  }
}

export function describePreset({
  id,
  title,
  description,
  sageRole,
  userRole,
  category,
  difficulty,
  concepts,
}: Scenario): PresetScenario {
  return { id, title, description, sageRole, userRole, category, difficulty, relatedConcepts: concepts };
}

function adviceFor(session: Session | undefined): string | undefined {
  if (!session) return undefined;
  const { driving, practiceEnabled } = adapt(mergeCheckins(session.checkins));
  if (driving) {
    throw new ToolError('PRACTICE_UNSAFE', 'You said that you are driving. No role play until you have parked.', {
      sessionId: session.id,
    });
  }
  return practiceEnabled ? undefined : 'By your check-in there is little time or quiet for this; keep it short.';
}

function bestScenario(
  library: PackLibrary,
  outcome: { packId: string | null; packOutcomeId: string | null } | undefined,
): string | undefined {
  const wanted = library.outcome(outcome?.packId ?? null, outcome?.packOutcomeId ?? null)?.practice;
  return wanted ?? library.pack(outcome?.packId ?? null)?.scenarios[0]?.id ?? library.scenarios[0]?.scenario.id;
}

function requireScenario(library: PackLibrary, id: string | undefined): Scenario {
  const found = id === undefined ? undefined : library.scenario(id);
  if (found) return found.scenario;
  const available = library.scenarios.map(({ scenario }) => scenario.id);
  const message =
    id === undefined
      ? 'There is no preset scenario here; describe one in custom_scenario'
      : `Scenario not found. There are: ${available.join(', ')}`;
  throw new ToolError('SCENARIO_NOT_FOUND', message, { scenarioId: id ?? null, availableScenarios: available });
}

function fullFeedback(practice: OpenPractice): FullFeedback {
  const { scenario, state, turns, custom } = practice;
  const feedback = feedbackOn(scenario, state, turns);
  return {
    ...feedback,
    summary: custom && turns > 0 ? `${feedback.summary} ${notAssessed}` : feedback.summary,
    turns,
    hintsUsed: state.hints,
    notAssessed: custom ? notAssessed : null,
    moves: state.moves.flatMap(({ turn, id, quote }) => {
      const move = scenario.moves.find((candidate) => candidate.id === id);
      return move ? [{ turn, move: move.label, good: move.good, quote }] : [];
    }),
  };
}

/** What a practice showed to be missing joins the active outcome; what was proven before stays proven. */
async function keepGaps(
  db: Database,
  library: PackLibrary,
  circumstances: Circumstances,
  outcomeId: string | null,
  gaps: readonly string[],
): Promise<void> {
  const concepts = gaps.flatMap((name) => {
    const known = library.concept(name);
    return known ? [asNewConcept(known.pack.id, known.concept)] : [];
  });
  await new GraphWriter(db, circumstances).require(outcomeId, concepts);
}
