import { graphlib, layout as arrange } from '@dagrejs/dagre';
import type { OutlineEdge, OutlineNode } from './api.ts';

export const nodeSize = { width: 196, height: 62 };
export const roomySize = { width: 232, height: 80 };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly places: ReadonlyMap<string, Point>;
  /** The bends of every edge that passes other nodes, by its place in the list. */
  readonly bends: ReadonlyMap<number, readonly Point[]>;
}

/** Where everything stands, top to bottom. The same graph always looks the same. */
export function layoutGraph(nodes: readonly OutlineNode[], edges: readonly OutlineEdge[], size = nodeSize): Layout {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 58, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, { ...size });
  for (const [index, edge] of edges.entries()) graph.setEdge(edge.from, edge.to, {}, String(index));
  // A loop's body hangs below its foreach.
  for (const node of nodes)
    if (node.parent !== undefined) graph.setEdge(node.parent, node.id, { weight: 0 }, `in ${node.id}`);
  arrange(graph);
  const places = new Map(
    nodes.map(({ id }) => {
      const placed = graph.node(id) as Point;
      return [id, { x: placed.x - size.width / 2, y: placed.y - size.height / 2 }];
    }),
  );
  const bends = new Map<number, readonly Point[]>();
  for (const [index, { from, to }] of edges.entries()) {
    const { points = [] } = graph.edge(from, to, String(index)) as { points?: Point[] };
    // The ends are where the nodes are; a single bend between neighbours says nothing.
    if (points.length > 3) bends.set(index, points.slice(1, -1));
  }
  return { places, bends };
}

/** A smooth line from one end to the other that leans towards the bends. */
export function routeThrough(start: Point, bends: readonly Point[], end: Point): string {
  const points = [...bends, end];
  let path = `M ${start.x},${start.y}`;
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    if (!next) path += ` L ${point.x},${point.y}`;
    else path += ` Q ${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  }
  return path;
}
