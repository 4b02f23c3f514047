import type { GraphNode } from './model.ts';

/** Every node that may come after this one. */
export function targetsOf(node: GraphNode): string[] {
  const targets: (string | undefined)[] = [node.next];
  if (node.type === 'switch') targets.push(...node.conditions.map((condition) => condition.next), node.otherwise);
  if (node.type === 'parallel') targets.push(...node.branches);
  if (node.type === 'approve') targets.push(node.rejected);
  if ('onError' in node) targets.push(node.onError);
  return targets.filter((target) => target !== undefined);
}
