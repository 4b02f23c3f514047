import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { invalidAttribute } from './edit/rules.ts';
import { exportBook, exportFormats, fileExtensions, formatOfPath } from './export/export-book.ts';
import { createManuscript, titleFromPath } from './export/manuscript.ts';
import { filePath } from './tool-inputs.ts';
import { changeOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

export function createExportTools({ files }: Workshop): Tool[] {
  return [
    defineTool({
      tier: 'more',
      scopes: ['books:write'],
      annotations: annotate.change,
      name: 'export_document',
      title: 'Export',
      description:
        'Writes the book as Markdown, text, HTML, EPUB 3, DOCX or FictionBook 2, beside it unless output_path says where.',
      input: z.strictObject({
        file_path: filePath,
        format: z.enum(exportFormats).nullish().describe('Default: by output_path'),
        output_path: z.string().nullish(),
        title: z.string().nullish().describe("Default: from the file's name"),
        author: z.string().nullish(),
        language: z.string().nullish().describe('Such as en'),
        overwrite: z.boolean().nullish(),
      }),
      output: changeOutputs.exported,
      async run(input, context) {
        const format = input.format ?? (input.output_path ? formatOfPath(input.output_path) : undefined);
        if (!format)
          throw invalidAttribute(`format must be one of: ${exportFormats.join(', ')}`, { attribute: 'format' });
        const outputPath =
          input.output_path ?? `${input.file_path.replace(/\.(hnpx|xml)$/i, '')}.${fileExtensions[format]}`;
        if (formatOfPath(outputPath) !== format) {
          throw invalidAttribute(`output_path must end in .${fileExtensions[format]}`, { attribute: 'output_path' });
        }
        const { book, revision } = await files.read(input.file_path);
        context.progress(0, 2, 'Typesetting');
        const manuscript = createManuscript(book, {
          title: input.title?.trim() || titleFromPath(input.file_path),
          author: input.author ?? undefined,
          language: input.language ?? undefined,
          modified: context.clock(),
        });
        const bytes = await exportBook(manuscript, format);
        context.progress(1, 2, 'Writing');
        await files.writeOther(outputPath, bytes, input.overwrite ?? false);
        const message = `Exported ${manuscript.chapters.length} chapters to ${outputPath}`;
        return { success: true, format, output_path: outputPath, bytes: bytes.length, message, revision };
      },
    }),
  ];
}
