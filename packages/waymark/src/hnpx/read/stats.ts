import type { Book } from '../book/book.ts';
import { level, type ParagraphMode, paragraphModes } from '../model.ts';
import { measureProgress, type Status } from './progress.ts';

const wordsPerMinute = 240;

export interface ChapterStats {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly words: number;
  readonly paragraphs: number;
  readonly beats: number;
  readonly beats_written: number;
}

export interface BookStats {
  readonly words: number;
  readonly reading_minutes: number;
  readonly chapters: number;
  readonly sequences: number;
  readonly beats: number;
  readonly paragraphs: number;
  readonly paragraphs_written: number;
  readonly beats_written: number;
  readonly empty_containers: number;
  /** Beats with text, in percent of all beats; a branch without beats yet counts as one unwritten beat. */
  readonly progress_percent: number;
  readonly words_by_mode: Readonly<Record<ParagraphMode, number>>;
  readonly words_by_pov: Readonly<Record<string, number>>;
  readonly words_by_character: Readonly<Record<string, number>>;
  readonly by_chapter: readonly ChapterStats[];
}

/** How much is planned, how much is written, and by whom it is told. */
export function bookStats(book: Book, root = 0): BookStats {
  const { words, status } = measureProgress(book);
  const { level: levels, next, written } = book.index;
  const end = next[root]!;
  const counts = [0, 0, 0, 0, 0];
  const byMode: Record<ParagraphMode, number> = { narration: 0, dialogue: 0, internal: 0 };
  const byPov = new Map<string, number>();
  const byCharacter = new Map<string, number>();
  let [beatsWritten, paragraphsWritten, empty, unplanned] = [0, 0, 0, 0];
  for (let row = root; row < end; row++) {
    const depth = levels[row]!;
    counts[depth]!++;
    if (depth < level.paragraph && next[row] === row + 1) {
      empty++;
      if (depth < level.beat) unplanned++;
    }
    if (depth === level.beat && words[row]! > 0) beatsWritten++;
    if (depth !== level.paragraph || written[row] === 0) continue;
    paragraphsWritten++;
    const mode = book.mode(row);
    byMode[mode] += words[row]!;
    add(byPov, book.effectivePov(row) ?? '(none)', words[row]!);
    const character = mode === 'narration' ? null : book.effectiveChar(row);
    if (character) add(byCharacter, character, words[row]!);
  }
  const chapters = [...range(root, end)].filter((row) => levels[row] === level.chapter);
  const planned = counts[level.beat]! + unplanned;
  return {
    words: words[root]!,
    reading_minutes: Math.ceil(words[root]! / wordsPerMinute),
    chapters: counts[level.chapter]!,
    sequences: counts[level.sequence]!,
    beats: counts[level.beat]!,
    paragraphs: counts[level.paragraph]!,
    paragraphs_written: paragraphsWritten,
    beats_written: beatsWritten,
    empty_containers: empty,
    progress_percent: planned === 0 ? (words[root]! > 0 ? 100 : 0) : Math.round((beatsWritten / planned) * 100),
    words_by_mode: Object.fromEntries(paragraphModes.map((mode) => [mode, byMode[mode]])) as Record<
      ParagraphMode,
      number
    >,
    words_by_pov: sorted(byPov),
    words_by_character: sorted(byCharacter),
    by_chapter: chapters.map((row) => ({ ...chapterStats(book, row, words), status: status[row] ?? 'empty' })),
  };
}

function chapterStats(book: Book, chapter: number, words: Int32Array): Omit<ChapterStats, 'status'> {
  const rows = [...range(chapter, book.index.next[chapter]!)];
  const beats = rows.filter((row) => book.index.level[row] === level.beat);
  return {
    id: book.id(chapter),
    title: book.attribute(chapter, 'title') ?? '',
    words: words[chapter]!,
    paragraphs: rows.filter((row) => book.index.level[row] === level.paragraph).length,
    beats: beats.length,
    beats_written: beats.filter((row) => words[row]! > 0).length,
  };
}

export function* range(from: number, to: number): Iterable<number> {
  for (let value = from; value < to; value++) yield value;
}

function add(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([, left], [, right]) => right - left));
}
