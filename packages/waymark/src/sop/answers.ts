import type { Conversation, Walk } from './conversation.ts';
import type { RefusedMove } from './navigate.ts';
import type { Problem, Sop, SopNode } from './model.ts';
import { describeRequirement } from './requirements.ts';
import { todoFinishedBy } from './todos.ts';

const shownPath = 50;

export interface NodeAnswer {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly prompt?: string;
  readonly tools?: readonly string[];
  readonly examples?: SopNode['examples'];
}

export interface EdgeAnswer {
  readonly to: string;
  readonly condition: string | null;
  readonly style?: 'dotted';
  readonly requires?: readonly string[];
}

interface Prepared {
  readonly node: NodeAnswer;
  readonly edges: readonly EdgeAnswer[];
}

const preparedSops = new WeakMap<Sop, Map<string, Prepared>>();

/** What a node delivers; worked out once per SOP. */
export function nodeAnswer(sop: Sop, id: string): Prepared {
  let prepared = preparedSops.get(sop);
  if (!prepared) {
    prepared = new Map([...sop.nodes.values()].map((node) => [node.id, prepare(sop, node)]));
    preparedSops.set(sop, prepared);
  }
  const answer = prepared.get(id);
  if (!answer) throw new RangeError(`no node ${id}`);
  return answer;
}

function prepare(sop: Sop, { id, type, description, prompt, tools, examples }: SopNode): Prepared {
  const node = {
    id,
    type,
    description,
    ...(prompt === undefined ? {} : { prompt }),
    ...(tools ? { tools } : {}),
    ...(examples ? { examples } : {}),
  };
  const edges = (sop.edges.get(id) ?? []).map(({ to, condition, style, requires }) => {
    const needed = [...(requires ?? []), ...(sop.nodes.get(to)?.requires ?? [])];
    return {
      to,
      condition,
      ...(style === 'dotted' ? { style } : {}),
      ...(needed.length > 0 ? { requires: needed.map(describeRequirement) } : {}),
    };
  });
  return { node, edges };
}

export interface ArrivalAnswer extends Prepared {
  readonly path: readonly string[];
  readonly path_length?: number;
  readonly valid: true;
  readonly complete?: true;
  readonly repeat?: true;
  readonly stale?: true;
  readonly todo_reminder?: string;
  readonly todo?: string;
  readonly open_todos?: number;
}

/** The answer to a move that was made. */
export function arrivalAnswer(
  sop: Sop,
  walk: Walk,
  { todos }: Conversation,
  { repeat, stale }: { repeat: boolean; stale: boolean },
): ArrivalAnswer {
  const here = walk.path.at(-1) ?? sop.entry;
  const { node, edges } = nodeAnswer(sop, here);
  const { length } = walk.path;
  const open = walk.complete ? todos.filter((todo) => todo.status !== 'completed').length : 0;
  const finished = walk.complete ? todoFinishedBy(here, todos) : undefined;
  return {
    node,
    edges,
    path: length > shownPath ? walk.path.slice(-shownPath) : [...walk.path],
    ...(length > shownPath ? { path_length: length } : {}),
    valid: true,
    ...(walk.complete ? { complete: true } : {}),
    ...(repeat ? { repeat: true } : {}),
    ...(stale ? { stale: true } : {}),
    ...(finished
      ? {
          todo_reminder: `Reached completion node ${here}. Update todos and proceed to next task.`,
          todo: finished.content,
        }
      : {}),
    ...(open > 0 ? { open_todos: open } : {}),
  };
}

export interface RefusalAnswer {
  readonly valid: false;
  readonly error: string;
  readonly current_node: string | null;
  readonly valid_next: readonly string[];
  readonly did_you_mean?: string;
  readonly missing_facts?: readonly string[];
  readonly route?: readonly string[];
}

export function refusalAnswer({ event, error, validNext, suggestion, missing, route }: RefusedMove): RefusalAnswer {
  return {
    valid: false,
    error,
    current_node: event.from,
    valid_next: validNext,
    ...(suggestion ? { did_you_mean: suggestion } : {}),
    ...(missing ? { missing_facts: missing.map(describeRequirement) } : {}),
    ...(route ? { route } : {}),
  };
}

export function problemAnswer({ line, column, code, message }: Problem) {
  return { line, col: column, code, message };
}

/** The answer to `load_graph`, as far as it follows from the SOP alone. */
export function graphAnswer(sop: Sop) {
  return {
    agent: sop.agent,
    version: sop.version,
    entry_node: sop.entry,
    model: sop.model,
    mcp_servers: sop.mcpServers.map(({ name, url }) => ({ name, ...(url ? { url } : {}) })),
    graph: {
      node_count: sop.nodes.size,
      decision_nodes: sop.decisionNodes,
      terminal_nodes: sop.terminalNodes,
      nodes_with_prompts: sop.nodesWithPrompts,
      ...(sop.reentry.length > 0 ? { reentry_nodes: sop.reentry } : {}),
    },
    system_prompt_sections: sop.sections,
    system_prompt: sop.systemPrompt,
  };
}

/** Nodes and edges as data, with where they stand in the file. */
export function edgesAnswer(sop: Sop) {
  return {
    nodes: [...sop.nodes.values()].map(({ id, type, description, group, position }) => ({
      id,
      type,
      description,
      ...(group === undefined ? {} : { group }),
      terminal: sop.terminalNodes.includes(id),
      ...position,
    })),
    edges: [...sop.edges.values()].flat().map(({ from, to, condition, style }) => ({ from, to, condition, style })),
  };
}
