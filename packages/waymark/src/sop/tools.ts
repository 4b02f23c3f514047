import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import type { Todo } from './conversation.ts';
import type { SopService } from './service.ts';
import { renameTodoFields } from './todos.ts';
import { runOutputs } from './tool-outputs.ts';

const conversationId = z.string().optional().describe('From load_graph');
const longestWalk = 50;

const todoFields = ['content', 'note', 'status', 'completion_node'] as const;

const todoInput = z.looseObject({
  content: z.string().min(1).describe('Task description'),
  note: z.string().optional().describe('Optional context, dependencies, or findings from other tasks'),
  status: z.enum(['pending', 'in_progress', 'completed']).describe('Current task status'),
  completion_node: z
    .string()
    .optional()
    .describe('Terminal SOP node ID that marks this task as done; goto_node reminds you there'),
});

export function createSopTools(service: SopService): Tool[] {
  const loadGraph = defineTool({
    name: 'load_graph',
    title: 'Load a procedure',
    description:
      'Parse an agent SOP markdown file. Returns the mermaid graph as part of system_prompt, keeps node prompts for goto_node, and returns the conversation_id to pass on.',
    input: z.strictObject({
      sop_file: z.string().min(1).describe('Path or URL to the agent SOP markdown file'),
      conversation_id: z.string().optional().describe('Go on with this conversation, or "new"'),
      reset: z.boolean().optional().describe('Begin the path anew'),
    }),
    output: runOutputs.graph,
    annotations: { ...annotate.change, openWorld: true },
    scopes: ['sop:run'],
    run: ({ sop_file: file, conversation_id, reset = false }, context) =>
      service.load({ file, conversationId: conversation_id, reset }, context),
  });

  const todo = defineTool({
    name: 'todo',
    title: 'Write the todo list',
    description:
      'Create and manage a structured task list for the current conversation. Write the full updated list on each call. Tasks are internal to the agent and not shown to the user.',
    input: z.strictObject({
      todos: z.array(todoInput).max(500).describe('The updated todo list'),
      conversation_id: conversationId,
    }),
    output: runOutputs.todos,
    annotations: annotate.change,
    scopes: ['sop:run'],
    aliases: ['todo_tasks'],
    prepare: renameTodoFields,
    run: ({ todos, conversation_id }, context) => {
      const unknown = new Set(todos.flatMap((item) => Object.keys(item)).filter((key) => !isTodoField(key)));
      const ignored = [...unknown].map((key) => `The todo field "${key}" is not known and was ignored`);
      return service.writeTodos(todos.map(plainTodo), conversation_id, ignored, context);
    },
  });

  const gotoNode = defineTool({
    name: 'goto_node',
    title: 'Go to a node',
    description:
      'Move to a node in the SOP graph. Returns the node description, prompt, tools, examples, and valid next edges. Validates that the transition is legal from the current position. With node_ids, walks several nodes in one call.',
    input: z.strictObject({
      node_id: z.string().min(1).describe('Target node ID to move to'),
      node_ids: z
        .array(z.string().min(1))
        .min(1)
        .max(longestWalk)
        .optional()
        .describe('Nodes to pass on the way, in order'),
      conversation_id: conversationId,
    }),
    output: runOutputs.move,
    annotations: { ...annotate.change, idempotent: false },
    scopes: ['sop:run'],
    prepare: targetOfWalk,
    run: ({ node_id, node_ids = [], conversation_id }, context) => {
      const targets = node_ids.at(-1)?.trim() === node_id.trim() ? node_ids : [...node_ids, node_id];
      return service.goto(targets, conversation_id, context);
    },
  });

  const getState = defineTool({
    name: 'get_state',
    title: 'Show where the conversation stands',
    description: 'Current node, full path, valid next nodes, todos and recorded facts of the conversation.',
    input: z.strictObject({ conversation_id: conversationId }),
    output: runOutputs.state,
    annotations: annotate.read,
    scopes: ['sop:run'],
    tier: 'more',
    aliases: ['get_todos'],
    run: ({ conversation_id }, context) => service.state(conversation_id, context),
  });

  const recordFact = defineTool({
    name: 'record_fact',
    title: 'Record a fact',
    description:
      'Put a finding on record, such as order_status = pending; nodes and edges that require it then open. null removes it.',
    input: z.strictObject({
      name: z.string().regex(/^[\w.-]{1,100}$/),
      value: z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]),
      conversation_id: conversationId,
    }),
    output: runOutputs.facts,
    annotations: annotate.change,
    scopes: ['sop:run'],
    tier: 'more',
    run: ({ name, value, conversation_id }, context) => service.recordFact(name, value, conversation_id, context),
  });

  return [loadGraph, todo, gotoNode, getState, recordFact];
}

/** A walk given without its target ends at its last node. */
function targetOfWalk(raw: Record<string, unknown>): Record<string, unknown> {
  const { node_id: target, node_ids: walk } = raw;
  return target === undefined && Array.isArray(walk) && walk.length > 0 ? { ...raw, node_id: walk.at(-1) } : raw;
}

function isTodoField(key: string): key is keyof Todo {
  return (todoFields as readonly string[]).includes(key);
}

function plainTodo({ content, note, status, completion_node }: z.infer<typeof todoInput>): Todo {
  return {
    content,
    ...(note === undefined ? {} : { note }),
    status,
    ...(completion_node === undefined ? {} : { completion_node }),
  };
}
