import type { Concept, Outcome } from './model.ts';
import type { PackLibrary } from './pack-library.ts';

/** As the pack of the outcome teaches them; what it does not know of comes last. */
export function inTeachingOrder(
  library: PackLibrary,
  outcome: Outcome | undefined,
  required: readonly Concept[],
): Concept[] {
  const order = library.outcome(outcome?.packId ?? null, outcome?.packOutcomeId ?? null)?.requires ?? [];
  const place = ({ name }: Concept) => (order.includes(name) ? order.indexOf(name) : order.length);
  return required.toSorted((left, right) => place(left) - place(right));
}
