/**
 * The diagram as its grammar sees it: comments, directives, the YAML block on top and carriage returns
 * are cut out. Every position can be led back to the text as it was written.
 */
export interface PreparedText {
  readonly text: string;
  /** The offset in the original text of the character at `position`. */
  originOf(position: number): number;
}

interface Segment {
  /** Where the segment starts in the prepared text and in the original. */
  readonly position: number;
  readonly origin: number;
}

const lineEnd = /\r\n?/g;
const htmlTag = /<\w+[^>]*>/g;
const yamlBlock = /^---\s*\n[\s\S]*?\n---\s*\n+/;
const directive = /%%\{[\s\S]*?\}%%/g;
const commentLine = /^\s*%%(?!\{)[^\n]*(?:\n|$)/gm;
const leadingBlank = /^\s+/;
/** Blanks between a closing brace and the end of its line. */
const afterBrace = /(?<=\})\s+(?=\n)/g;
/** The semicolon behind a colour would otherwise read as the end of an entity such as `#35;`. */
const colours = [/style.*:\S*#.*;/g, /classDef.*:\S*#.*;/g] as const;

export function prepareText(source: string): PreparedText {
  let prepared: PreparedText = { text: source, originOf: (position) => position };
  if (source.includes('\r')) {
    prepared = cut(prepared, lineEnd, (ending) => (ending.length === 2 ? [0, 1] : undefined));
    prepared = { ...prepared, text: prepared.text.replaceAll('\r', '\n') };
  }
  if (prepared.text.startsWith('---')) prepared = cut(prepared, yamlBlock);
  if (prepared.text.includes('%%')) {
    prepared = cut(prepared, directive);
    prepared = cut(prepared, commentLine);
  }
  prepared = cut(prepared, leadingBlank);
  if (prepared.text.includes('#')) {
    for (const colour of colours) prepared = cut(prepared, colour, ({ length }) => [length - 1, length]);
  }
  prepared = cut(prepared, afterBrace);
  if (!prepared.text.includes('="')) return prepared;
  const text = prepared.text.replace(htmlTag, (tag) => tag.replace(/="([^"]*)"/g, "='$1'"));
  return { ...prepared, text };
}

/** Removes every match, or the part of it that `part` names. */
function cut(
  prepared: PreparedText,
  pattern: RegExp,
  part: (match: string) => readonly [start: number, end: number] | undefined = (match) => [0, match.length],
): PreparedText {
  const { text } = prepared;
  const segments: Segment[] = [];
  const kept: string[] = [];
  let length = 0;
  let from = 0;
  const keep = (start: number, end: number) => {
    segments.push({ position: length, origin: start });
    kept.push(text.slice(start, end));
    length += end - start;
  };
  pattern.lastIndex = 0;
  for (const match of pattern.global ? text.matchAll(pattern) : [pattern.exec(text)]) {
    const removed = match && part(match[0]);
    if (!match || !removed || removed[0] === removed[1]) continue;
    keep(from, match.index + removed[0]);
    from = match.index + removed[1];
  }
  if (from === 0) return prepared;
  keep(from, text.length);
  return {
    text: kept.join(''),
    originOf(position) {
      let low = 0;
      let high = segments.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((segments[middle]?.position ?? 0) <= position) low = middle;
        else high = middle - 1;
      }
      const segment = segments[low] ?? { position: 0, origin: 0 };
      return prepared.originOf(segment.origin + position - segment.position);
    },
  };
}
