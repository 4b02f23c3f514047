import { isBlank } from './lexer.ts';

/**
 * The diagram as its grammar sees it: comments, directives, the YAML block on top and carriage returns
 * are cut out. Every position can be led back to the text as it was written.
 */
export interface PreparedText {
  readonly text: string;
  /** The offset in the original text of the character at `position`. */
  originOf(position: number): number;
}

type Cut = readonly [start: number, end: number];

// Every search below takes time in proportion to the text, whatever the text is.

export function prepareText(source: string): PreparedText {
  let draft: Draft = { text: source, origins: undefined };
  if (source.includes('\r')) {
    draft = cut(
      draft,
      [...source.matchAll(/\r\n/g)].map(({ index }) => [index, index + 1]),
    );
    draft = { ...draft, text: draft.text.replaceAll('\r', '\n') };
  }
  if (draft.text.startsWith('---')) draft = cut(draft, yamlBlock(draft.text));
  if (draft.text.includes('%%')) {
    draft = cut(draft, directives(draft.text));
    draft = cut(draft, comments(draft.text));
  }
  const blanks = draft.text.length - draft.text.trimStart().length;
  draft = cut(draft, blanks > 0 ? [[0, blanks]] : []);
  if (draft.text.includes('#')) {
    draft = cut(draft, semicolonsAfterColours(draft.text, 'style'));
    draft = cut(draft, semicolonsAfterColours(draft.text, 'classDef'));
  }
  draft = cut(draft, blanksAfterBraces(draft.text));
  const { origins } = draft;
  const text = draft.text.includes('="') ? withSingleQuotesInTags(draft.text) : draft.text;
  return { text, originOf: (position) => origins?.[position] ?? (origins ? source.length : position) };
}

/** The block between `---` lines on top. */
function yamlBlock(text: string): Cut[] {
  const [opening] = /^---[^\S\n]*\n/.exec(text) ?? [];
  if (!opening) return [];
  const closing = /^---[^\S\n]*\n/gm;
  closing.lastIndex = opening.length;
  const match = closing.exec(text);
  return match ? [[0, match.index + match[0].length]] : [];
}

function directives(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (let start = text.indexOf('%%{'); start >= 0;) {
    const end = text.indexOf('}%%', start);
    if (end < 0) break;
    cuts.push([start, end + 3]);
    start = text.indexOf('%%{', end + 3);
  }
  return cuts;
}

/** Lines that are comments, and the blank lines right above them. */
function comments(text: string): Cut[] {
  const cuts: Cut[] = [];
  let blankFrom = -1;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, next).trim();
    if (line.startsWith('%%') && !line.startsWith('%%{')) cuts.push([blankFrom >= 0 ? blankFrom : start, next]);
    if (line !== '') blankFrom = -1;
    else if (blankFrom < 0) blankFrom = start;
    start = next;
  }
  return cuts;
}

/** The semicolon behind a colour would otherwise read as the end of an entity such as `#35;`. */
function semicolonsAfterColours(text: string, keyword: string): Cut[] {
  const cuts: Cut[] = [];
  for (let at = text.indexOf(keyword); at >= 0;) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 ? text.length : newline;
    const semicolon = text.lastIndexOf(';', lineEnd - 1);
    if (semicolon > at && /:\S*#/.test(text.slice(at + keyword.length, semicolon)))
      cuts.push([semicolon, semicolon + 1]);
    at = text.indexOf(keyword, lineEnd);
  }
  return cuts;
}

/** Blanks between a closing brace and the last line break behind it. */
function blanksAfterBraces(text: string): Cut[] {
  const cuts: Cut[] = [];
  for (let brace = text.indexOf('}'); brace >= 0; brace = text.indexOf('}', brace + 1)) {
    let end = brace + 1;
    while (isBlank(text[end])) end++;
    const newline = text.lastIndexOf('\n', end - 1);
    if (newline > brace + 1) cuts.push([brace + 1, newline]);
  }
  return cuts;
}

/** In HTML the attributes may have double quotes, which would end a label. */
function withSingleQuotesInTags(text: string): string {
  const lastTagEnd = text.lastIndexOf('>') + 1;
  const quoted = (tag: string) => tag.replace(/="([^"]*)"/g, "='$1'");
  return text.slice(0, lastTagEnd).replace(/<\w+[^>]*>/g, quoted) + text.slice(lastTagEnd);
}

interface Draft {
  readonly text: string;
  /** Where each character stood; undefined as long as nothing was cut. */
  readonly origins: Uint32Array | undefined;
}

/** Removes ranges that are in order and do not overlap. */
function cut({ text, origins: before }: Draft, cuts: readonly Cut[]): Draft {
  if (cuts.length === 0) return { text, origins: before };
  const kept: Cut[] = [];
  let from = 0;
  for (const [start, end] of cuts) {
    kept.push([from, start]);
    from = end;
  }
  kept.push([from, text.length]);
  const known = before ?? countUp(text.length);
  const origins = new Uint32Array(kept.reduce((length, [start, end]) => length + end - start, 0));
  let position = 0;
  for (const [start, end] of kept) {
    origins.set(known.subarray(start, end), position);
    position += end - start;
  }
  return { text: kept.map(([start, end]) => text.slice(start, end)).join(''), origins };
}

function countUp(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index++) numbers[index] = index;
  return numbers;
}
