import { createHash } from 'node:crypto';
import type { Book } from '../book/book.ts';
import { level } from '../model.ts';
import { quoted } from '../read/render.ts';

/** One paragraph as readers see it; `lines` are separated by line breaks. */
export interface Passage {
  readonly isThought: boolean;
  readonly lines: readonly string[];
}

export interface ManuscriptChapter {
  readonly id: string;
  readonly title: string;
  /** Sequences with text; a break stands between two of them. */
  readonly scenes: readonly (readonly Passage[])[];
}

/** A book without its plan: what every export format is made from. */
export interface Manuscript {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly description: string;
  /** A UUID that stays the same as long as the book and its title do. */
  readonly identifier: string;
  readonly modified: Date;
  readonly chapters: readonly ManuscriptChapter[];
}

export interface ManuscriptOptions {
  readonly title: string;
  readonly author?: string | undefined;
  readonly language?: string | undefined;
  readonly modified: Date;
  /** Chapters in which nothing is written yet are left out unless asked for. */
  readonly includeEmptyChapters?: boolean | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

export function createManuscript(book: Book, options: ManuscriptOptions): Manuscript {
  const rows = book.children(0);
  const chapters = rows.map((chapter, position) => {
    options.onProgress?.(position, rows.length);
    return {
      id: book.id(chapter),
      title: book.attribute(chapter, 'title') ?? `Chapter ${position + 1}`,
      scenes: book
        .children(chapter)
        .map((sequence) => passagesOf(book, sequence))
        .filter((scene) => scene.length > 0),
    };
  });
  return {
    title: options.title,
    author: options.author?.trim() || 'Anonymous',
    language: options.language?.trim() || 'en',
    description: book.summary(0) ?? '',
    identifier: stableUuid(`${book.id(0)}\n${options.title}`),
    modified: options.modified,
    chapters: options.includeEmptyChapters ? chapters : chapters.filter(({ scenes }) => scenes.length > 0),
  };
}

function passagesOf(book: Book, sequence: number): Passage[] {
  const passages: Passage[] = [];
  for (let row = sequence + 1; row < book.index.next[sequence]!; row++) {
    if (book.index.level[row] !== level.paragraph || book.index.written[row] === 0) continue;
    const mode = book.mode(row);
    const text = mode === 'dialogue' ? quoted(book.text(row)) : book.text(row);
    for (const block of text.split(/\n[ \t]*\n\s*/)) {
      passages.push({ isThought: mode === 'internal', lines: block.split('\n').map((line) => line.trim()) });
    }
  }
  return passages;
}

function stableUuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A title from a file's name: `the-far_side.hnpx` is "The far side". */
export function titleFromPath(path: string): string {
  const name = path.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const words = name
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1);
}
