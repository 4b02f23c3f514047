/**
 * The diagram as its grammar sees it: comments, directives, the YAML block on top and carriage returns
 * are cut out. Every position can be led back to the text as it was written.
 */
export interface PreparedText {
  readonly text: string;
  /** The offset in the original text of the character at `position`. */
  originOf(position: number): number;
}

const lineEnd = /\r\n?/g;
const htmlTag = /<\w+[^>]*>/g;
const yamlBlock = /^---\s*\n[\s\S]*?\n---\s*\n+/;
const directive = /%%\{[\s\S]*?\}%%/g;
const commentLine = /^\s*%%(?!\{)[^\n]*(?:\n|$)/gm;
const leadingBlank = /^\s+/;
/** Blanks between a closing brace and the end of its line. */
const afterBrace = /\}\s+(?=\n)/g;
/** The semicolon behind a colour would otherwise read as the end of an entity such as `#35;`. */
const colours = [/style.*:\S*#.*;/g, /classDef.*:\S*#.*;/g] as const;

export function prepareText(source: string): PreparedText {
  let draft: Draft = { text: source, origins: undefined };
  if (source.includes('\r')) {
    draft = cut(draft, lineEnd, (ending) => (ending.length === 2 ? [0, 1] : undefined));
    draft = { ...draft, text: draft.text.replaceAll('\r', '\n') };
  }
  if (draft.text.startsWith('---')) draft = cut(draft, yamlBlock);
  if (draft.text.includes('%%')) {
    draft = cut(draft, directive);
    draft = cut(draft, commentLine);
  }
  draft = cut(draft, leadingBlank);
  if (draft.text.includes('#')) {
    for (const colour of colours) draft = cut(draft, colour, ({ length }) => [length - 1, length]);
  }
  draft = cut(draft, afterBrace, ({ length }) => [1, length]);
  const { origins } = draft;
  const text = draft.text.includes('="')
    ? draft.text.replace(htmlTag, (tag) => tag.replace(/="([^"]*)"/g, "='$1'"))
    : draft.text;
  return { text, originOf: (position) => origins?.[position] ?? (origins ? source.length : position) };
}

interface Draft {
  readonly text: string;
  /** Where each character stood; undefined as long as nothing was cut. */
  readonly origins: Uint32Array | undefined;
}

/** Removes every match, or the part of it that `part` names. */
function cut(
  draft: Draft,
  pattern: RegExp,
  part: (match: string) => readonly [start: number, end: number] | undefined = (match) => [0, match.length],
): Draft {
  const { text } = draft;
  const kept: (readonly [start: number, end: number])[] = [];
  let from = 0;
  for (const match of pattern.global ? text.matchAll(pattern) : [pattern.exec(text)]) {
    const removed = match && part(match[0]);
    if (!match || !removed || removed[0] === removed[1]) continue;
    kept.push([from, match.index + removed[0]]);
    from = match.index + removed[1];
  }
  if (kept.length === 0) return draft;
  kept.push([from, text.length]);
  const before = draft.origins ?? countUp(text.length);
  const origins = new Uint32Array(kept.reduce((length, [start, end]) => length + end - start, 0));
  let position = 0;
  for (const [start, end] of kept) {
    origins.set(before.subarray(start, end), position);
    position += end - start;
  }
  return { text: kept.map(([start, end]) => text.slice(start, end)).join(''), origins };
}

function countUp(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index++) numbers[index] = index;
  return numbers;
}
