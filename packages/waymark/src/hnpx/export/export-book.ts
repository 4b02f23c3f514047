import type { Manuscript } from './manuscript.ts';

export const exportFormats = ['markdown', 'text', 'html', 'epub', 'docx', 'fb2'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const fileExtensions: Readonly<Record<ExportFormat, string>> = {
  markdown: 'md',
  text: 'txt',
  html: 'html',
  epub: 'epub',
  docx: 'docx',
  fb2: 'fb2',
};

/** The bytes of a book in a format for readers. Each format's writer loads only when it is used. */
export async function exportBook(manuscript: Manuscript, format: ExportFormat): Promise<Buffer> {
  switch (format) {
    case 'markdown':
      return Buffer.from((await import('./markdown.ts')).toMarkdown(manuscript), 'utf8');
    case 'text':
      return Buffer.from((await import('./plain-text.ts')).toPlainText(manuscript), 'utf8');
    case 'html':
      return Buffer.from((await import('./html.ts')).toHtml(manuscript), 'utf8');
    case 'fb2':
      return Buffer.from((await import('./fb2.ts')).toFb2(manuscript), 'utf8');
    case 'epub':
      return Buffer.from(await (await import('./epub.ts')).toEpub(manuscript));
    case 'docx':
      return Buffer.from(await (await import('./docx.ts')).toDocx(manuscript));
  }
}

/** The format a file name asks for, if it is one of ours. An agent may write to no other names. */
export function formatOfPath(path: string): ExportFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return exportFormats.find((format) => fileExtensions[format] === extension);
}
