import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { elementXml } from './book/element-xml.ts';
import { editAttributes } from './edit/attributes.ts';
import { createBeat, createChapter, createParagraph, createSequence } from './edit/create.ts';
import { removeNode, reorderChildren } from './edit/structure.ts';
import { paragraphModes } from './model.ts';
import { newNodeId } from './node-id.ts';
import { alsoRequired, expectedRevision, filePath, insertPosition, nodeId, renamed } from './tool-inputs.ts';
import { changeOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const target = { file_path: filePath, parent_id: nodeId };
const rest = { ...insertPosition, expected_revision: expectedRevision };
const pov = z.string().nullish().describe('Point-of-view character');
const scopes = ['books:write'] as const;

/** The tools of the specification that change a book. */
export function createWriteTools(workshop: Workshop): Tool[] {
  return [
    defineTool({
      scopes,
      annotations: annotate.add,
      name: 'create_document',
      title: 'Create book',
      description: 'Creates a new book file with an empty book and returns the id of the book element.',
      input: z.strictObject({ file_path: filePath }),
      output: changeOutputs.document,
      async run({ file_path: path }) {
        const id = newNodeId(workshop.editTools.random, () => false);
        const book = elementXml({ kind: 'book', attributes: [['id', id]], summary: 'New book' }, '');
        const bytes = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${book}\n`, 'utf8');
        const { revision } = await workshop.files.create(path, bytes);
        const message = `Created book with id ${id} at ${path}`;
        return { success: true, id, type: 'book', book_id: id, file_path: path, message, revision };
      },
    }),
    defineTool({
      scopes,
      annotations: annotate.add,
      name: 'create_chapter',
      title: 'Create chapter',
      description: 'Adds a chapter to the book and returns its id. Titles are unique within the book.',
      input: z.strictObject({ ...target, title: z.string(), summary: z.string(), pov, ...rest }),
      output: changeOutputs.created,
      run: (input, context) =>
        workshop.change({ tool: 'create_chapter', ...input }, context, (book, tools) =>
          createChapter(book, input, tools),
        ),
    }),
    defineTool({
      scopes,
      annotations: annotate.add,
      name: 'create_sequence',
      title: 'Create sequence',
      description: 'Adds a sequence (a scene in one place) to a chapter and returns its id.',
      input: z.strictObject({
        ...target,
        location: z.string().describe('Where it takes place'),
        summary: z.string(),
        time: z.string().nullish(),
        pov: z.string().nullish().describe("Overrides the chapter's"),
        ...rest,
      }),
      output: changeOutputs.created,
      prepare: renamed({ loc: 'location' }),
      run: (input, context) =>
        workshop.change({ tool: 'create_sequence', ...input }, context, (book, tools) =>
          createSequence(book, input, tools),
        ),
    }),
    defineTool({
      scopes,
      annotations: annotate.add,
      name: 'create_beat',
      title: 'Create beat',
      description: 'Adds a beat (one step of the action) to a sequence and returns its id.',
      input: z.strictObject({ ...target, summary: z.string(), ...rest }),
      output: changeOutputs.created,
      run: (input, context) =>
        workshop.change({ tool: 'create_beat', ...input }, context, (book, tools) => createBeat(book, input, tools)),
    }),
    defineTool({
      scopes,
      annotations: annotate.add,
      name: 'create_paragraph',
      title: 'Create paragraph',
      description: 'Adds a written paragraph to a beat and returns its id. Dialogue needs char, the speaker.',
      input: alsoRequired(
        z.strictObject({
          ...target,
          summary: z.string().nullish(),
          text: z.string(),
          mode: z.enum(paragraphModes).nullish().describe('Default narration'),
          char: z.string().nullish(),
          ...rest,
        }),
        'summary',
      ),
      output: changeOutputs.created,
      run: (input, context) =>
        workshop.change({ tool: 'create_paragraph', ...input }, context, (book, tools) =>
          createParagraph(book, input, tools),
        ),
    }),
    defineTool({
      scopes,
      annotations: annotate.change,
      name: 'edit_node_attributes',
      title: 'Edit attributes',
      description:
        'Changes attributes of a node; null or "" removes one. The keys summary and, for a paragraph, text replace that content. Example: {"title": "The Ford", "pov": null}.',
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId,
        attributes: z.record(z.string(), z.unknown()),
        expected_revision: expectedRevision,
      }),
      output: changeOutputs.changed,
      run: (input, context) =>
        workshop.change({ tool: 'edit_node_attributes', ...input }, context, (book, tools) =>
          editAttributes(book, input, tools),
        ),
    }),
    defineTool({
      scopes,
      annotations: annotate.remove,
      name: 'remove_node',
      title: 'Remove node',
      description: 'Removes a node with all its descendants. The book itself cannot be removed.',
      input: z.strictObject({ file_path: filePath, node_id: nodeId, expected_revision: expectedRevision }),
      output: changeOutputs.removedNode,
      run: (input, context) =>
        workshop.change({ tool: 'remove_node', keepsSnapshot: true, ...input }, context, (book) =>
          removeNode(book, input),
        ),
    }),
    defineTool({
      scopes,
      annotations: annotate.change,
      name: 'reorder_children',
      title: 'Reorder children',
      description: "Puts a node's children in the order given; child_ids names every child exactly once.",
      input: z.strictObject({ ...target, child_ids: z.array(z.string()), expected_revision: expectedRevision }),
      output: changeOutputs.changed,
      run: (input, context) =>
        workshop.change({ tool: 'reorder_children', ...input }, context, (book) => reorderChildren(book, input)),
    }),
  ];
}
