import type { FactValue, Requirement } from './model.ts';

/**
 * Reads `requires:` in any of its forms: `user_id`, `status == pending`, `{ status: pending }`,
 * `{ status: [pending, open] }`, or a list of these. Undefined when it is none of them.
 */
export function parseRequirements(value: unknown): Requirement[] | undefined {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') {
    const requirement = parseCondition(value);
    return requirement && [requirement];
  }
  if (Array.isArray(value)) {
    const parts = value.map((item) => parseRequirements(item));
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  if (typeof value !== 'object') return undefined;
  const requirements: Requirement[] = [];
  for (const [fact, wanted] of Object.entries(value)) {
    const values: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    if (wanted === null) requirements.push({ fact });
    else if (values.every(isFactValue) && values.length > 0) requirements.push({ fact, values });
    else return undefined;
  }
  return requirements;
}

function parseCondition(text: string): Requirement | undefined {
  const match = /^\s*([\w.-]+)\s*(?:==?\s*(.+?))?\s*$/.exec(text);
  const [, fact, value] = match ?? [];
  if (!fact) return undefined;
  return value === undefined ? { fact } : { fact, values: [readValue(value)] };
}

function readValue(text: string): FactValue {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2] ?? '';
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

function isFactValue(value: unknown): value is FactValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The requirements that the facts on record do not meet. `1` and `"1"` count as the same value. */
export function unmet(
  requirements: readonly Requirement[] | undefined,
  facts: ReadonlyMap<string, FactValue>,
): Requirement[] {
  return (requirements ?? []).filter(({ fact, values }) => {
    const value = facts.get(fact);
    if (value === undefined) return true;
    return values !== undefined && !values.some((wanted) => String(wanted) === String(value));
  });
}

export function describeRequirement({ fact, values }: Requirement): string {
  return values ? `${fact} = ${values.join(' or ')}` : fact;
}
