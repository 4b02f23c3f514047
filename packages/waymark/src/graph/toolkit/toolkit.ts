import { defineToolset, InvalidInputError, Reply, type Toolset } from '../../kit/index.ts';
import { editTools } from './edit-tools.ts';
import { GraphFile } from './graph-file.ts';
import { lookTools } from './look-tools.ts';
import { toolkitPrompts } from './prompts.ts';
import type { ToolkitServices } from './services.ts';
import { tryTools } from './try-tools.ts';

/** The tools an agent builds graphs with: look around, try out, add, run. */
export function createToolkit(services: ToolkitServices): Toolset {
  const file = new GraphFile(services.library, services.graph);
  return defineToolset({
    name: 'graph-toolkit',
    title: 'Graph toolkit',
    instructions:
      'Build tools out of MCP tools. Look at the servers (listMcpServers, listMcpServerTools, getMcpServerTool), ' +
      'call a tool once with testMcpTool to see its output, try expressions with testJSONata and testJSONLogic, ' +
      'run the draft with runGraphTool {toolDefinition}, then keep it with addGraphTool. ' +
      'The prompt graph_format explains the format.',
    tools: [...lookTools(file, services), ...editTools(file), ...tryTools(file, services)],
    prompts: toolkitPrompts,
    onError: (error) => {
      const message = error instanceof InvalidInputError ? describeInput(error) : error.message;
      return new Reply({ structured: { error: error.code, message, ...error.details }, isError: true });
    },
  });
}

function describeInput(error: InvalidInputError): string {
  const missing = error.issues.filter(({ message }) => message.includes('received undefined')).map(({ path }) => path);
  return missing.length > 0 ? missing.map((path) => `${path} is required`).join('; ') : error.message;
}
