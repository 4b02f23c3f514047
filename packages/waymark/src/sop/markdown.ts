/** A heading and everything below it, up to the next heading of its level or above. */
export interface Section {
  readonly level: number;
  readonly title: string;
  /** Of the heading line. */
  readonly start: number;
  /** Where the text below the heading begins. */
  readonly bodyStart: number;
  readonly end: number;
}

export interface Fence {
  /** First word behind the opening fence, in lower case. */
  readonly language: string;
  /** Of the opening fence. */
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Behind the closing fence. */
  readonly end: number;
  readonly closed: boolean;
}

export interface Outline {
  readonly sections: readonly Section[];
  readonly fences: readonly Fence[];
}

const longestHeading = 1000;
const fenceLine = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\r\n]*)/;
const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+([^\r\n]*))?\r?$/;

/** Headings and fenced blocks from `from` on. What looks like a heading inside a fence is none. */
export function outlineOf(text: string, from = 0): Outline {
  const headings: { level: number; title: string; start: number; bodyStart: number }[] = [];
  const fences: Fence[] = [];
  let open: { marker: string; language: string; start: number; contentStart: number } | undefined;
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, newline < 0 ? text.length : newline);
    const fence = fenceLine.exec(line);
    const [, , marker = '', info = ''] = fence ?? [];
    if (open) {
      const closes = marker[0] === open.marker[0] && marker.length >= open.marker.length && info.trim() === '';
      if (fence && closes) {
        const { language, start: opened, contentStart } = open;
        fences.push({ language, start: opened, contentStart, contentEnd: start, end: next, closed: true });
        open = undefined;
      }
    } else if (fence && !(marker.startsWith('`') && info.includes('`'))) {
      const language = /^\{?\.?([\w+-]*)/.exec(info.trim())?.[1]?.toLowerCase() ?? '';
      open = { marker, language, start, contentStart: next };
    } else {
      const heading = line.length <= longestHeading ? headingLine.exec(line) : null;
      if (heading) {
        const title = (heading[2] ?? '').replace(/[ \t]+#+[ \t]*$/, '').trim();
        headings.push({ level: heading[1]?.length ?? 1, title, start, bodyStart: next });
      }
    }
    start = next;
  }
  if (open) {
    const { language, start, contentStart } = open;
    fences.push({ language, start, contentStart, contentEnd: text.length, end: text.length, closed: false });
  }
  return { sections: closeSections(headings, text.length), fences };
}

type Heading = Omit<Section, 'end'>;

/** A section ends where a heading of its level or above begins. */
function closeSections(headings: readonly Heading[], end: number): Section[] {
  const sections: Section[] = [];
  /** Headings further down that can still end a section, the nearest last. */
  const following: Heading[] = [];
  for (const heading of headings.toReversed()) {
    while ((following.at(-1)?.level ?? 0) > heading.level) following.pop();
    sections.push({ ...heading, end: following.at(-1)?.start ?? end });
    following.push(heading);
  }
  return sections.toReversed();
}
