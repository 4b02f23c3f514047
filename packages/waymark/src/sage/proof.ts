import type { EarnedProof } from './engine.ts';
import type { PassedCheck } from './model.ts';
import type { PackConcept } from './pack-model.ts';

/** Two different checks, one of them more than an explanation. */
export function proofFrom(
  { id, name }: Pick<PackConcept, 'id' | 'name'>,
  passed: readonly PassedCheck[],
): EarnedProof | undefined {
  const used = passed.filter(({ kind }) => kind !== 'explain');
  const explained = passed.filter(({ kind }) => kind === 'explain');
  if (used.length === 0 || passed.length < 2) return undefined;
  const extra = passed.reduce((sum, check) => sum + check.extra, 0);
  const retries = passed.reduce((sum, { attempts }) => sum + attempts - 1, 0);
  const confidence = Math.min(0.9, Math.max(0.5, 0.8 + 0.05 * extra - 0.05 * retries));
  return {
    concept: id,
    displayName: name,
    demonstrationType: explained.length > 0 ? 'both' : 'application',
    confidence: Math.round(confidence * 100) / 100,
    evidence: passed,
  };
}
