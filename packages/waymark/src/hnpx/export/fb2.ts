import { escapeText } from '../xml/text.ts';
import type { Manuscript, ManuscriptChapter, Passage } from './manuscript.ts';

/** FictionBook 2.1 with everything its schema requires. */
export function toFb2(manuscript: Manuscript): string {
  const { title, author, language, description, identifier, modified, chapters } = manuscript;
  const day = modified.toISOString().slice(0, 10);
  const sections = chapters.length > 0 ? chapters.map(section).join('\n') : '<section>\n<empty-line/>\n</section>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">
<description>
<title-info>
<genre>prose_contemporary</genre>
<author>${authorName(author)}</author>
<book-title>${escapeText(title)}</book-title>
<annotation><p>${escapeText(flat(description) || title)}</p></annotation>
<lang>${escapeText(language.split('-')[0] ?? 'en')}</lang>
</title-info>
<document-info>
<author>${authorName(author)}</author>
<program-used>Waymark</program-used>
<date value="${day}">${day}</date>
<id>${identifier}</id>
<version>1.0</version>
</document-info>
</description>
<body>
<title><p>${escapeText(title)}</p><p>${escapeText(author)}</p></title>
${sections}
</body>
</FictionBook>
`;
}

/** The schema wants a first and a last name, or a nickname. */
function authorName(author: string): string {
  const names = author.trim().split(/\s+/);
  const last = names.pop() ?? author;
  if (names.length === 0) return `<nickname>${escapeText(last)}</nickname>`;
  const [first = '', ...middle] = names;
  const between = middle.length > 0 ? `<middle-name>${escapeText(middle.join(' '))}</middle-name>` : '';
  return `<first-name>${escapeText(first)}</first-name>${between}<last-name>${escapeText(last)}</last-name>`;
}

function section({ title, scenes }: ManuscriptChapter): string {
  const body = scenes.map((scene) => scene.map(passage).join('\n')).join('\n<subtitle>* * *</subtitle>\n');
  return `<section>\n<title><p>${escapeText(flat(title))}</p></title>\n${body || '<empty-line/>'}\n</section>`;
}

/** FictionBook has no line break inside a paragraph, so each line becomes one. */
function passage({ isThought, lines }: Passage): string {
  return lines
    .map((line) => (isThought ? `<p><emphasis>${escapeText(line)}</emphasis></p>` : `<p>${escapeText(line)}</p>`))
    .join('\n');
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
