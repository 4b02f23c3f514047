import type { Secret } from './model.ts';

export type Redact = <T>(value: T) => T;

/** Shorter values would hide half of everything. */
const shortestSecret = 4;

/** A function that replaces secret values by the names they came from, wherever they stand in texts and keys. */
export function createRedactor(secrets: readonly Secret[]): Redact {
  const telling = secrets
    .filter(({ value }) => value.length >= shortestSecret)
    .toSorted((left, right) => right.value.length - left.value.length);
  if (telling.length === 0) return (value) => value;
  const clean = (text: string) =>
    telling.reduce(
      (rest, { name, value }) => (rest.includes(value) ? rest.replaceAll(value, `\${${name}}`) : rest),
      text,
    );
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return mapIfChanged(value, walk);
    let changed = false;
    const entries = Object.entries(value).map(([key, item]) => {
      const entry = [clean(key), walk(item)] as const;
      changed ||= entry[0] !== key || entry[1] !== item;
      return entry;
    });
    return changed ? Object.fromEntries(entries) : value;
  };
  return <T>(value: T) => walk(value) as T;
}

function mapIfChanged(array: unknown[], change: (value: unknown) => unknown): unknown[] {
  const mapped = array.map(change);
  return mapped.some((value, index) => value !== array[index]) ? mapped : array;
}
