import { nearest } from '../kit/nearest.ts';
import type { Todo } from './conversation.ts';
import type { Sop } from './model.ts';

export interface TodoSummary {
  readonly pending: number;
  readonly in_progress: number;
  readonly completed: number;
}

export function summarise(todos: readonly Todo[]): TodoSummary {
  const count = (status: Todo['status']) => todos.filter((todo) => todo.status === status).length;
  return { pending: count('pending'), in_progress: count('in_progress'), completed: count('completed') };
}

/** Doubts about a list that is stored all the same. */
export function checkTodos(todos: readonly Todo[], sop: Sop | undefined): string[] {
  const warnings: string[] = [];
  const active = todos.filter((todo) => todo.status === 'in_progress').length;
  if (active > 1) warnings.push(`${active} todos are in progress; work on one at a time`);
  for (const { content, completion_node: node } of sop ? todos : []) {
    if (node === undefined || !sop || sop.terminalNodes.includes(node)) continue;
    const suggestion = nearest(node, sop.terminalNodes);
    const hint = suggestion ? `; did you mean ${suggestion}?` : '';
    const fault = sop.nodes.has(node) ? 'is not a terminal node' : 'is not a node of this procedure';
    warnings.push(`"${content}": completion_node ${node} ${fault}${hint}`);
  }
  return warnings;
}

/** The open todo that reaching `node` finishes: the one in progress, else the first pending one. */
export function todoFinishedBy(node: string, todos: readonly Todo[]): Todo | undefined {
  const matching = todos.filter((todo) => todo.completion_node === node);
  return matching.find((todo) => todo.status === 'in_progress') ?? matching.find((todo) => todo.status === 'pending');
}

/** Names of earlier versions are read as today's; other unknown fields are dropped and reported. */
export function renameTodoFields(raw: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(raw['todos'])) return raw;
  const todos = raw['todos'].map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const { desc, task_completion_node: node, ...rest } = item as Record<string, unknown>;
    return {
      ...rest,
      ...(desc !== undefined && rest['content'] === undefined ? { content: desc } : {}),
      ...(node !== undefined && rest['completion_node'] === undefined ? { completion_node: node } : {}),
    };
  });
  return { ...raw, todos };
}
