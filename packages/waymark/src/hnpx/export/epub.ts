import { escapeAttribute, escapeText } from '../xml/text.ts';
import { chapterBody, stylesheet } from './html.ts';
import type { Manuscript } from './manuscript.ts';
import { zip, type ZipEntry } from './zip.ts';

/** EPUB 3, with a table of contents for older readers too. */
export function toEpub(manuscript: Manuscript): Promise<Uint8Array> {
  const entries: ZipEntry[] = [
    { path: 'mimetype', content: 'application/epub+zip', isStored: true },
    { path: 'META-INF/container.xml', content: container },
    { path: 'EPUB/package.opf', content: packageDocument(manuscript) },
    { path: 'EPUB/nav.xhtml', content: navigation(manuscript) },
    { path: 'EPUB/toc.ncx', content: ncx(manuscript) },
    { path: 'EPUB/style.css', content: stylesheet },
    { path: 'EPUB/title.xhtml', content: titlePage(manuscript) },
    ...manuscript.chapters.map((chapter, position) => ({
      path: `EPUB/${chapterFile(position)}`,
      content: page(
        manuscript,
        chapter.title,
        `<section epub:type="chapter" role="doc-chapter">\n<h2>${escapeText(chapter.title)}</h2>\n${chapterBody(chapter)}\n</section>`,
      ),
    })),
  ];
  return zip(entries, manuscript.modified);
}

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`;

function chapterFile(position: number): string {
  return `chapter-${String(position + 1).padStart(3, '0')}.xhtml`;
}

function page({ language }: Manuscript, title: string, body: string): string {
  const lang = escapeAttribute(language);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}">
<head>
<title>${escapeText(title)}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}
</body>
</html>
`;
}

function titlePage(manuscript: Manuscript): string {
  const { title, author } = manuscript;
  const body = `<section epub:type="titlepage">\n<h1>${escapeText(title)}</h1>\n<p class="author">${escapeText(author)}</p>\n</section>`;
  return page(manuscript, title, body);
}

function navigation(manuscript: Manuscript): string {
  const items = [
    `<li><a href="title.xhtml">${escapeText(manuscript.title)}</a></li>`,
    ...manuscript.chapters.map(
      ({ title }, position) => `<li><a href="${chapterFile(position)}">${escapeText(title)}</a></li>`,
    ),
  ];
  const body = `<nav epub:type="toc" id="toc" role="doc-toc">\n<h1>Contents</h1>\n<ol>\n${items.join('\n')}\n</ol>\n</nav>`;
  return page(manuscript, manuscript.title, body);
}

function packageDocument({ title, author, language, description, identifier, modified, chapters }: Manuscript): string {
  const items = chapters.map(
    (_, position) =>
      `    <item id="c${position + 1}" href="${chapterFile(position)}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, position) => `    <itemref idref="c${position + 1}"/>`);
  const about = description.trim() === '' ? '' : `\n    <dc:description>${escapeText(description)}</dc:description>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeAttribute(language)}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:uuid:${identifier}</dc:identifier>
    <dc:title>${escapeText(title)}</dc:title>
    <dc:creator>${escapeText(author)}</dc:creator>
    <dc:language>${escapeText(language)}</dc:language>${about}
    <meta property="dcterms:modified">${modified.toISOString().replace(/\.\d+Z$/, 'Z')}</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
    <item id="css" href="style.css" media-type="text/css"/>
    <item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
${items.join('\n')}
  </manifest>
  <spine toc="ncx">
    <itemref idref="title"/>
    <itemref idref="nav"/>
${spine.join('\n')}
  </spine>
</package>
`;
}

function ncx({ title, identifier, chapters }: Manuscript): string {
  const names = [title, ...chapters.map((chapter) => chapter.title)];
  const points = names.map(
    (name, position) =>
      `    <navPoint id="n${position}" playOrder="${position + 1}"><navLabel><text>${escapeText(name)}</text></navLabel><content src="${position === 0 ? 'title.xhtml' : chapterFile(position - 1)}"/></navPoint>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
  <head><meta name="dtb:uid" content="urn:uuid:${identifier}"/></head>
  <docTitle><text>${escapeText(title)}</text></docTitle>
  <navMap>
${points.join('\n')}
  </navMap>
</ncx>
`;
}
