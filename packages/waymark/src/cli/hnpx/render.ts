import { writeFile } from 'node:fs/promises';
import { renderDocument, renderNode } from '../../hnpx/read/render.ts';
import { CliError } from '../cli-error.ts';
import type { RenderFlags } from '../hnpx.ts';
import { asCliError, openBook } from './open-book.ts';

export async function renderBook(file: string, flags: RenderFlags): Promise<void> {
  const book = await openBook(file);
  let text: string;
  try {
    if (flags.node || flags.outline) text = renderNode(book, flags.node ? book.require(flags.node) : 0);
    else if (flags.ids) text = renderNode(book, 0, { showMarkers: false });
    else {
      const sceneBreak = flags.headings ? '***' : '';
      text = renderDocument(book, { speakers: flags.speakers, headings: flags.headings, sceneBreak });
    }
  } catch (error) {
    throw await asCliError(error, file);
  }
  if (!flags.output) {
    process.stdout.write(`${text}\n`);
    return;
  }
  try {
    await writeFile(flags.output, `${text}\n`, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      code === 'EEXIST' ? `${flags.output} already exists` : `${flags.output} cannot be written (${code})`,
      2,
    );
  }
}
