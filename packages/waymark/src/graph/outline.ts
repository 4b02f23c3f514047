import type { GraphNode, GraphTool, NodeList, NodeType } from './model.ts';
import { type Edge, edgesOf } from './targets.ts';

export interface OutlineNode {
  readonly id: string;
  readonly type: NodeType;
  readonly title: string;
  readonly line: number;
  /** What the node does, in a few words: the tool it calls, the expression it evaluates. */
  readonly detail?: string;
  /** The `foreach` node it stands in. */
  readonly parent?: string;
}

export interface OutlineEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: Edge['kind'];
  /** The rule of a condition. */
  readonly label?: string;
}

/** A tool as a picture needs it. */
export interface ToolOutline {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
}

export function outlineTool(tool: GraphTool): ToolOutline {
  const nodes: OutlineNode[] = [];
  const edges: OutlineEdge[] = [];
  collect(tool.body, undefined, nodes, edges);
  return {
    name: tool.name,
    title: tool.title ?? tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema ? { outputSchema: tool.outputSchema } : {}),
    nodes,
    edges,
  };
}

function collect(body: NodeList, parent: string | undefined, nodes: OutlineNode[], edges: OutlineEdge[]): void {
  for (const node of body.nodes.values()) {
    const detail = detailOf(node);
    nodes.push({
      id: node.id,
      type: node.type,
      title: node.title ?? node.id,
      line: node.position.line,
      ...(detail === undefined ? {} : { detail }),
      ...(parent === undefined ? {} : { parent }),
    });
    for (const edge of edgesOf(node)) {
      const label = labelOf(node, edge);
      edges.push({ from: node.id, to: edge.target, kind: edge.kind, ...(label === undefined ? {} : { label }) });
    }
    if (node.type === 'foreach') collect(node.body, node.id, nodes, edges);
  }
}

function detailOf(node: GraphNode): string | undefined {
  switch (node.type) {
    case 'mcp':
      return `${node.server} ${node.tool}`;
    case 'transform':
      return node.expression.text;
    case 'call':
      return node.graph === undefined ? node.tool : `${node.graph} ${node.tool}`;
    case 'foreach':
      return `each ${node.as}`;
    case 'join':
      return node.mode;
    default:
      return undefined;
  }
}

function labelOf(node: GraphNode, { kind, at }: Edge): string | undefined {
  if (node.type !== 'switch' || kind !== 'condition') return undefined;
  const { rule } = node.conditions[at[1] as number] ?? {};
  return rule === undefined || rule === null ? undefined : JSON.stringify(rule);
}
