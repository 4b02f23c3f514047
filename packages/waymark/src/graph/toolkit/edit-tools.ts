import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../../kit/index.ts';
import type { GraphFile, RawTool } from './graph-file.ts';
import { definition, toolName } from './inputs.ts';

const done = z.object({ success: z.literal(true), message: z.string() });

/** Changes of the file; nothing is written that would not load. */
export function editTools(file: GraphFile): Tool[] {
  return [
    defineTool({
      name: 'addGraphTool',
      title: 'Add a graph tool',
      description: 'Checks a new tool and, if it is right, adds it to the graph file. Try it with runGraphTool first.',
      input: z.strictObject({ tool: definition }),
      output: done,
      annotations: annotate.add,
      scopes: ['graphs:edit'],
      async run({ tool }) {
        await file.add(tool as RawTool);
        return { success: true as const, message: `Tool "${tool.name}" added` };
      },
    }),
    defineTool({
      name: 'updateGraphTool',
      title: 'Change a graph tool',
      description: 'Checks the new definition of a tool and, if it is right, puts it in place of the old one.',
      input: z.strictObject({ toolName, tool: definition }),
      output: done,
      annotations: { ...annotate.change, destructive: true },
      scopes: ['graphs:edit'],
      async run(input) {
        await file.update(input.toolName, input.tool as RawTool);
        return { success: true as const, message: `Tool "${input.toolName}" updated` };
      },
    }),
    defineTool({
      name: 'deleteGraphTool',
      title: 'Delete a graph tool',
      description: 'Removes a tool from the graph file.',
      input: z.strictObject({ toolName }),
      output: done,
      annotations: annotate.remove,
      scopes: ['graphs:edit'],
      async run(input) {
        await file.remove(input.toolName);
        return { success: true as const, message: `Tool "${input.toolName}" deleted` };
      },
    }),
  ];
}
