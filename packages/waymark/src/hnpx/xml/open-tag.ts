import { decodeAttribute, escapeAttribute } from './text.ts';

export interface TagAttribute {
  readonly name: string;
  readonly value: string;
  /** The range including the white space before it. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly quote: '"' | "'";
}

const attribute = /[ \t\r\n]+([^ \t\r\n=/>]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes of a well-formed open tag, in the order they stand. */
export function parseOpenTag(tag: string): TagAttribute[] {
  const found: TagAttribute[] = [];
  for (const match of tag.matchAll(attribute)) {
    const [whole, name = '', double, single] = match;
    const raw = double ?? single ?? '';
    const end = match.index + whole.length;
    found.push({
      name,
      value: decodeAttribute(raw),
      start: match.index,
      end,
      valueStart: end - 1 - raw.length,
      quote: double === undefined ? "'" : '"',
    });
  }
  return found;
}

/**
 * Sets and removes attributes (null removes) and leaves every other character of the tag as it is.
 * A new attribute goes before the first one that follows it in `order`, else to the end.
 */
export function rewriteOpenTag(
  tag: string,
  changes: ReadonlyMap<string, string | null>,
  order: readonly string[],
): string {
  let result = tag;
  for (const [name, value] of changes) result = changeAttribute(result, name, value, order);
  return result;
}

function changeAttribute(tag: string, name: string, value: string | null, order: readonly string[]): string {
  const attributes = parseOpenTag(tag);
  const existing = attributes.find((candidate) => candidate.name === name);
  if (existing && value === null) return tag.slice(0, existing.start) + tag.slice(existing.end);
  if (existing && value !== null) {
    if (existing.value === value) return tag;
    return tag.slice(0, existing.valueStart) + escapeAttribute(value, existing.quote) + tag.slice(existing.end - 1);
  }
  if (value === null) return tag;
  const rank = order.indexOf(name);
  const follower = attributes.find((candidate) => order.indexOf(candidate.name) > rank);
  const at = follower?.start ?? attributes.at(-1)?.end ?? /^<[^ \t\r\n/>]+/.exec(tag)?.[0].length ?? 0;
  return `${tag.slice(0, at)} ${name}="${escapeAttribute(value)}"${tag.slice(at)}`;
}
