export type Intent = 'add' | 'list' | 'complete' | 'delete' | 'update' | 'other';

/** One thing people say. The first rule whose pattern fits decides. */
export interface Rule {
  readonly id: string;
  readonly intent: Intent;
  readonly when: RegExp;
  readonly unless?: RegExp;
  /** Holds back where the object is none of ours ("cancel my flight"); then it is only a candidate. */
  readonly ours?: boolean;
  /** Words that make it only a candidate: "when is my phone bill due" may or may not be about a task. */
  readonly hold?: RegExp;
  /** A sentence this rule, and no earlier one, understands. */
  readonly example: string;
}
