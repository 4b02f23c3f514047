import type { Book } from '../book/book.ts';
import { level } from '../model.ts';
import { findMatches } from './match.ts';
import { countWords } from './words.ts';

export interface Character {
  readonly name: string;
  readonly dialogue_paragraphs: number;
  readonly thought_paragraphs: number;
  readonly words: number;
  readonly pov_chapters: readonly string[];
  readonly pov_sequences: readonly string[];
  /** Times the name stands in a text. */
  readonly mentions: number;
  readonly chapters: readonly string[];
  readonly first_id: string | null;
  readonly last_id: string | null;
}

interface Tally {
  dialogue: number;
  thoughts: number;
  words: number;
  mentions: number;
  readonly povChapters: string[];
  readonly povSequences: string[];
  readonly rows: number[];
}

/** Everyone who speaks, thinks or sees, with where they appear. */
export function characters(book: Book): Character[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (name: string): Tally => {
    const known = tallies.get(name);
    if (known) return known;
    const fresh: Tally = {
      dialogue: 0,
      thoughts: 0,
      words: 0,
      mentions: 0,
      povChapters: [],
      povSequences: [],
      rows: [],
    };
    tallies.set(name, fresh);
    return fresh;
  };
  const paragraphs: number[] = [];
  for (let row = 0; row < book.count; row++) {
    const depth = book.index.level[row];
    const pov = depth === level.chapter || depth === level.sequence ? book.attribute(row, 'pov') : undefined;
    if (pov) tallyOf(pov)[depth === level.chapter ? 'povChapters' : 'povSequences'].push(book.id(row));
    if (depth !== level.paragraph) continue;
    paragraphs.push(row);
    const name = book.effectiveChar(row);
    if (!name) continue;
    const tally = tallyOf(name);
    if (book.mode(row) === 'internal') tally.thoughts++;
    else tally.dialogue++;
    tally.words += countWords(book.text(row));
    tally.rows.push(row);
  }
  countMentions(book, paragraphs, tallies);
  return [...tallies]
    .map(([name, tally]) => describe(book, name, tally))
    .toSorted((left, right) => right.words - left.words || left.name.localeCompare(right.name));
}

function countMentions(book: Book, paragraphs: readonly number[], tallies: ReadonlyMap<string, Tally>): void {
  const texts = paragraphs.map((row) => book.text(row));
  for (const [name, tally] of tallies) {
    for (const [position, matches] of findMatches({ query: name, whole_word: true }, texts).entries()) {
      if (matches.length === 0) continue;
      tally.mentions += matches.length;
      tally.rows.push(paragraphs[position]!);
    }
  }
}

function describe(book: Book, name: string, tally: Tally): Character {
  const rows = tally.rows.toSorted((left, right) => left - right);
  const chapters = new Set(rows.map((row) => book.path(row)[level.chapter]).filter((row) => row !== undefined));
  const [first] = rows;
  const last = rows.at(-1);
  return {
    name,
    dialogue_paragraphs: tally.dialogue,
    thought_paragraphs: tally.thoughts,
    words: tally.words,
    pov_chapters: tally.povChapters,
    pov_sequences: tally.povSequences,
    mentions: tally.mentions,
    chapters: [...chapters].map((row) => book.id(row)),
    first_id: first === undefined ? null : book.id(first),
    last_id: last === undefined ? null : book.id(last),
  };
}
