import { outline, outlineText } from '../../hnpx/read/outline.ts';
import type { OutlineFlags } from '../hnpx.ts';
import { openBook } from './open-book.ts';

export async function printOutline(file: string, { depth, json }: OutlineFlags): Promise<void> {
  const entries = outline(await openBook(file), 0, depth);
  process.stdout.write(`${json ? JSON.stringify(entries, null, 2) : outlineText(entries)}\n`);
}
