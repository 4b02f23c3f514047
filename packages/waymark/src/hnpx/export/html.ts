import { escapeAttribute, escapeText } from '../xml/text.ts';
import type { Manuscript, ManuscriptChapter, Passage } from './manuscript.ts';

export const stylesheet = `body { font-family: Georgia, "Times New Roman", serif; line-height: 1.5; margin: 0 auto; max-width: 38em; padding: 1em; }
h1, h2, .author { text-align: center; }
h1 { margin-top: 3em; }
h2 { margin-top: 3em; margin-bottom: 1.5em; }
p { margin: 0; text-indent: 1.5em; }
h2 + p, hr + p, .author { text-indent: 0; }
hr { border: 0; margin: 1.5em 0; text-align: center; }
hr::before { content: "* * *"; }
nav ol { list-style: none; padding: 0; }
`;

/** The passages of a chapter; valid as HTML and as XHTML. */
export function chapterBody({ scenes }: ManuscriptChapter): string {
  return scenes.map((scene) => scene.map(passageHtml).join('\n')).join('\n<hr/>\n');
}

function passageHtml({ isThought, lines }: Passage): string {
  const text = lines.map((line) => escapeText(line)).join('<br/>\n');
  return isThought ? `<p><em>${text}</em></p>` : `<p>${text}</p>`;
}

/** One page that needs nothing else. */
export function toHtml(manuscript: Manuscript): string {
  const { title, author, language, description, chapters } = manuscript;
  const contents = chapters
    .map(({ id, title: name }) => `<li><a href="#c-${id}">${escapeText(name)}</a></li>`)
    .join('\n');
  const sections = chapters.map(
    (chapter) =>
      `<section id="c-${chapter.id}">\n<h2>${escapeText(chapter.title)}</h2>\n${chapterBody(chapter)}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="author" content="${escapeAttribute(author)}">
<meta name="description" content="${escapeAttribute(description)}">
<title>${escapeText(title)}</title>
<style>
${stylesheet}</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
<p class="author">${escapeText(author)}</p>
</header>
<nav aria-label="Contents">
<ol>
${contents}
</ol>
</nav>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}
