import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { adapt, type Adapted, mergeCheckins } from './adaptation.ts';
import { type Circumstances } from './circumstances.ts';
import type { TurnInput, TurnPlan, TutorEngine } from './engine.ts';
import { KeyedQueue } from './keyed-queue.ts';
import {
  conceptsByName,
  dueProofs,
  findOutcome,
  type KnownLearner,
  openLearner,
  pendingApplications,
  requiredConcepts,
} from './learner-store.ts';
import type { Checkin, Outcome, Session } from './model.ts';
import { describeMode } from './modes.ts';
import type { PackLibrary } from './pack-library.ts';
import { activeTime, localDay } from './progress.ts';
import { endSession, type EndedSession } from './session-end.ts';
import {
  answeredBefore,
  findSession,
  insertSession,
  openSessions,
  recentSessions,
  requireOpen,
  saveCheckin,
  turnsOf,
} from './session-store.ts';
import { inTeachingOrder } from './teaching-order.ts';
import { type Database, databaseOf, inTransaction } from './tables.ts';
import { keepTurn } from './turn-store.ts';

export interface StartedSession {
  readonly session: Session;
  readonly learnerId: string;
  readonly suggestedGoal: string | null;
  readonly outcome: Outcome | undefined;
  readonly pendingFollowups: readonly string[];
  readonly dueReviews: readonly string[];
}

/** The fields of `sage_message`. */
export interface MessageAnswer {
  readonly structured: {
    readonly response: string;
    readonly mode: string;
    readonly modeDescription: string;
    readonly conceptsDiscussed: readonly string[];
    readonly gapIdentified: { readonly name: string; readonly displayName: string } | null;
    readonly proofEarned: {
      readonly concept: string;
      readonly displayName: string;
      readonly demonstrationType: string;
      readonly confidence: number;
    } | null;
    readonly outcomeProgress: number;
  };
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface TutorServices {
  readonly store: () => Promise<Store>;
  readonly library: () => Promise<PackLibrary>;
  readonly engine: () => Promise<TutorEngine>;
  readonly announce: (userId: string, data: Record<string, unknown>) => void;
  readonly strictWidgetCalls: boolean;
  /** Whether the engine waits for something outside, such as a model; it is then given the turns so far. */
  readonly waits: boolean;
}

const maxRetries = 5;

/** Tutoring sessions from start to end. */
export class TutorService {
  readonly #services: TutorServices;
  readonly #queue = new KeyedQueue();

  constructor(services: TutorServices) {
    this.#services = services;
  }

  /** Takes up the open session if nothing was said in it yet; ends any other. */
  async start(circumstances: Circumstances, goal: string | undefined): Promise<StartedSession> {
    const store = await this.#services.store();
    const library = await this.#services.library();
    const started = await inTransaction(store, async (db) => {
      const known = await openLearner(db, circumstances);
      await db
        .selectFrom('sage_learners')
        .select('id')
        .where('user_id', '=', circumstances.userId)
        .forUpdate()
        .execute();
      const wish = goal?.trim() || null;
      const open = await openSessions(db, circumstances.userId);
      const untouched = open.find(({ turns }) => turns === 0);
      for (const session of open.filter((candidate) => candidate !== untouched)) {
        await endSession(db, session, known, library, circumstances, 'superseded');
      }
      const session = untouched
        ? await this.#reuse(db, untouched, wish)
        : await insertSession(db, known.learner, wish, circumstances.randomId(), circumstances);
      const outcome = known.learner.activeOutcomeId
        ? await findOutcome(db, circumstances.userId, known.learner.activeOutcomeId)
        : undefined;
      const today = localDay(circumstances.now, known.zone);
      const pending = await pendingApplications(db, circumstances.userId, today);
      const due = await dueProofs(db, circumstances.userId, circumstances.now);
      const next = outcome && (await requiredConcepts(db, circumstances.userId, outcome.id));
      const open0 = next?.find(({ status }) => status !== 'understood');
      const suggestedGoal =
        session.goal ?? (outcome ? (open0 ? `${outcome.goal}: ${open0.displayName}` : outcome.goal) : null);
      return {
        session,
        learnerId: known.learner.id,
        suggestedGoal,
        outcome,
        pendingFollowups: pending.map(({ context }) => context),
        dueReviews: due.map(({ concept }) => concept.displayName),
      };
    });
    this.#services.announce(circumstances.userId, { change: 'session-started', session_id: started.session.id });
    return started;
  }

  async #reuse(db: Database, session: Session, goal: string | null): Promise<Session> {
    if (goal === null || goal === session.goal) return session;
    await db.updateTable('sage_sessions').set({ goal }).where('id', '=', session.id).execute();
    return { ...session, goal };
  }

  async checkin(
    circumstances: Circumstances,
    sessionId: string,
    checkin: Checkin,
    token?: string,
  ): Promise<{ readonly session: Session; readonly adapted: Adapted }> {
    const store = await this.#services.store();
    const done = await inTransaction(store, async (db) => {
      const session = requireOpen(await findSession(db, circumstances.userId, sessionId, { lock: true }));
      if (this.#services.strictWidgetCalls && token !== session.checkinToken) {
        throw new ToolError('INVALID_ARGUMENT', 'The check-in can only be sent by its widget here', { sessionId });
      }
      const { learner } = await openLearner(db, circumstances);
      const checkins = [...session.checkins, checkin].slice(-50);
      const adapted = adapt(mergeCheckins(checkins), learner.profile.pace);
      const { pace, depth, practiceEnabled } = adapted;
      await saveCheckin(db, session, checkins, { pace, depth, practiceEnabled });
      return { session, adapted };
    });
    this.#services.announce(circumstances.userId, { change: 'checked-in', session_id: sessionId });
    return done;
  }

  /** One turn, written in one transaction. Turns of a session come one after the other, whoever sends them. */
  async message(circumstances: Circumstances, sessionId: string, message: string): Promise<MessageAnswer> {
    const answer = await this.#queue.run(sessionId, () =>
      this.#services.waits
        ? this.#turnWithoutHolding(circumstances, sessionId, message)
        : this.#turnHolding(circumstances, sessionId, message),
    );
    const { mode, proofEarned } = answer.structured;
    const proof = proofEarned ? { proof: proofEarned.concept } : {};
    this.#services.announce(circumstances.userId, { change: 'turn', session_id: sessionId, mode, ...proof });
    return answer;
  }

  /** The engine answers at once: read, answer and write while the session's row is held. */
  async #turnHolding(circumstances: Circumstances, sessionId: string, message: string): Promise<MessageAnswer> {
    const engine = await this.#services.engine();
    return inTransaction(await this.#services.store(), async (tx) => {
      const session = await findSession(tx, circumstances.userId, sessionId, { lock: true });
      const before = await repeated(tx, session, circumstances);
      if (before) return before;
      const known = await openLearner(tx, circumstances);
      const input = await this.#read(tx, known, requireOpen(session), message, circumstances);
      const plan = await engine.turn(input, circumstances.signal);
      return this.#keep(tx, known, session, message, plan, circumstances);
    });
  }

  /** The engine takes seconds: nothing is held meanwhile, and if somebody was faster it is all done again. */
  async #turnWithoutHolding(circumstances: Circumstances, sessionId: string, message: string): Promise<MessageAnswer> {
    const store = await this.#services.store();
    const engine = await this.#services.engine();
    for (let attempt = 0; attempt < maxRetries; attempt += 1) {
      const db = databaseOf(store);
      const session = await findSession(db, circumstances.userId, sessionId);
      const before = await repeated(db, session, circumstances);
      if (before) return before;
      const known = await openLearner(db, circumstances);
      const input = await this.#read(db, known, requireOpen(session), message, circumstances);
      const plan = await engine.turn(input, circumstances.signal);
      const answer = await inTransaction(store, async (tx) => {
        const current = requireOpen(await findSession(tx, circumstances.userId, sessionId, { lock: true }));
        if (current.turns !== session.turns) return undefined;
        return this.#keep(tx, known, current, message, plan, circumstances);
      });
      if (answer) return answer;
    }
    throw new ToolError('ENGINE_UNAVAILABLE', 'The session is busy elsewhere; send the message again', { sessionId });
  }

  async #keep(
    tx: Database,
    { learner }: KnownLearner,
    session: Session,
    message: string,
    plan: TurnPlan,
    circumstances: Circumstances,
  ): Promise<MessageAnswer> {
    const { now } = circumstances;
    const kept = await keepTurn(tx, plan, { learner, session, circumstances });
    const answer = toAnswer(plan, kept.outcomeProgress);
    await tx
      .insertInto('sage_turns')
      .values({
        session_id: session.id,
        seq: session.turns + 1,
        user_id: circumstances.userId,
        message,
        result: JSON.stringify(answer),
        mode: plan.mode,
        engine: plan.engine,
        request_key: circumstances.requestKey ?? null,
        at: now,
      })
      .execute();
    await tx
      .updateTable('sage_sessions')
      .set({
        mode: plan.transitionTo ?? plan.mode,
        state: JSON.stringify(plan.state),
        outcome_id: kept.activeOutcomeId ?? session.outcomeId,
        turns: session.turns + 1,
        last_turn_at: now,
        active_ms: session.activeMs + activeTime(session.lastTurnAt ?? session.startedAt, now),
      })
      .where('id', '=', session.id)
      .execute();
    return answer;
  }

  async #read(
    db: Database,
    { learner, zone }: KnownLearner,
    session: Session,
    message: string,
    { userId, now }: Circumstances,
  ): Promise<TurnInput> {
    const library = await this.#services.library();
    const { question } = session.state;
    const opening =
      session.mode === 'check_in' || question?.kind === 'followup' || (question?.kind === 'check' && question.proof);
    const outcome = learner.activeOutcomeId ? await findOutcome(db, userId, learner.activeOutcomeId) : undefined;
    const required = outcome ? await requiredConcepts(db, userId, outcome.id) : [];
    const names = library.packs.flatMap(({ concepts }) => concepts.map(({ id }) => id));
    const concepts = await conceptsByName(db, userId, names);
    return {
      message,
      learner,
      session,
      checkin: mergeCheckins(session.checkins),
      adaptations: session.adaptations,
      outcome,
      required: inTeachingOrder(library, outcome, required),
      concepts,
      pending: opening ? await pendingApplications(db, userId, localDay(now, zone)) : [],
      due: opening ? await dueProofs(db, userId, now) : [],
      history: this.#services.waits ? await this.#history(db, session.id) : [],
      now,
      zone,
      lastSessionAt: session.mode === 'check_in' ? await lastSession(db, userId, session.id) : undefined,
    };
  }

  async #history(db: Database, sessionId: string) {
    const turns = await turnsOf(db, sessionId, 30);
    return turns.map(({ message, result }) => ({ message, reply: (result as MessageAnswer).structured.response }));
  }

  async sessions(circumstances: Circumstances, limit: number) {
    const db = databaseOf(await this.#services.store());
    const { learner } = await openLearner(db, circumstances);
    return { learner, sessions: await recentSessions(db, circumstances.userId, limit) };
  }

  /** A session with everything said in it, open or ended. */
  async read(circumstances: Circumstances, sessionId: string) {
    const db = databaseOf(await this.#services.store());
    const session = await findSession(db, circumstances.userId, sessionId);
    const { learner } = await openLearner(db, circumstances);
    const turns = await turnsOf(db, sessionId, 1000);
    const messages = turns.flatMap(({ message, result, at }) => {
      const { response, mode } = (result as MessageAnswer).structured;
      const timestamp = at.toISOString();
      return [
        { role: 'user', content: message, timestamp },
        { role: 'sage', content: response, mode, timestamp },
      ];
    });
    return { session, learner, messages };
  }

  /** Ending twice gives the same answer twice. */
  async end(circumstances: Circumstances, sessionId: string): Promise<EndedSession> {
    const store = await this.#services.store();
    const library = await this.#services.library();
    const ended = await this.#queue.run(sessionId, () =>
      inTransaction(store, async (db) => {
        const session = await findSession(db, circumstances.userId, sessionId, { lock: true });
        if (session.summary) return { ...session.summary, alreadyEnded: true };
        const known = await openLearner(db, circumstances);
        return endSession(db, session, known, library, circumstances, 'ended');
      }),
    );
    this.#services.announce(circumstances.userId, { change: 'session-ended', session_id: sessionId });
    return ended;
  }
}

async function repeated(
  db: Database,
  { id }: Session,
  { requestKey }: Circumstances,
): Promise<MessageAnswer | undefined> {
  if (requestKey === undefined) return undefined;
  return (await answeredBefore(db, id, requestKey)) as MessageAnswer | undefined;
}

function toAnswer(plan: TurnPlan, progress: number): MessageAnswer {
  const { proof } = plan;
  return {
    structured: {
      response: plan.message,
      mode: plan.mode,
      modeDescription: describeMode(plan.mode),
      conceptsDiscussed: plan.conceptsDiscussed,
      gapIdentified: plan.gap,
      proofEarned: proof && {
        concept: proof.concept,
        displayName: proof.displayName,
        demonstrationType: proof.demonstrationType,
        confidence: proof.confidence,
      },
      outcomeProgress: progress,
    },
    meta: {
      fullResponse: {
        message: plan.message,
        currentMode: plan.mode,
        transitionTo: plan.transitionTo,
        insights: plan.insights,
        uiTree: null,
      },
      engine: plan.engine,
      ...(proof ? { evidence: proof.evidence } : {}),
    },
  };
}

async function lastSession(db: Database, userId: string, exceptId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sage_sessions')
    .select('last_turn_at')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId)
    .where('turns', '>', 0)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.last_turn_at ?? undefined;
}
