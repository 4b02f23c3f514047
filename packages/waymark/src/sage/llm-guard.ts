import { findApplication } from './applications.ts';
import { withoutCopies } from './assess.ts';
import type { Effect, EarnedProof, NewConcept, TurnInput, TurnPlan } from './engine.ts';
import { findGoal } from './goals.ts';
import type { LlmTurn } from './llm-turn.ts';
import type { Concept, Mode, PassedCheck, Question } from './model.ts';
import { isAllowed } from './modes.ts';
import type { PackLibrary } from './pack-library.ts';
import { proofFrom } from './proof.ts';
import { asNewConcept } from './turn-draft.ts';
import { wordsOf } from './words.ts';

/** Keeps of a proposal what the rules allow, and notes what was dropped. */
export function guardTurn(turn: LlmTurn, input: TurnInput, library: PackLibrary): TurnPlan {
  const guard = new Guard(turn, input, library);
  return guard.plan();
}

const ownQuoteWords = 5;
const quotesCommands =
  /\b(?:ignore|disregard)\b.*\binstruction|\bsystem prompt\b|\b(?:award|grant|give me|mark)\b.*\bproof|\bproof\b.*\bearned\b/i;

class Guard {
  readonly #turn: LlmTurn;
  readonly #input: TurnInput;
  readonly #library: PackLibrary;
  readonly #effects: Effect[] = [];
  readonly #dropped: string[] = [];
  /** Concepts that exist, or that this turn makes. */
  readonly #known = new Map<string, { displayName: string; concept?: Concept }>();

  constructor(turn: LlmTurn, input: TurnInput, library: PackLibrary) {
    this.#turn = turn;
    this.#input = input;
    this.#library = library;
    for (const concept of [...input.concepts, ...input.required]) {
      this.#known.set(concept.name, { displayName: concept.displayName, concept });
    }
  }

  plan(): TurnPlan {
    const { session, message, now, zone } = this.#input;
    const mode = this.#allowed(session.mode, this.#turn.currentMode) ?? session.mode;
    const next = this.#turn.transitionTo ? this.#allowed(mode, this.#turn.transitionTo) : undefined;
    const application = findApplication(message, now, zone);
    if (application)
      this.#effects.push({ kind: 'application', context: application.context, plannedDate: application.plannedDate });
    this.#followUp();
    this.#changeOutcome();
    const gap = this.#findGap();
    const proof = this.#judge();
    const discussed = this.#turn.conceptsDiscussed.map(slug).filter((name) => this.#exists(name, 'conceptsDiscussed'));
    if (mode === 'teaching') {
      for (const name of discussed) {
        if (this.#known.get(name)?.concept?.status !== 'understood')
          this.#effects.push({ kind: 'concept', name, status: 'teaching' });
      }
    }
    const question = this.#question();
    return {
      message: this.#turn.message,
      mode,
      transitionTo: next !== undefined && next !== mode ? next : null,
      conceptsDiscussed: [...new Set(discussed)],
      gap,
      proof,
      effects: this.#effects,
      state: {
        ...session.state,
        question,
        focus: question && 'concept' in question ? question.concept : (discussed[0] ?? session.state.focus),
      },
      insights: [...this.#turn.insights, ...this.#dropped.map((what) => `not accepted from the model: ${what}`)],
      engine: 'llm',
    };
  }

  #allowed(from: Mode, to: Mode): Mode | undefined {
    if (isAllowed(from, to)) return to;
    this.#dropped.push(`the transition from ${from} to ${to}`);
    return undefined;
  }

  #exists(name: string, where: string): boolean {
    if (this.#known.has(name)) return true;
    this.#dropped.push(`the unknown concept ${name} in ${where}`);
    return false;
  }

  #followUp(): void {
    const { followup } = this.#turn;
    if (!followup) return;
    const pending = this.#input.pending.some(({ id }) => id === followup.applicationId);
    if (!pending) return void this.#dropped.push('a follow-up on something that is not pending');
    const notes = this.#input.message.slice(0, 2000);
    this.#effects.push({ kind: 'followup', application: followup.applicationId, result: followup.result, notes });
  }

  #changeOutcome(): void {
    const { outcome } = this.#turn;
    if (!outcome) return;
    if (outcome.action === 'achieve') {
      const { required } = this.#input;
      const done = required.length > 0 && required.every(({ status }) => status === 'understood');
      if (done) this.#effects.push({ kind: 'achieved' });
      else this.#dropped.push('an outcome declared achieved with concepts unproven');
      return;
    }
    const goal = outcome.goal?.trim();
    if (!goal) return void this.#dropped.push('an outcome without a goal');
    const match = findGoal(this.#library, goal);
    if (match.kind === 'outcome') {
      const { pack, outcome: known } = match;
      const requires = known.requires.flatMap((id) => pack.concepts.filter((concept) => concept.id === id));
      return this.#create(
        known.goal,
        pack.id,
        known.id,
        known.criteria,
        requires.map((concept) => asNewConcept(pack.id, concept)),
      );
    }
    const requires = (outcome.concepts ?? []).map(({ name, displayName, summary }) => ({
      name: slug(name),
      displayName,
      summary,
      packId: null,
    }));
    this.#create(
      goal,
      null,
      null,
      outcome.criteria ?? [],
      requires.filter(({ name }) => name !== ''),
    );
  }

  #create(
    goal: string,
    packId: string | null,
    packOutcomeId: string | null,
    criteria: readonly string[],
    requires: readonly NewConcept[],
  ): void {
    this.#effects.push({ kind: 'outcome', goal, packId, packOutcomeId, criteria, requires });
    for (const { name, displayName } of requires) if (!this.#known.has(name)) this.#known.set(name, { displayName });
  }

  #findGap(): TurnPlan['gap'] {
    const { gapIdentified } = this.#turn;
    if (!gapIdentified) return null;
    const name = slug(gapIdentified.name);
    const known = this.#known.get(name);
    if (known) return { name, displayName: known.displayName };
    const hasOutcome = this.#input.outcome !== undefined || this.#effects.some(({ kind }) => kind === 'outcome');
    if (!hasOutcome || name === '') {
      this.#dropped.push('a gap without a goal to belong to');
      return null;
    }
    const { displayName, summary } = gapIdentified;
    const packed = this.#library.concept(name);
    const concept = packed
      ? asNewConcept(packed.pack.id, packed.concept)
      : { name, displayName, summary: summary ?? displayName, packId: null };
    this.#effects.push({ kind: 'require', concept });
    this.#known.set(name, { displayName: concept.displayName });
    return { name, displayName: concept.displayName };
  }

  /** A judgement counts in verification only, of the question asked before, with the learner's own words as evidence. */
  #judge(): EarnedProof | null {
    const { judgement } = this.#turn;
    const { session, due } = this.#input;
    if (!judgement) return null;
    const name = slug(judgement.concept);
    const asked = session.state.question;
    const known = this.#known.get(name)?.concept;
    const refuse = (why: string) => {
      this.#dropped.push(`a judgement of ${name}: ${why}`);
      return null;
    };
    if (session.mode !== 'verification') return refuse('not in verification');
    if (!known) return refuse('there is no such concept');
    if (asked?.kind !== 'check' || asked.concept !== name) return refuse('no question on it was asked');
    const review = due.find(({ concept }) => concept.name === name)?.proof;
    if (!judgement.solid) {
      if (review)
        this.#effects.push(
          { kind: 'review', proof: review.id, rating: 'again' },
          { kind: 'concept', name, status: 'teaching', passed: [] },
        );
      return null;
    }
    const problem = this.#whyNoEvidence(judgement.quote);
    if (problem) return refuse(problem);
    if (review) {
      this.#effects.push({ kind: 'review', proof: review.id, rating: 'good' });
      return null;
    }
    const packed = this.#library.concept(name)?.concept.checks.find(({ id }) => id === asked.check);
    const passed: PassedCheck = {
      check: asked.check,
      kind: packed?.kind ?? asked.check,
      prompt: this.#input.history.at(-1)?.reply.slice(-500) ?? '',
      quotes: [{ criterion: judgement.why ?? 'judged solid', quote: judgement.quote.trim() }],
      extra: 0,
      attempts: 1,
    };
    const all = [...known.passed.filter(({ check }) => check !== passed.check), passed];
    this.#effects.push({ kind: 'concept', name, passed: all });
    return proofFrom({ id: name, name: known.displayName }, all) ?? null;
  }

  #whyNoEvidence(quote: string): string | undefined {
    const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('’', "'").trim();
    const { message, history } = this.#input;
    if (!plain(message).includes(plain(quote)) || wordsOf(quote).length < ownQuoteWords)
      return 'the quote is not in the message';
    if (quotesCommands.test(quote)) return 'the quote is a command, not an answer';
    const own = withoutCopies(
      quote,
      wordsOf(quote),
      history.map(({ reply }) => reply),
    );
    return wordsOf(own).length < ownQuoteWords ? 'the quote repeats the tutor' : undefined;
  }

  #question(): Question | undefined {
    const { question } = this.#turn;
    if (!question) return undefined;
    const concept = slug(question.concept);
    if (!this.#exists(concept, 'question')) return undefined;
    const proof = this.#input.due.find((due) => due.concept.name === concept)?.proof.id;
    return { kind: 'check', concept, check: question.kind, met: {}, attempts: 0, proof };
  }
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(\d)/, 'n_$1')
    .slice(0, 60);
}
