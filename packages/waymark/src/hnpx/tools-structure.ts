import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { editSummary, editText } from './edit/attributes.ts';
import { applyOperations, batchOperationNames } from './edit/batch.ts';
import { mergeNodes, splitNode } from './edit/split-merge.ts';
import { moveNodes, removeChildren, removeNodes } from './edit/structure.ts';
import { expectedRevision, filePath, insertPosition, nodeId, renamed } from './tool-inputs.ts';
import { changeOutputs, readOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const target = { file_path: filePath, node_id: nodeId };
const targets = { file_path: filePath, node_ids: z.array(nodeId) };
const revision = { expected_revision: expectedRevision };
const more = { tier: 'more', scopes: ['books:write'] } as const;

/** Editing beyond the specification: single fields, moving, splitting, merging, and many edits at once. */
export function createStructureTools(workshop: Workshop): Tool[] {
  return [
    defineTool({
      tier: 'more',
      scopes: ['books:read'],
      annotations: annotate.read,
      name: 'get_root_id',
      title: 'Get root id',
      description: 'The id of the book element.',
      input: z.strictObject({ file_path: filePath }),
      output: readOutputs.root,
      async run(input) {
        const { book, revision: current } = await workshop.files.read(input.file_path);
        return { id: book.id(0), type: 'book', dialect: book.dialect, revision: current };
      },
    }),
    defineTool({
      ...more,
      annotations: annotate.change,
      name: 'edit_summary',
      title: 'Edit summary',
      description: "Replaces a node's summary.",
      input: z.strictObject({ ...target, summary: z.string(), ...revision }),
      output: changeOutputs.changed,
      prepare: renamed({ new_summary: 'summary' }),
      run: (input, context) =>
        workshop.change({ tool: 'edit_summary', ...input }, context, (book, tools) => editSummary(book, input, tools)),
    }),
    defineTool({
      ...more,
      annotations: annotate.change,
      name: 'edit_paragraph_text',
      title: 'Edit text',
      description: "Replaces a paragraph's text.",
      input: z.strictObject({ ...target, text: z.string(), ...revision }),
      output: changeOutputs.changed,
      prepare: renamed({ new_text: 'text', paragraph_id: 'node_id' }),
      run: (input, context) =>
        workshop.change({ tool: 'edit_paragraph_text', ...input }, context, (book, tools) =>
          editText(book, input, tools),
        ),
    }),
    defineTool({
      ...more,
      annotations: annotate.change,
      name: 'move_nodes',
      title: 'Move nodes',
      description: 'Moves nodes with their descendants below another parent, or elsewhere below their own.',
      input: z.strictObject({ ...targets, new_parent_id: nodeId, ...insertPosition, ...revision }),
      output: changeOutputs.moved,
      run: (input, context) =>
        workshop.change({ tool: 'move_nodes', ...input }, context, (book) => moveNodes(book, input)),
    }),
    defineTool({
      ...more,
      annotations: annotate.remove,
      name: 'remove_nodes',
      title: 'Remove nodes',
      description: 'Removes several nodes with their descendants, all or none. A snapshot is kept.',
      input: z.strictObject({ ...targets, ...revision }),
      output: changeOutputs.removed,
      run: (input, context) =>
        workshop.change({ tool: 'remove_nodes', keepsSnapshot: true, ...input }, context, (book) =>
          removeNodes(book, input),
        ),
    }),
    defineTool({
      ...more,
      annotations: annotate.remove,
      name: 'remove_node_children',
      title: 'Remove children',
      description: 'Removes everything below a node, but not the node. A snapshot is kept.',
      input: z.strictObject({ ...target, ...revision }),
      output: changeOutputs.removed,
      run: (input, context) =>
        workshop.change({ tool: 'remove_node_children', keepsSnapshot: true, ...input }, context, (book) =>
          removeChildren(book, input),
        ),
    }),
    defineTool({
      ...more,
      annotations: annotate.add,
      name: 'split_node',
      title: 'Split node',
      description:
        'Cuts a node in two. Containers: at_child_id becomes the first child of the new node. Paragraphs: the new one begins with at_text. A new chapter needs a title.',
      input: z.strictObject({
        ...target,
        at_child_id: nodeId.nullish(),
        at_text: z.string().nullish(),
        summary: z.string().nullish().describe('Of the new node'),
        title: z.string().nullish(),
        ...revision,
      }),
      output: changeOutputs.split,
      run: (input, context) =>
        workshop.change({ tool: 'split_node', ...input }, context, (book, tools) => splitNode(book, input, tools)),
    }),
    defineTool({
      ...more,
      annotations: annotate.remove,
      name: 'merge_nodes',
      title: 'Merge nodes',
      description: 'Puts neighbouring siblings together into the first of them. A snapshot is kept.',
      input: z.strictObject({
        ...targets,
        summary: z.string().nullish().describe('Default: all summaries'),
        separator: z.string().nullish().describe('Between paragraph texts; default a blank line'),
        ...revision,
      }),
      output: changeOutputs.merged,
      run: (input, context) =>
        workshop.change({ tool: 'merge_nodes', keepsSnapshot: true, ...input }, context, (book, tools) =>
          mergeNodes(book, input, tools),
        ),
    }),
    defineTool({
      ...more,
      annotations: annotate.remove,
      name: 'apply_operations',
      title: 'Apply operations',
      description:
        'Many edits in one write, all or none. Each is {op, …arguments of that tool without file_path}; temp_id names a created node for later steps. Example: [{"op":"create_chapter","temp_id":"$c","parent_id":"a1b2c3","title":"T","summary":"S"},{"op":"create_sequence","parent_id":"$c","location":"L","summary":"S"}]',
      input: z.strictObject({
        file_path: filePath,
        operations: z.array(z.looseObject({ op: z.enum(batchOperationNames), temp_id: z.string().nullish() })),
        ...revision,
      }),
      output: changeOutputs.batch,
      run: (input, context) => {
        const keepsSnapshot = input.operations.some(({ op }) => op.startsWith('remove') || op === 'merge_nodes');
        return workshop.change({ tool: 'apply_operations', keepsSnapshot, ...input }, context, (book, tools) =>
          applyOperations(book, input.operations, tools),
        );
      },
    }),
  ];
}
