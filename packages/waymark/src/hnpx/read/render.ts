import type { Book } from '../book/book.ts';
import { level, type ParagraphMode, paragraphMode } from '../model.ts';

const openingQuotes = new Set(['"', '“', '«', '„', '‘', "'", '—', '–', '「', '”', '’', '»', '『']);

/** Dialogue in quotes, unless the author already marked it as speech. */
export function quoted(text: string): string {
  return openingQuotes.has(text.charAt(0)) ? text : `"${text}"`;
}

/** A thought in italics; every block of its own, because Markdown's emphasis ends at a blank line. */
export function italic(text: string): string {
  if (/^\*[^]*\*$/.test(text)) return text;
  return text
    .split(/(\n[ \t]*\n\s*)/)
    .map((block, position) => (position % 2 === 1 || block === '' ? block : `*${block}*`))
    .join('');
}

export function spokenText(book: Book, row: number): string {
  const text = book.text(row);
  return text === '' ? '' : voiced(text, book.mode(row));
}

function voiced(text: string, mode: ParagraphMode): string {
  return mode === 'dialogue' ? quoted(text) : mode === 'internal' ? italic(text) : text;
}

export interface RenderNodeOptions {
  /** The ids in brackets; on by default. */
  readonly showIds?: boolean;
  /** The lines that name books, chapters, sequences and beats; on by default. */
  readonly showMarkers?: boolean;
  /** The summaries of chapters and sequences; off by default. */
  readonly showSummaries?: boolean;
}

/** A node and its descendants in document order, indented by level. */
export function renderNode(book: Book, root: number, options: RenderNodeOptions = {}): string {
  const { showIds = true, showMarkers = true, showSummaries = false } = options;
  const lines: string[] = [];
  const rootLevel = book.index.level[root]!;
  let afterParagraph = false;
  for (let row = root; row < book.index.next[root]!; row++) {
    const indent = showMarkers ? '  '.repeat(book.index.level[row]! - rootLevel) : '';
    const id = showIds ? `[${book.id(row)}] ` : '';
    if (book.index.level[row] === level.paragraph) {
      if (afterParagraph) lines.push('');
      lines.push(...paragraphLines(book, row, id, showMarkers).map((line) => (line === '' ? '' : indent + line)));
      afterParagraph = true;
    } else if (showMarkers) {
      lines.push(`${indent}${id}${label(book, row)}`);
      const summary = oneLine(book.summary(row) ?? '');
      const isShown = ['chapter', 'sequence'].includes(book.kind(row)) && summary !== '';
      if (showSummaries && isShown) lines.push(`${indent}Summary: ${summary}`);
      afterParagraph = false;
    }
  }
  return lines.join('\n');
}

function paragraphLines(book: Book, row: number, id: string, showSummary: boolean): string[] {
  const summary = showSummary ? oneLine(book.summary(row) ?? '') : '';
  const text = spokenText(book, row).split('\n');
  if (summary === '') return [id + (text[0] ?? ''), ...text.slice(1)].map((line) => line.trimEnd());
  return book.index.written[row] === 0 ? [id + summary] : [id + summary, ...text];
}

function label(book: Book, row: number): string {
  const kind = book.kind(row);
  if (kind === 'book') return `Book: ${oneLine(book.summary(row) ?? '')}`;
  if (kind === 'beat') return `Beat: ${oneLine(book.summary(row) ?? '')}`;
  const pov = book.attribute(row, 'pov');
  const seenBy = pov ? ` (POV: ${pov})` : '';
  if (kind === 'chapter')
    return `Chapter ${book.position(row) + 1}: ${oneLine(book.attribute(row, 'title') ?? '')}${seenBy}`;
  return `Sequence: ${placeAndTime(book, row)}${seenBy}`;
}

export function placeAndTime(book: Book, row: number): string {
  const place = book.place(row);
  const time = book.attribute(row, 'time');
  return oneLine(place && time ? `${place} at ${time}` : (place ?? time ?? ''));
}

export function oneLine(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, ' ');
}

export interface RenderDocumentOptions {
  /** `name: "…"` before dialogue; on by default. */
  readonly speakers?: boolean;
  /** The chapter titles; off by default. */
  readonly headings?: boolean;
  /** What stands between two sequences of a chapter; nothing by default. */
  readonly sceneBreak?: string;
}

/** The book as continuous text. */
export function renderDocument(book: Book, options: RenderDocumentOptions = {}): string {
  const { speakers = true, headings = false, sceneBreak = '' } = options;
  const blocks: string[] = [];
  const { index } = book;
  let chapterHasText = false;
  let pendingBreak = false;
  for (let row = 0; row < index.count; row++) {
    const depth = index.level[row];
    if (depth === level.chapter) {
      chapterHasText = false;
      pendingBreak = false;
      if (headings) blocks.push(book.attribute(row, 'title') ?? '');
    } else if (depth === level.sequence) pendingBreak = chapterHasText;
    else if (depth === level.paragraph && index.written[row] === 1) {
      if (pendingBreak && sceneBreak !== '') blocks.push(sceneBreak);
      pendingBreak = false;
      chapterHasText = true;
      blocks.push(documentParagraph(book, row, speakers));
    }
  }
  return blocks.join('\n\n');
}

/** Reads the paragraph's tag only once: a whole book has tens of thousands of them. */
function documentParagraph(book: Book, row: number, speakers: boolean): string {
  const attributes = book.attributes(row);
  const mode = paragraphMode(attributes.get('mode'));
  const text = voiced(book.text(row), mode);
  const speaker = speakers && mode === 'dialogue' ? attributes.get('char') : undefined;
  return speaker ? `${speaker}: ${text}` : text;
}
