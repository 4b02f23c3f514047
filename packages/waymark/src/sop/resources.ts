import { z } from 'zod';
import type { PromptDefinition, ResourceDefinition } from '../kit/index.ts';
import { edgesAnswer } from './answers.ts';
import type { Library } from './library.ts';

/** The system prompt of an SOP as an MCP prompt: what a host puts before the conversation. */
export function createSopPrompts(library: Library): PromptDefinition[] {
  return [
    {
      name: 'sop',
      title: 'Follow a procedure',
      description: 'The system prompt of an SOP: role, rules, reference and flowchart.',
      scopes: ['sop:run'],
      arguments: z.object({ sop_file: z.string().min(1).describe('Path, URL or agent name of the SOP') }),
      async get({ sop_file: file = '' }, context) {
        const { sop } = await library.load(file, context.signal);
        const text = `${sop.systemPrompt}\n\nCall load_graph with sop_file "${file}", then goto_node "${sop.entry}".`;
        return { description: sop.agent, messages: [{ role: 'user', content: { type: 'text', text } }] };
      },
      complete: (_argument, typed) => library.agents.filter((agent) => agent.startsWith(typed)),
    },
  ];
}

/** The same as resources, and the graph as data for whoever draws it. */
export function createSopResources(library: Library): ResourceDefinition[] {
  const listed = (path: string, title: string) => () =>
    library.agents.map((agent) => ({ uri: `sop://${encodeURIComponent(agent)}/${path}`, name: `${agent} ${title}` }));
  const complete = (_variable: string, typed: string) => library.agents.filter((agent) => agent.startsWith(typed));
  return [
    {
      name: 'sop-system-prompt',
      title: 'System prompt of a procedure',
      description: 'Role, rules, reference and flowchart of an SOP, by agent name or path.',
      mimeType: 'text/markdown',
      scopes: ['sop:run'],
      uri: 'sop://{sop}/system-prompt',
      list: listed('system-prompt', 'system prompt'),
      complete,
      async read(uri, { sop: name = '' }, context) {
        const { sop } = await library.load(decodeURIComponent(name), context.signal);
        return { contents: [{ uri, mimeType: 'text/markdown', text: sop.systemPrompt }] };
      },
    },
    {
      name: 'sop-graph',
      title: 'Graph of a procedure',
      description: 'Nodes and edges of an SOP as JSON, by agent name or path.',
      mimeType: 'application/json',
      scopes: ['sop:run'],
      uri: 'sop://{sop}/graph',
      list: listed('graph', 'graph'),
      complete,
      async read(uri, { sop: name = '' }, context) {
        const { sop } = await library.load(decodeURIComponent(name), context.signal);
        const graph = { agent: sop.agent, hash: sop.hash, entry_node: sop.entry, ...edgesAnswer(sop) };
        return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(graph) }] };
      },
    },
  ];
}
