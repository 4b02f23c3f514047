import { assertPath } from './guards.ts';
import type { Effect, EarnedProof, NewConcept, TurnInput, TurnPlan } from './engine.ts';
import type { Concept, ConceptStatus, Depth, Mode, PassedCheck, Question, TutorState } from './model.ts';
import type { PackLibrary } from './pack-library.ts';
import type { PackConcept } from './pack-model.ts';
import { readUtterance, type Utterance } from './utterance.ts';

/** An answer in the making: what is said, and what it changes. */
export class TurnDraft {
  readonly input: TurnInput;
  readonly library: PackLibrary;
  readonly said: Utterance;
  readonly #lines: string[] = [];
  readonly #effects: Effect[] = [];
  readonly #discussed = new Set<string>();
  readonly #insights: string[] = [];
  readonly #statuses = new Map<string, ConceptStatus>();
  readonly #passed = new Map<string, readonly PassedCheck[]>();
  #required: readonly string[];
  #mode: Mode;
  #next: Mode | undefined;
  #state: TutorState;
  #gap: TurnPlan['gap'] = null;
  #proof: EarnedProof | null = null;

  constructor(input: TurnInput, library: PackLibrary) {
    this.input = input;
    this.library = library;
    this.said = readUtterance(input.message);
    this.#mode = input.session.mode;
    this.#state = input.session.state;
    this.#required = input.required.map(({ name }) => name);
    for (const concept of [...input.concepts, ...input.required]) {
      this.#statuses.set(concept.name, concept.status);
      this.#passed.set(concept.name, concept.passed);
    }
  }

  get mode(): Mode {
    return this.#mode;
  }

  get state(): TutorState {
    return this.#state;
  }

  /** The concepts the active outcome requires, with one that this turn created. */
  get required(): readonly string[] {
    return this.#required;
  }

  get depth(): Depth {
    return this.#state.depth ?? this.input.adaptations.depth;
  }

  say(...lines: readonly (string | undefined)[]): void {
    for (const line of lines) if (line) this.#lines.push(line.trim());
  }

  /** Whether anything has been said yet. */
  get isSilent(): boolean {
    return this.#lines.length === 0;
  }

  /** Picks a wording by how far the session is, so that the same one does not come twice in a row. */
  pick(wordings: readonly [string, ...string[]]): string {
    return wordings[this.input.session.turns % wordings.length] ?? wordings[0];
  }

  /** Goes to a mode by the allowed way. */
  enter(mode: Mode): void {
    assertPath(this.#mode, mode);
    this.#mode = mode;
  }

  /** The mode the next message will be heard in. */
  leadTo(mode: Mode): void {
    assertPath(this.#mode, mode);
    this.#next = mode;
  }

  remember(state: Partial<TutorState>): void {
    this.#state = { ...this.#state, ...state };
  }

  ask(question: Question | undefined): void {
    const focus = question && 'concept' in question ? question.concept : this.#state.focus;
    this.remember({ question, focus });
  }

  change(...effects: readonly Effect[]): void {
    for (const effect of effects) {
      this.#effects.push(effect);
      if (effect.kind === 'outcome') this.#required = effect.requires.map(({ name }) => name);
      if (effect.kind === 'require' && !this.#required.includes(effect.concept.name)) {
        this.#required = [...this.#required, effect.concept.name];
      }
      if (effect.kind !== 'concept') continue;
      if (effect.status) this.#statuses.set(effect.name, effect.status);
      if (effect.passed) this.#passed.set(effect.name, effect.passed);
    }
  }

  discuss(concept: PackConcept | { readonly id: string }): void {
    this.#discussed.add(concept.id);
  }

  notice(insight: string): void {
    this.#insights.push(insight);
  }

  findGap(name: string, displayName: string): void {
    this.#gap = { name, displayName };
  }

  earn(proof: EarnedProof): void {
    this.#proof = proof;
    this.#statuses.set(proof.concept, 'understood');
  }

  statusOf(name: string): ConceptStatus | undefined {
    return this.#statuses.get(name);
  }

  passedOf(name: string): readonly PassedCheck[] {
    return this.#passed.get(name) ?? [];
  }

  conceptOf(name: string): Concept | undefined {
    return [...this.input.required, ...this.input.concepts].find((concept) => concept.name === name);
  }

  finish(): TurnPlan {
    const next = this.#next ?? this.#mode;
    return {
      message: this.#lines.join('\n\n'),
      mode: this.#mode,
      transitionTo: next === this.#mode ? null : next,
      conceptsDiscussed: [...this.#discussed],
      gap: this.#gap,
      proof: this.#proof,
      effects: this.#effects,
      state: this.#state,
      insights: this.#insights,
      engine: 'packs',
    };
  }
}

export function asNewConcept(packId: string, { id, name, summary, relates }: PackConcept): NewConcept {
  return { name: id, displayName: name, summary, packId, relates };
}
