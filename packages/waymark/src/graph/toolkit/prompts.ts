import { z } from 'zod';
import type { PromptDefinition } from '../../kit/index.ts';
import { formatGuide } from './format-guide.ts';

const say = (...texts: string[]) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: texts.join('\n\n') } }],
});

/** Prompts that teach a model the format and how to work with it. */
export const toolkitPrompts: readonly PromptDefinition[] = [
  {
    name: 'graph_format',
    title: 'The graph format',
    description: 'What a graph file looks like: tools, nodes, expressions, rules, with examples.',
    scopes: ['graphs:edit'],
    arguments: z.object({}),
    get: () => say(formatGuide),
  },
  {
    name: 'build_graph_tool',
    title: 'Build a graph tool',
    description: 'Steps to build, try and add a tool that reaches a goal.',
    scopes: ['graphs:edit'],
    arguments: z.object({ goal: z.string().describe('What the tool shall do') }),
    get: ({ goal = '' }) =>
      say(
        `Build a graph tool: ${goal}`,
        [
          'Work in these steps.',
          '1. listMcpServerTools: find the tools that give the data you need. getMcpServerTool: read their schemas.',
          '2. testMcpTool: call each of them once with real arguments. Note the exact shape of `output`.',
          '3. testJSONata and testJSONLogic: try every expression and rule on that output before you use it.',
          '4. runGraphTool with toolDefinition: run the whole draft. Read executionHistory where it goes wrong.',
          '5. addGraphTool: keep it. Then run it once more by name.',
          'Give every tool an inputSchema and an outputSchema that say what is required.',
        ].join('\n'),
        formatGuide,
      ),
  },
  {
    name: 'repair_graph_tool',
    title: 'Repair a graph tool',
    description: 'Steps to find out why a tool fails, and to correct it.',
    scopes: ['graphs:edit'],
    arguments: z.object({
      toolName: z.string().describe('The tool that fails'),
      problem: z.string().optional().describe('What goes wrong'),
    }),
    get: ({ toolName = '', problem }) =>
      say(
        `The graph tool "${toolName}" does not do what it should${problem ? `: ${problem}` : ''}. Find out why and correct it.`,
        [
          `1. getGraphTool {"toolName": "${toolName}"}: read its nodes.`,
          '2. runGraphTool with the arguments that fail and "logging": true. The first node in executionHistory whose output is not what the next one expects is the place.',
          '3. Correct that expression with testJSONata on the outputs you saw.',
          '4. runGraphTool with the corrected definition as toolDefinition, then updateGraphTool.',
        ].join('\n'),
        formatGuide,
      ),
  },
];
