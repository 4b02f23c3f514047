import { resolve } from 'node:path';
import { exportBook, exportFormats, fileExtensions, formatOfPath } from '../../hnpx/export/export-book.ts';
import { createManuscript, titleFromPath } from '../../hnpx/export/manuscript.ts';
import { CliError } from '../cli-error.ts';
import type { ExportFlags } from '../hnpx.ts';
import { asCliError, openBook, workshopFor } from './open-book.ts';
import { createProgressBar } from './progress-bar.ts';

export async function exportFile(file: string, flags: ExportFlags): Promise<void> {
  const format = flags.format ?? (flags.output ? formatOfPath(flags.output) : undefined);
  if (!format) throw new CliError(`Say which format with --format: ${exportFormats.join(', ')}`, 2);
  const output = flags.output ?? `${file.replace(/\.(hnpx|xml)$/i, '')}.${fileExtensions[format]}`;
  const book = await openBook(file);
  const bar = createProgressBar(process.stderr);
  const onProgress = (done: number, total: number) => bar.show(done, total, `chapters of ${file}`);
  const manuscript = createManuscript(book, {
    title: flags.title ?? titleFromPath(file),
    author: flags.author,
    language: flags.language,
    modified: new Date(),
    onProgress,
  });
  bar.show(manuscript.chapters.length, manuscript.chapters.length, `writing ${output}`);
  const bytes = await exportBook(manuscript, format);
  const { files } = await workshopFor(output);
  try {
    await files.writeOther(resolve(output), bytes, flags.force ?? false);
  } catch (error) {
    bar.clear();
    const told = await asCliError(error, output);
    if (told instanceof CliError && told.message.startsWith('File already exists')) {
      throw new CliError(`${output} already exists; use --force to replace it`, 2);
    }
    throw told;
  }
  bar.clear();
  const chapters = manuscript.chapters.length;
  process.stderr.write(`Wrote ${output}: ${chapters} chapter${chapters === 1 ? '' : 's'}, ${bytes.length} bytes.\n`);
}
