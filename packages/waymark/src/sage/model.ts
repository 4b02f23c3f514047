export const modes = [
  'check_in',
  'followup',
  'outcome_discovery',
  'framing',
  'probing',
  'teaching',
  'verification',
  'outcome_check',
] as const;
export type Mode = (typeof modes)[number];

export type Energy = 'low' | 'medium' | 'high';
export type Pace = 'patient' | 'moderate' | 'fast';
export type Depth = 'light' | 'standard' | 'deep';

/** What a check-in says; a field that was not sent is absent. */
export interface Checkin {
  readonly energy?: Energy | undefined;
  readonly timeAvailable?: number | undefined;
  readonly intention?: string | undefined;
  readonly environment?: string | undefined;
  readonly mindset?: string | undefined;
}

export interface Adaptations {
  readonly pace: Pace;
  readonly depth: Depth;
  readonly practiceEnabled: boolean;
}

export interface Learner {
  readonly id: string;
  readonly userId: string;
  readonly activeOutcomeId: string | null;
  readonly profile: LearnerProfile;
  readonly createdAt: Date;
}

export interface LearnerProfile {
  readonly name?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly pace?: Pace | undefined;
}

export type OutcomeStatus = 'active' | 'achieved' | 'paused' | 'abandoned';

export interface Outcome {
  readonly id: string;
  readonly goal: string;
  readonly packId: string | null;
  readonly packOutcomeId: string | null;
  readonly criteria: readonly string[];
  readonly status: OutcomeStatus;
  readonly createdAt: Date;
  readonly achievedAt: Date | null;
  readonly workedOnAt: Date;
}

export type ConceptStatus = 'identified' | 'teaching' | 'understood';

export interface Concept {
  readonly id: string;
  /** A snake_case name, unique for its learner. */
  readonly name: string;
  readonly displayName: string;
  readonly summary: string;
  readonly packId: string | null;
  readonly status: ConceptStatus;
  readonly discoveredFrom: string | null;
  readonly timesDiscussed: number;
  /** Checks answered solidly since the concept was last taught anew. */
  readonly passed: readonly PassedCheck[];
  readonly discoveredAt: Date;
  readonly understoodAt: Date | null;
}

export interface PassedCheck {
  readonly check: string;
  readonly kind: string;
  readonly prompt: string;
  /** The learner's words, verbatim, with the criterion they meet. */
  readonly quotes: readonly { readonly criterion: string; readonly quote: string }[];
  /** Optional criteria met, and questions it took. */
  readonly extra: number;
  readonly attempts: number;
}

export const demonstrationTypes = ['explanation', 'application', 'both'] as const;
export type DemonstrationType = (typeof demonstrationTypes)[number];

export interface Proof {
  readonly id: string;
  readonly conceptId: string;
  readonly sessionId: string | null;
  readonly demonstrationType: DemonstrationType;
  readonly confidence: number;
  readonly evidence: readonly PassedCheck[];
  readonly engine: string;
  /** The state of the review scheduler. */
  readonly card: string;
  readonly dueAt: Date;
  readonly earnedAt: Date;
}

export const edgeTypes = [
  'requires',
  'relates_to',
  'demonstrated_by',
  'explored_in',
  'builds_on',
  'applied_in',
] as const;
export type EdgeType = (typeof edgeTypes)[number];

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Session {
  readonly id: string;
  readonly outcomeId: string | null;
  readonly goal: string | null;
  readonly checkinToken: string;
  /** Every check-in as it was sent, oldest first. */
  readonly checkins: readonly Checkin[];
  readonly adaptations: Adaptations;
  readonly mode: Mode;
  readonly state: TutorState;
  readonly turns: number;
  readonly startedAt: Date;
  readonly lastTurnAt: Date | null;
  readonly activeMs: number;
  readonly endedAt: Date | null;
  readonly endReason: string | null;
  readonly summary: SessionEnd | null;
}

export interface SessionEnd {
  readonly summary: {
    readonly duration: number;
    readonly conceptsExplored: number;
    readonly proofsEarned: number;
    readonly modeBreakdown: Readonly<Record<string, number>>;
  };
  readonly nextSteps: readonly string[];
}

/** What the tutor keeps in mind between two messages of a session. */
export interface TutorState {
  /** The concept at hand, by name. */
  readonly focus?: string | undefined;
  /** The question the learner is answering. */
  readonly question?: Question | undefined;
  /** How often each concept was explained in this session: picks the approach. */
  readonly taught?: Readonly<Record<string, number>> | undefined;
  /** Probes asked, by concept. */
  readonly probed?: Readonly<Record<string, number>> | undefined;
  /** Reviews done or declined in this session, by proof. */
  readonly reviewed?: readonly string[] | undefined;
  /** A message put aside for a follow-up or a review: it is answered afterwards. */
  readonly held?: string | undefined;
  /** Outcomes offered, in the order of their numbers. */
  readonly offered?: readonly { readonly pack: string; readonly outcome: string }[] | undefined;
  /** A goal nobody can teach here, offered as a self-guided loop. */
  readonly unknownGoal?: string | undefined;
  /** Whether the learner was told that the time they had is over. */
  readonly timeTold?: boolean | undefined;
  /** Overrides the check-in: the learner asked for more or less. */
  readonly depth?: Depth | undefined;
}

export type Question =
  | { readonly kind: 'probe'; readonly concept: string; readonly probe: number }
  | {
      readonly kind: 'check';
      readonly concept: string;
      readonly check: string;
      /** What earlier answers to this question have met, with quotes. */
      readonly met: Readonly<Record<string, string>>;
      readonly attempts: number;
      /** A review of this proof. */
      readonly proof?: string | undefined;
    }
  | { readonly kind: 'followup'; readonly application: string }
  | { readonly kind: 'outcome' }
  | { readonly kind: 'choose' }
  | { readonly kind: 'self_pieces' }
  | { readonly kind: 'self_explain'; readonly concept: string };

export interface Application {
  readonly id: string;
  readonly outcomeId: string | null;
  readonly sessionId: string | null;
  readonly conceptIds: readonly string[];
  readonly context: string;
  /** `YYYY-MM-DD`. */
  readonly plannedDate: string | null;
  readonly status: 'upcoming' | 'pending_followup' | 'completed' | 'skipped';
  readonly result: 'went_well' | 'struggled' | 'mixed' | null;
  readonly notes: string | null;
  readonly createdAt: Date;
  readonly followedUpAt: Date | null;
}
