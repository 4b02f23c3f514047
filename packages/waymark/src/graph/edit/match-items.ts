import { isDeepStrictEqual } from 'node:util';

/** An item of the old list, of the new list, or of both. */
export interface ItemMatch {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Which old item has become which new one: by `name` or `id` where every item has one, else by
 * position. Undefined when items changed places, which no list of small edits can express.
 */
export function matchItems(current: readonly unknown[], desired: readonly unknown[]): ItemMatch[] | undefined {
  const key = (['name', 'id'] as const).find((name) => isUnique(current, name) && isUnique(desired, name));
  return key ? matchByKey(current, desired, key) : matchByPosition(current, desired);
}

function matchByKey(current: readonly unknown[], desired: readonly unknown[], key: string): ItemMatch[] | undefined {
  const placeOf = new Map(current.map((item, index) => [(item as Record<string, unknown>)[key], index]));
  const matches: ItemMatch[] = [];
  let next = 0;
  for (const [to, item] of desired.entries()) {
    const from = placeOf.get((item as Record<string, unknown>)[key]) ?? renamed(current, desired, to, key);
    if (from === undefined) {
      matches.push({ to });
      continue;
    }
    if (from < next) return undefined;
    for (; next < from; next++) matches.push({ from: next });
    matches.push({ from, to });
    next = from + 1;
  }
  for (; next < current.length; next++) matches.push({ from: next });
  return matches;
}

/** An item whose key alone changed: same length, same place, and the old key is gone. */
function renamed(
  current: readonly unknown[],
  desired: readonly unknown[],
  at: number,
  key: string,
): number | undefined {
  if (current.length !== desired.length) return undefined;
  const old = (current[at] as Record<string, unknown>)[key];
  return desired.some((item) => (item as Record<string, unknown>)[key] === old) ? undefined : at;
}

function matchByPosition(current: readonly unknown[], desired: readonly unknown[]): ItemMatch[] {
  const longest = Math.max(current.length, desired.length);
  const shared = Math.min(current.length, desired.length);
  let prefix = 0;
  while (prefix < shared && isDeepStrictEqual(current[prefix], desired[prefix])) prefix++;
  let suffix = 0;
  while (suffix < shared - prefix && isDeepStrictEqual(current.at(-1 - suffix), desired.at(-1 - suffix))) suffix++;
  const matches: ItemMatch[] = [];
  for (let index = 0; index < longest - suffix; index++) {
    matches.push({
      ...(index < current.length - suffix ? { from: index } : {}),
      ...(index < desired.length - suffix ? { to: index } : {}),
    });
  }
  for (let back = suffix; back > 0; back--) matches.push({ from: current.length - back, to: desired.length - back });
  return matches;
}

function isUnique(items: readonly unknown[], key: string): boolean {
  const values = items.map((item) =>
    typeof item === 'object' && item !== null && Object.hasOwn(item, key)
      ? (item as Record<string, unknown>)[key]
      : undefined,
  );
  return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
}
