import { z } from 'zod';
import { annotate, defineTool, Reply, type Tool } from '../kit/index.ts';
import { renderDocument, renderNode } from './read/render.ts';
import { filePath, nodeId } from './tool-inputs.ts';
import { readOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const shared = { annotations: annotate.read, scopes: ['books:read'] } as const;
const offset = z.int().min(0).nullish().describe('Go on from this character');

export function createRenderTools({ files, limits }: Workshop): Tool[] {
  return [
    defineTool({
      ...shared,
      name: 'render_node',
      title: 'Render node',
      description: 'A node and its descendants as an indented outline with ids and full text, for review.',
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId,
        show_ids: z.boolean().nullish(),
        show_markers: z.boolean().nullish().describe('false: only the paragraphs'),
        show_summaries: z.boolean().nullish(),
        offset,
      }),
      output: readOutputs.rendered,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        const row = book.require(input.node_id);
        const text = renderNode(book, row, {
          showIds: input.show_ids ?? true,
          showMarkers: input.show_markers ?? true,
          showSummaries: input.show_summaries ?? false,
        });
        return textReply(text, input.offset ?? 0, limits.maxResultLength, revision);
      },
    }),
    defineTool({
      ...shared,
      name: 'render_document',
      title: 'Render document',
      description: 'The whole book as plain reading text: paragraphs only, dialogue with its speaker.',
      input: z.strictObject({
        file_path: filePath,
        speakers: z.boolean().nullish().describe('Name speakers (default true)'),
        headings: z.boolean().nullish().describe('Show chapter titles'),
        scene_break: z.string().nullish().describe('Put between sequences, such as ***'),
        offset,
      }),
      output: readOutputs.rendered,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        const text = renderDocument(book, {
          speakers: input.speakers ?? true,
          headings: input.headings ?? false,
          sceneBreak: input.scene_break ?? '',
        });
        return textReply(text, input.offset ?? 0, limits.maxResultLength, revision);
      },
    }),
  ];
}

/** Text that may be longer than one answer can carry: cut, and told how to get the rest. */
function textReply(
  text: string,
  offset: number,
  maxLength: number,
  revision: string,
): Reply<z.infer<typeof readOutputs.rendered>> {
  const end = cutPoint(text, offset, maxLength);
  const part = text.slice(offset, end);
  const truncated = end < text.length;
  const marker = truncated ? `\n\n[cut at character ${end} of ${text.length}; continue with offset ${end}]` : '';
  return new Reply({
    text: part + marker,
    structured: {
      text: part,
      truncated,
      total_characters: text.length,
      ...(truncated ? { next_offset: end } : {}),
      revision,
    },
  });
}

/** Preferably between two paragraphs, never inside a surrogate pair. */
function cutPoint(text: string, offset: number, maxLength: number): number {
  const end = offset + maxLength;
  if (end >= text.length) return text.length;
  const paragraph = text.lastIndexOf('\n\n', end);
  if (paragraph > offset + maxLength / 2) return paragraph;
  const isSplit = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isSplit ? end - 1 : end;
}
