import type {
  Adaptations,
  Application,
  Checkin,
  Concept,
  ConceptStatus,
  DemonstrationType,
  Learner,
  Mode,
  Outcome,
  PassedCheck,
  Proof,
  Session,
  TutorState,
} from './model.ts';

/** Everything a tutor may know when it answers a message. */
export interface TurnInput {
  readonly message: string;
  readonly learner: Learner;
  readonly session: Session;
  readonly checkin: Checkin;
  readonly adaptations: Adaptations;
  /** The active outcome and the concepts it requires, in teaching order where a pack knows one. */
  readonly outcome: Outcome | undefined;
  readonly required: readonly Concept[];
  /** Other concepts of the learner that packs know of, and those at hand. */
  readonly concepts: readonly Concept[];
  /** Applications whose day has come and that nobody has asked about. */
  readonly pending: readonly Application[];
  /** Proofs whose review is due, most overdue first. */
  readonly due: readonly { readonly proof: Proof; readonly concept: Concept }[];
  /** The turns of this session so far, oldest first. */
  readonly history: readonly { readonly message: string; readonly reply: string }[];
  readonly now: Date;
  readonly zone: string;
  readonly lastSessionAt: Date | undefined;
}

export type ReviewRating = 'again' | 'hard' | 'good';

export interface EarnedProof {
  readonly concept: string;
  readonly displayName: string;
  readonly demonstrationType: DemonstrationType;
  readonly confidence: number;
  readonly evidence: readonly PassedCheck[];
}

export interface NewConcept {
  readonly name: string;
  readonly displayName: string;
  readonly summary: string;
  readonly packId: string | null;
  readonly relates?: readonly { readonly to: string; readonly how: string }[];
}

/** What a turn changes in the learning graph. Concepts go by name. */
export type Effect =
  | {
      readonly kind: 'outcome';
      readonly goal: string;
      readonly packId: string | null;
      readonly packOutcomeId: string | null;
      readonly criteria: readonly string[];
      readonly requires: readonly NewConcept[];
    }
  | { readonly kind: 'achieved' }
  /** A concept of the active outcome, made if it is new. */
  | { readonly kind: 'require'; readonly concept: NewConcept }
  | {
      readonly kind: 'concept';
      readonly name: string;
      readonly status?: ConceptStatus;
      readonly passed?: readonly PassedCheck[];
    }
  | { readonly kind: 'application'; readonly context: string; readonly plannedDate: string | null }
  | {
      readonly kind: 'followup';
      readonly application: string;
      readonly result: NonNullable<Application['result']> | null;
      readonly notes: string;
    }
  | { readonly kind: 'review'; readonly proof: string; readonly rating: ReviewRating };

export interface TurnPlan {
  readonly message: string;
  /** The mode this answer is given in, and the one the next message is heard in if that differs. */
  readonly mode: Mode;
  readonly transitionTo: Mode | null;
  readonly conceptsDiscussed: readonly string[];
  readonly gap: { readonly name: string; readonly displayName: string } | null;
  readonly proof: EarnedProof | null;
  readonly effects: readonly Effect[];
  readonly state: TutorState;
  /** What was noticed about the learner or refused to the engine, for widgets and logs. */
  readonly insights: readonly string[];
  readonly engine: 'packs' | 'llm';
}

/** A tutor. Engines decide what to say; the server decides what is kept. */
export interface TutorEngine {
  turn(input: TurnInput, signal: AbortSignal): Promise<TurnPlan>;
}
