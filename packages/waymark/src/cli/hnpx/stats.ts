import { bookStats } from '../../hnpx/read/stats.ts';
import { openBook } from './open-book.ts';

export async function printStats(file: string, flags: { readonly json?: boolean }): Promise<void> {
  const stats = bookStats(await openBook(file));
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(stats, null, 2)}\n`);
    return;
  }
  const lines = [
    `${number(stats.words)} words, about ${stats.reading_minutes} min to read`,
    `${stats.chapters} chapters, ${stats.sequences} sequences, ${stats.beats} beats, ${stats.paragraphs} paragraphs`,
    `${stats.progress_percent} % written: ${stats.beats_written} of ${stats.beats} beats have text, ${stats.empty_containers} nodes have nothing below`,
    '',
    ...table(
      stats.by_chapter.map(({ title, words, status }, position) => [
        `${position + 1}. ${title}`,
        number(words),
        status,
      ]),
    ),
    ...section('Point of view', stats.words_by_pov),
    ...section('Said and thought', stats.words_by_character),
    ...section('Mode', stats.words_by_mode),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function section(title: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).filter(([, words]) => words > 0);
  return rows.length === 0
    ? []
    : ['', `${title} (words)`, ...table(rows.map(([name, words]) => [name, number(words)]))];
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  return rows.map(([name = '', value = '', ...rest]) =>
    `  ${name.padEnd(first)}  ${value.padStart(second)}  ${rest.join('  ')}`.trimEnd(),
  );
}
