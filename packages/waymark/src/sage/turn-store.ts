import { type Circumstances, newId } from './circumstances.ts';
import type { Effect, TurnPlan } from './engine.ts';
import { GraphWriter } from './graph-store.ts';
import type { Learner, Session } from './model.ts';
import { outcomeProgress } from './progress.ts';
import { firstReview, nextReview } from './review-schedule.ts';
import { requiredConcepts } from './learner-store.ts';
import type { Database } from './tables.ts';

export interface KeptTurn {
  readonly activeOutcomeId: string | null;
  readonly outcomeProgress: number;
  readonly applications: readonly string[];
}

/** Writes everything a turn changes. The caller holds the session's row in the same transaction. */
export async function keepTurn(
  db: Database,
  plan: TurnPlan,
  parts: { readonly learner: Learner; readonly session: Session; readonly circumstances: Circumstances },
): Promise<KeptTurn> {
  const { learner, session, circumstances } = parts;
  const graph = new GraphWriter(db, circumstances);
  const keeper = new Keeper(db, graph, circumstances, learner.activeOutcomeId);
  for (const effect of plan.effects) await keeper.keep(effect, session, plan);
  if (plan.proof) await keeper.keepProof(plan.proof, session, plan.engine);
  await graph.discussed(plan.conceptsDiscussed, session.id, plan.mode === 'teaching' ? 'deep_dive' : 'discussed');
  const active = keeper.activeOutcomeId;
  if (active !== learner.activeOutcomeId) {
    await db
      .updateTable('sage_learners')
      .set({ active_outcome_id: active })
      .where('user_id', '=', learner.userId)
      .execute();
  }
  const counted = active ?? keeper.achievedOutcomeId;
  const required = counted ? await requiredConcepts(db, learner.userId, counted) : [];
  return {
    activeOutcomeId: active,
    outcomeProgress: outcomeProgress(required, keeper.achievedOutcomeId !== undefined && active === null),
    applications: keeper.applications,
  };
}

class Keeper {
  readonly #db: Database;
  readonly #graph: GraphWriter;
  readonly #circumstances: Circumstances;
  readonly applications: string[] = [];
  activeOutcomeId: string | null;
  achievedOutcomeId: string | undefined;

  constructor(db: Database, graph: GraphWriter, circumstances: Circumstances, activeOutcomeId: string | null) {
    this.#db = db;
    this.#graph = graph;
    this.#circumstances = circumstances;
    this.activeOutcomeId = activeOutcomeId;
  }

  async keep(effect: Effect, session: Session, plan: TurnPlan): Promise<void> {
    switch (effect.kind) {
      case 'outcome':
        return this.#activate(effect);
      case 'achieved':
        return this.#achieve();
      case 'require':
        return this.#graph.require(this.activeOutcomeId, [effect.concept]);
      case 'concept':
        return this.#changeConcept(effect);
      case 'application':
        return this.#plan(effect, session, plan);
      case 'followup':
        return this.#followUp(effect);
      case 'review':
        return this.#review(effect);
    }
  }

  async keepProof(proof: NonNullable<TurnPlan['proof']>, session: Session, engine: string): Promise<void> {
    const { userId, now } = this.#circumstances;
    const conceptId = (await this.#graph.conceptIds([proof.concept])).get(proof.concept);
    if (!conceptId) throw new Error(`a proof of ${proof.concept}, which the learner does not have`);
    const id = newId('proof', this.#circumstances);
    const { card, dueAt } = firstReview(now);
    await this.#db
      .insertInto('sage_proofs')
      .values({
        id,
        user_id: userId,
        concept_id: conceptId,
        session_id: session.id,
        demonstration_type: proof.demonstrationType,
        confidence: proof.confidence,
        evidence: JSON.stringify(proof.evidence),
        engine,
        card,
        due_at: dueAt,
        earned_at: now,
      })
      .execute();
    await this.#db
      .updateTable('sage_concepts')
      .set({ status: 'understood', understood_at: now, passed: '[]' })
      .where('id', '=', conceptId)
      .execute();
    await this.#graph.link(conceptId, id, 'demonstrated_by');
  }

  /** Takes up an outcome the learner has had before, or makes it; the one before it pauses. */
  async #activate(effect: Extract<Effect, { kind: 'outcome' }>): Promise<void> {
    const { userId, now } = this.#circumstances;
    if (this.activeOutcomeId) {
      await this.#db
        .updateTable('sage_outcomes')
        .set({ status: 'paused' })
        .where('id', '=', this.activeOutcomeId)
        .where('status', '=', 'active')
        .execute();
    }
    const before = await this.#db
      .selectFrom('sage_outcomes')
      .select(['id', 'pack_id', 'pack_outcome_id', 'goal', 'status'])
      .where('user_id', '=', userId)
      .orderBy('worked_on_at', 'desc')
      .limit(200)
      .execute();
    const same = before.find((row) =>
      effect.packId === null
        ? row.goal === effect.goal
        : row.pack_id === effect.packId && row.pack_outcome_id === effect.packOutcomeId,
    );
    const id = same?.id ?? newId('out', this.#circumstances);
    if (same) {
      await this.#db
        .updateTable('sage_outcomes')
        .set({ status: 'active', achieved_at: null, worked_on_at: now })
        .where('id', '=', id)
        .execute();
    } else {
      await this.#db
        .insertInto('sage_outcomes')
        .values({
          id,
          user_id: userId,
          goal: effect.goal,
          pack_id: effect.packId,
          pack_outcome_id: effect.packOutcomeId,
          criteria: JSON.stringify(effect.criteria),
          status: 'active',
          created_at: now,
          achieved_at: null,
          worked_on_at: now,
        })
        .execute();
      const base = before.find(
        ({ status, pack_id }) => status === 'achieved' && pack_id !== null && pack_id === effect.packId,
      );
      if (base) await this.#graph.link(id, base.id, 'builds_on', { relationship: 'same subject' });
    }
    this.activeOutcomeId = id;
    await this.#graph.require(id, effect.requires);
  }

  async #achieve(): Promise<void> {
    if (!this.activeOutcomeId) return;
    const { now } = this.#circumstances;
    await this.#db
      .updateTable('sage_outcomes')
      .set({ status: 'achieved', achieved_at: now, worked_on_at: now })
      .where('id', '=', this.activeOutcomeId)
      .execute();
    this.achievedOutcomeId = this.activeOutcomeId;
    this.activeOutcomeId = null;
  }

  async #changeConcept(effect: Extract<Effect, { kind: 'concept' }>): Promise<void> {
    const { userId } = this.#circumstances;
    await this.#db
      .updateTable('sage_concepts')
      .set({
        ...(effect.status ? { status: effect.status } : {}),
        ...(effect.status && effect.status !== 'understood' ? { understood_at: null } : {}),
        ...(effect.passed ? { passed: JSON.stringify(effect.passed) } : {}),
      })
      .where('user_id', '=', userId)
      .where('name', '=', effect.name)
      .execute();
  }

  async #plan(effect: Extract<Effect, { kind: 'application' }>, session: Session, plan: TurnPlan): Promise<void> {
    const names = [...new Set([...(session.state.focus ? [session.state.focus] : []), ...plan.conceptsDiscussed])];
    const conceptIds = [...(await this.#graph.conceptIds(names)).values()];
    const id = newId('app', this.#circumstances);
    await this.#db
      .insertInto('sage_applications')
      .values({
        id,
        user_id: this.#circumstances.userId,
        outcome_id: this.activeOutcomeId,
        session_id: session.id,
        concept_ids: JSON.stringify(conceptIds),
        context: effect.context,
        planned_date: effect.plannedDate,
        status: 'upcoming',
        result: null,
        notes: null,
        created_at: this.#circumstances.now,
        followed_up_at: null,
      })
      .execute();
    for (const conceptId of conceptIds) await this.#graph.link(conceptId, id, 'applied_in');
    this.applications.push(id);
  }

  async #followUp(effect: Extract<Effect, { kind: 'followup' }>): Promise<void> {
    await this.#db
      .updateTable('sage_applications')
      .set({
        status: effect.result === null ? 'skipped' : 'completed',
        result: effect.result,
        notes: effect.notes,
        followed_up_at: this.#circumstances.now,
      })
      .where('user_id', '=', this.#circumstances.userId)
      .where('id', '=', effect.application)
      .execute();
  }

  async #review(effect: Extract<Effect, { kind: 'review' }>): Promise<void> {
    const { userId, now } = this.#circumstances;
    const proof = await this.#db
      .selectFrom('sage_proofs')
      .select('card')
      .where('user_id', '=', userId)
      .where('id', '=', effect.proof)
      .executeTakeFirst();
    if (!proof) return;
    const { card, dueAt } = nextReview(proof.card, effect.rating, now);
    await this.#db.updateTable('sage_proofs').set({ card, due_at: dueAt }).where('id', '=', effect.proof).execute();
    await this.#db
      .insertInto('sage_reviews')
      .values({
        id: newId('rev', this.#circumstances),
        user_id: userId,
        proof_id: effect.proof,
        rating: effect.rating,
        at: now,
      })
      .execute();
  }
}
