import { z } from 'zod';
import { annotate, defineTool, Reply, type Tool, ToolError } from '../kit/index.ts';
import { renameCharacter, replaceText } from './edit/replace.ts';
import { nodeKinds, paragraphModes } from './model.ts';
import { characters } from './read/characters.ts';
import { writingContext } from './read/context.ts';
import { outline, outlineText } from './read/outline.ts';
import { searchFields, searchText } from './read/search.ts';
import { bookStats } from './read/stats.ts';
import { validate } from './read/validate.ts';
import { expectedRevision, filePath, nodeId } from './tool-inputs.ts';
import { changeOutputs, readOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const below = nodeId.nullish().describe('Only below this node');
const pattern = {
  query: z.string(),
  regex: z.boolean().nullish(),
  case_sensitive: z.boolean().nullish(),
  whole_word: z.boolean().nullish(),
  node_id: below,
  fields: z.array(z.enum(searchFields)).nullish().describe('Default text, summary, title'),
  type: z.enum(nodeKinds).nullish(),
  mode: z.enum(paragraphModes).nullish(),
  char: z.string().nullish(),
  pov: z.string().nullish(),
};
const read = { tier: 'more', annotations: annotate.read, scopes: ['books:read'] } as const;
const write = { tier: 'more', annotations: annotate.remove, scopes: ['books:write'] } as const;

/** Looking at a book as a whole: searching, counting, the outline, the cast, and what to know before writing on. */
export function createInsightTools(workshop: Workshop): Tool[] {
  const { files, limits } = workshop;
  return [
    defineTool({
      ...read,
      name: 'search_text',
      title: 'Search',
      description: 'Finds words or a regular expression; returns node ids with snippets.',
      input: z.strictObject({
        file_path: filePath,
        ...pattern,
        offset: z.int().min(0).nullish(),
        limit: z.int().min(1).max(500).nullish().describe('Default 50'),
      }),
      output: readOutputs.found,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        const page = { offset: input.offset ?? 0, limit: input.limit ?? 50 };
        return { ...searchText(book, input, input, page), ...page, revision };
      },
    }),
    defineTool({
      ...write,
      name: 'replace_text',
      title: 'Replace',
      description: 'Replaces what search_text would find. dry_run only shows it. A snapshot is kept.',
      input: z.strictObject({
        file_path: filePath,
        replacement: z.string(),
        ...pattern,
        dry_run: z.boolean().nullish(),
        expected_revision: expectedRevision,
      }),
      output: changeOutputs.replaced,
      run: (input, context) =>
        workshop.change({ tool: 'replace_text', keepsSnapshot: true, ...input }, context, (book, tools) =>
          replaceText(book, input, tools),
        ),
    }),
    defineTool({
      ...read,
      name: 'get_outline',
      title: 'Outline',
      description:
        'The plan with summaries, status (empty, planned, partial, written) and word counts, down to a level.',
      input: z.strictObject({
        file_path: filePath,
        node_id: below,
        depth: z.enum(nodeKinds).nullish().describe('Default sequence'),
      }),
      output: readOutputs.outline,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        const nodes = outline(book, input.node_id ? book.require(input.node_id) : 0, input.depth ?? 'sequence');
        const text = outlineText(nodes);
        if (text.length > limits.maxResultLength) {
          const message = 'The outline is too long for one answer; choose a smaller depth or a node_id';
          throw new ToolError('LIMIT_EXCEEDED', message, { length: text.length, limit: limits.maxResultLength });
        }
        return new Reply({ text, structured: { nodes, revision } });
      },
    }),
    defineTool({
      ...read,
      name: 'get_stats',
      title: 'Statistics',
      description: 'Words, reading time, planned against written, per chapter, point of view and character.',
      input: z.strictObject({ file_path: filePath, node_id: below }),
      output: readOutputs.stats,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        return { ...bookStats(book, input.node_id ? book.require(input.node_id) : 0), revision };
      },
    }),
    defineTool({
      ...read,
      name: 'get_characters',
      title: 'Characters',
      description: 'Everyone who speaks, thinks or sees: words, mentions, chapters, first and last appearance.',
      input: z.strictObject({ file_path: filePath }),
      output: readOutputs.characters,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        return { characters: characters(book), revision };
      },
    }),
    defineTool({
      ...write,
      name: 'rename_character',
      title: 'Rename character',
      description:
        'Changes a character in every char and pov; in_text also in texts and summaries. A snapshot is kept.',
      input: z.strictObject({
        file_path: filePath,
        from: z.string(),
        to: z.string(),
        in_text: z.boolean().nullish(),
        dry_run: z.boolean().nullish(),
        expected_revision: expectedRevision,
      }),
      output: changeOutputs.replaced,
      run: (input, context) =>
        workshop.change({ tool: 'rename_character', keepsSnapshot: true, ...input }, context, (book, tools) =>
          renameCharacter(book, input, tools),
        ),
    }),
    defineTool({
      ...read,
      name: 'get_context',
      title: 'Writing context',
      description:
        'What to know before writing a node: its path, its siblings, the text before and after, within a token budget.',
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId,
        max_tokens: z.int().min(200).max(100_000).nullish().describe('Default 2000'),
      }),
      output: readOutputs.context,
      async run(input) {
        const { book, revision } = await files.read(input.file_path);
        const { text, ...facts } = writingContext(book, book.require(input.node_id), input.max_tokens ?? 2000);
        return new Reply({ text, structured: { ...facts, revision } });
      },
    }),
    defineTool({
      ...read,
      name: 'validate_document',
      title: 'Validate',
      description: 'Checks the whole book and lists every problem with its place.',
      input: z.strictObject({ file_path: filePath }),
      output: readOutputs.report,
      async run(input) {
        return validate(files, input.file_path);
      },
    }),
  ];
}
