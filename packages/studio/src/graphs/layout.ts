import { graphlib, layout as arrange } from '@dagrejs/dagre';
import type { OutlineEdge, OutlineNode } from './api.ts';

export const nodeSize = { width: 196, height: 62 };
export const roomySize = { width: 232, height: 80 };

/** Where every node stands, top to bottom. The same graph always looks the same. */
export function layoutGraph(
  nodes: readonly OutlineNode[],
  edges: readonly OutlineEdge[],
  size = nodeSize,
): Map<string, { x: number; y: number }> {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 58, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { ...size });
  for (const [index, edge] of edges.entries()) graph.setEdge(edge.from, edge.to, {}, String(index));
  // A loop's body hangs below its foreach.
  for (const node of nodes)
    if (node.parent !== undefined) graph.setEdge(node.parent, node.id, { weight: 0 }, `in ${node.id}`);
  arrange(graph);
  return new Map(
    nodes.map(({ id }) => {
      const placed = graph.node(id) as { x: number; y: number };
      return [id, { x: placed.x - size.width / 2, y: placed.y - size.height / 2 }];
    }),
  );
}
