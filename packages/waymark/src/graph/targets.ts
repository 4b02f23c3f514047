import type { GraphNode } from './model.ts';

/** An edge of the graph, and the place in the node's YAML that names its end. */
export interface Edge {
  readonly target: string;
  readonly at: readonly (string | number)[];
  readonly kind: 'next' | 'condition' | 'otherwise' | 'branch' | 'rejected' | 'error';
}

/** Every way on from a node. */
export function edgesOf(node: GraphNode): Edge[] {
  const edges: Edge[] = [];
  const add = (target: string | undefined, kind: Edge['kind'], ...at: (string | number)[]) => {
    if (target !== undefined) edges.push({ target, at, kind });
  };
  if (node.type === 'switch') {
    for (const [index, condition] of node.conditions.entries())
      add(condition.next, 'condition', 'conditions', index, 'next');
    add(node.otherwise, 'otherwise', 'next');
  } else {
    add(node.next, 'next', 'next');
  }
  if (node.type === 'parallel')
    for (const [index, branch] of node.branches.entries()) add(branch, 'branch', 'branches', index);
  if (node.type === 'approve') add(node.rejected, 'rejected', 'rejected');
  if ('onError' in node) add(node.onError, 'error', 'onError');
  return edges;
}

/** Every node that may come after this one. */
export function targetsOf(node: GraphNode): string[] {
  return edgesOf(node).map((edge) => edge.target);
}
