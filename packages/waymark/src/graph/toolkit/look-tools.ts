import { z } from 'zod';
import { annotate, defineTool, nearest, type Tool, ToolError } from '../../kit/index.ts';
import type { GraphFile } from './graph-file.ts';
import { data, nothing, toolName } from './inputs.ts';
import { findServer, listServerTools, serversOf, unavailable } from './servers.ts';
import type { ToolkitServices } from './services.ts';

/** What is there: the graph's own tools, and the servers it can call. */
export function lookTools(file: GraphFile, services: ToolkitServices): Tool[] {
  return [
    defineTool({
      name: 'getGraphServer',
      title: 'Get the graph server',
      description: 'Name, version, title and instructions of the server this graph is.',
      input: nothing,
      output: z.object({
        name: z.string(),
        version: z.string(),
        title: z.string(),
        instructions: z.string().optional(),
      }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: () => ({ ...file.document.server }),
    }),
    defineTool({
      name: 'listGraphTools',
      title: 'List graph tools',
      description: 'The tools of this graph, by name and description.',
      input: nothing,
      output: z.object({ items: z.array(z.object({ name: z.string(), description: z.string() })) }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: () => ({
        items: Array.from(file.document.tools.values(), ({ name, description }) => ({ name, description })),
      }),
    }),
    defineTool({
      name: 'getGraphTool',
      title: 'Get a graph tool',
      description: 'The whole definition of one tool, with its nodes, as it stands in the file.',
      input: z.strictObject({ toolName }),
      output: z.looseObject({ name: z.string() }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: (input) => file.tool(input.toolName) as { name: string },
    }),
    defineTool({
      name: 'listMcpServers',
      title: 'List MCP servers',
      description: 'The MCP servers whose tools the nodes of this graph can call.',
      input: nothing,
      output: z.object({
        items: z.array(z.object({ name: z.string(), type: z.string(), source: z.string(), usable: z.boolean() })),
      }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: () => ({
        items: serversOf(file, services).map(({ name, type, source, missing }) => ({
          name,
          type,
          source,
          usable: missing.length === 0,
        })),
      }),
    }),
    defineTool({
      name: 'listMcpServerTools',
      title: 'List tools of MCP servers',
      description: 'Names and descriptions of the tools of all MCP servers, or of one.',
      input: z.strictObject({ serverName: z.string().optional().describe('Only this server') }),
      output: z.object({
        items: z.array(z.object({ name: z.string(), description: z.string(), server: z.string() })),
        unavailable: z.array(z.object({ server: z.string(), message: z.string() })).optional(),
      }),
      annotations: { ...annotate.read, openWorld: true },
      scopes: ['graphs:edit'],
      run: ({ serverName }, { signal }) => listServerTools(file, services, serverName, signal),
    }),
    defineTool({
      name: 'getMcpServerTool',
      title: 'Get a tool of an MCP server',
      description: 'One tool of an MCP server with its input and output schema.',
      input: z.strictObject({ serverName: z.string().min(1), toolName: z.string().min(1) }),
      output: z.looseObject({ name: z.string(), inputSchema: data }),
      annotations: { ...annotate.read, openWorld: true },
      scopes: ['graphs:edit'],
      async run(input, { signal }) {
        const server = findServer(file, services, input.serverName);
        const tools = await services.caller.listTools(server, signal).catch(unavailable);
        const found = tools.find(({ name }) => name === input.toolName);
        if (found) return { ...found, description: found.description ?? '' };
        const names = tools.map(({ name }) => name);
        const suggestion = nearest(input.toolName, names);
        const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
        throw new ToolError('TOOL_NOT_FOUND', `Tool "${input.toolName}" not found on "${server.name}"${hint}`, {
          tools: names,
        });
      },
    }),
  ];
}
