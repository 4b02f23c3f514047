import type { Manuscript } from './manuscript.ts';

export function toPlainText({ title, author, chapters }: Manuscript): string {
  const blocks = [title.toUpperCase(), author];
  for (const [position, chapter] of chapters.entries()) {
    blocks.push(`\n${position + 1}. ${chapter.title}`);
    for (const [scene, passages] of chapter.scenes.entries()) {
      if (scene > 0) blocks.push('* * *');
      blocks.push(...passages.map(({ lines, isThought }) => (isThought ? `_${lines.join('\n')}_` : lines.join('\n'))));
    }
  }
  return `${blocks.join('\n\n')}\n`;
}
