import type { Manuscript, Passage } from './manuscript.ts';

export function toMarkdown(manuscript: Manuscript): string {
  const { title, author, chapters } = manuscript;
  const blocks = [`# ${escape(title)}`, `*${escape(author)}*`];
  if (chapters.length > 1) {
    blocks.push(chapters.map(({ title: name, id }) => `- [${escape(name)}](#${id})`).join('\n'));
  }
  for (const chapter of chapters) {
    blocks.push(`## <a id="${chapter.id}"></a>${escape(chapter.title)}`);
    for (const [position, scene] of chapter.scenes.entries()) {
      if (position > 0) blocks.push('* * *');
      blocks.push(...scene.map(passageMarkdown));
    }
  }
  return `${blocks.join('\n\n')}\n`;
}

function passageMarkdown({ isThought, lines }: Passage): string {
  // Two backslashed line ends are Markdown's line break.
  const text = lines.map((line) => escapeLine(line)).join('\\\n');
  return isThought ? `*${text}*` : text;
}

/** Whatever Markdown would take for markup inside a line. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>~]|&(?=#?\w+;)/g, String.raw`\$&`).replaceAll(/\s*\n\s*/g, ' ');
}

/** And what it would take for a heading, a list, a rule or a quotation at the start of one. */
function escapeLine(line: string): string {
  return escape(line)
    .replace(/^(#{1,6}|[-+=])(?=\s|$|-)/, String.raw`\$1`)
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`);
}
