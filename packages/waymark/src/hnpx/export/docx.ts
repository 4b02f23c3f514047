import { escapeAttribute, escapeText } from '../xml/text.ts';
import type { Manuscript, ManuscriptChapter, Passage } from './manuscript.ts';
import { zip } from './zip.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** WordprocessingML with real heading styles, so that word processors build their own navigation from it. */
export function toDocx(manuscript: Manuscript): Promise<Uint8Array> {
  const part = (path: string, content: string) => ({ path, content: declaration + content });
  return zip(
    [
      part('[Content_Types].xml', contentTypes),
      part('_rels/.rels', packageRelationships),
      part('docProps/core.xml', coreProperties(manuscript)),
      part('word/_rels/document.xml.rels', documentRelationships),
      part('word/document.xml', documentXml(manuscript)),
      part('word/styles.xml', styles(manuscript)),
      part('word/settings.xml', settings),
    ],
    manuscript.modified,
  );
}

const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>`;

const packageRelationships = `<Relationships xmlns="${relationships}">
<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>`;

const documentRelationships = `<Relationships xmlns="${relationships}">
<Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="${office}/settings" Target="settings.xml"/>
</Relationships>`;

const settings = `<w:settings xmlns:w="${word}"><w:updateFields w:val="true"/></w:settings>`;

function coreProperties({ title, author, language, description, modified }: Manuscript): string {
  const time = modified.toISOString().replace(/\.\d+Z$/, 'Z');
  return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeText(title)}</dc:title><dc:creator>${escapeText(author)}</dc:creator><dc:description>${escapeText(description)}</dc:description><dc:language>${escapeText(language)}</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified></cp:coreProperties>`;
}

function styles({ language }: Manuscript): string {
  const style = (id: string, name: string, paragraph: string, run = '') =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`;
  return `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia"/><w:sz w:val="24"/><w:lang w:val="${escapeAttribute(language)}"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>${[
    style(
      'Title',
      'Title',
      '<w:spacing w:before="2400" w:after="240"/><w:jc w:val="center"/>',
      '<w:b/><w:sz w:val="56"/>',
    ),
    style('Author', 'Author', '<w:jc w:val="center"/>', '<w:sz w:val="28"/>'),
    style(
      'Heading1',
      'heading 1',
      '<w:keepNext/><w:pageBreakBefore/><w:spacing w:before="960" w:after="480"/><w:jc w:val="center"/><w:outlineLvl w:val="0"/>',
      '<w:b/><w:sz w:val="36"/>',
    ),
    style('TOC1', 'toc 1', '<w:spacing w:after="60"/>'),
    style('BodyText', 'Body Text', '<w:spacing w:line="360" w:lineRule="auto"/><w:ind w:firstLine="425"/>'),
    style('SceneBreak', 'Scene Break', '<w:spacing w:before="240" w:after="240"/><w:jc w:val="center"/>'),
  ].join('')}</w:styles>`;
}

function documentXml(manuscript: Manuscript): string {
  const body = [
    paragraph('Title', run(manuscript.title)),
    paragraph('Author', run(manuscript.author)),
    ...contents(manuscript.chapters),
    ...manuscript.chapters.flatMap((chapter, position) => chapterXml(chapter, position)),
  ];
  return `<w:document xmlns:w="${word}"><w:body>${body.join('\n')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`;
}

function paragraph(style: string, content: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${content}</w:p>`;
}

function run(text: string, properties = ''): string {
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`;
}

/** A table-of-contents field with its entries already filled in; the word processor adds the page numbers. */
function contents(chapters: readonly ManuscriptChapter[]): string[] {
  if (chapters.length === 0) return [];
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TOC \\o "1-1" \\h \\z \\u </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  return chapters.map(({ title }, position) => {
    const link = `<w:hyperlink w:anchor="chapter${position + 1}">${run(title)}</w:hyperlink>`;
    return paragraph('TOC1', `${position === 0 ? begin : ''}${link}${position === chapters.length - 1 ? end : ''}`);
  });
}

function chapterXml({ title, scenes }: ManuscriptChapter, position: number): string[] {
  const bookmark = `<w:bookmarkStart w:id="${position + 1}" w:name="chapter${position + 1}"/>${run(title)}<w:bookmarkEnd w:id="${position + 1}"/>`;
  const body = scenes.flatMap((scene, index) => [
    ...(index === 0 ? [] : [paragraph('SceneBreak', run('* * *'))]),
    ...scene.map(passageXml),
  ]);
  return [paragraph('Heading1', bookmark), ...body];
}

function passageXml({ isThought, lines }: Passage): string {
  const properties = isThought ? '<w:rPr><w:i/></w:rPr>' : '';
  return paragraph('BodyText', lines.map((line) => run(line, properties)).join('<w:r><w:br/></w:r>'));
}
