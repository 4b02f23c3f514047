import type { Book } from '../book/book.ts';
import { level } from '../model.ts';
import { wholeSlice } from '../xml/text.ts';
import { oneLine, placeAndTime, spokenText } from './render.ts';

export interface WritingContext {
  readonly text: string;
  readonly path: readonly { id: string; type: string; heading: string; summary: string | null }[];
  readonly siblings: readonly { id: string; summary: string; is_target: boolean }[];
  readonly pov: string | null;
  readonly previous_text: string;
  readonly next_text: string;
  readonly truncated: boolean;
}

/** About four characters of English make a token. */
const charactersPerToken = 4;

/**
 * What a writer needs to know to write or rewrite a node: the plan above it, its neighbours, and
 * the text before and after, as much as fits the budget. The text before matters most.
 */
export function writingContext(book: Book, row: number, maxTokens: number): WritingContext {
  const path = book.path(row).map((step) => ({
    id: book.id(step),
    type: book.kind(step),
    heading: heading(book, step),
    summary: book.summary(step) ?? null,
  }));
  const parent = book.parent(row);
  const siblings = (parent < 0 ? [row] : book.children(parent)).map((sibling) => ({
    id: book.id(sibling),
    summary: book.summary(sibling) ?? shortened(book.text(sibling)),
    is_target: sibling === row,
  }));
  const pov = book.effectivePov(row);
  const plan = [
    '# Where you are',
    ...path.map(
      (step, depth) =>
        `${'  '.repeat(depth)}${step.heading} [${step.id}]${step.summary ? `: ${oneLine(step.summary)}` : ''}`,
    ),
    ...(pov ? [`Point of view: ${pov}`] : []),
    '',
    '# Its siblings',
    ...siblings.map(({ id, summary, is_target: isTarget }) => `${isTarget ? '>' : '-'} [${id}] ${oneLine(summary)}`),
  ].join('\n');

  const budget = Math.max(0, maxTokens * charactersPerToken - plan.length);
  const nextBudget = Math.floor(budget / 5);
  const next = takeText(book, following(book, row), nextBudget);
  const previous = takeText(book, preceding(book, row), budget - next.text.length);
  const previousText = previous.blocks.toReversed().join('\n\n');
  const parts = [plan, `# The text before\n${previousText || '(nothing yet)'}`];
  if (next.text !== '') parts.push(`# The text after\n${next.text}`);
  return {
    text: parts.join('\n\n'),
    path,
    siblings,
    pov,
    previous_text: previousText,
    next_text: next.text,
    truncated: previous.isCut || next.isCut,
  };
}

function heading(book: Book, row: number): string {
  const kind = book.kind(row);
  if (kind === 'chapter') return `Chapter ${book.position(row) + 1} "${book.attribute(row, 'title') ?? ''}"`;
  if (kind === 'sequence') return `Sequence (${placeAndTime(book, row)})`;
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function* preceding(book: Book, row: number): Iterable<number> {
  for (let current = row - 1; current > 0; current--) yield current;
}

function* following(book: Book, row: number): Iterable<number> {
  for (let current = book.index.next[row]!; current < book.count; current++) yield current;
}

function takeText(
  book: Book,
  rows: Iterable<number>,
  budget: number,
): { blocks: string[]; text: string; isCut: boolean } {
  const blocks: string[] = [];
  let used = 0;
  for (const row of rows) {
    if (book.index.level[row] !== level.paragraph || book.index.written[row] === 0) continue;
    const block = spokenText(book, row);
    used += block.length + 2;
    if (used > budget) return { blocks, text: blocks.join('\n\n'), isCut: true };
    blocks.push(block);
  }
  return { blocks, text: blocks.join('\n\n'), isCut: false };
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${wholeSlice(text, 0, 79)}…`;
}
