import { nearest } from '../kit/nearest.ts';
import type { FlowEdge, Flowchart, FlowNode } from './flowchart/flowchart.ts';
import { shortShapeName } from './flowchart/shapes.ts';

/** The graph of a procedure: what a flowchart means once only moves count, not the picture. */
export interface Procedure {
  readonly nodes: ReadonlyMap<string, ProcedureNode>;
  readonly edges: ReadonlyMap<string, readonly ProcedureEdge[]>;
}

export interface ProcedureNode {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly group: string | undefined;
  readonly offset: number;
}

export interface ProcedureEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: string | null;
  readonly style: 'normal' | 'dotted' | 'thick';
  /** The way back of a two-way edge. */
  readonly back?: boolean;
  readonly offset: number;
}

export interface GraphProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

/** The names of the three shapes procedures are drawn with; every other keeps mermaid's name. */
const typeNames: Readonly<Record<string, string>> = { rect: 'rectangle', stadium: 'stadium', diam: 'rhombus' };
const bracketFamilies: Readonly<Record<string, string>> = { square: 'rect', diamond: 'diam' };

/** The name of a node's shape as the tools report it. A node without one is drawn as a rectangle. */
export function typeOf({ shape }: FlowNode): string {
  if (shape === undefined) return 'rectangle';
  const family = bracketFamilies[shape] ?? shortShapeName(shape) ?? shape;
  return typeNames[family] ?? shape;
}

export function buildProcedure(flowchart: Flowchart): { procedure: Procedure; problems: GraphProblem[] } {
  const problems: GraphProblem[] = [];
  const groups = new Set(flowchart.groups.map((group) => group.id));
  const nodes = new Map<string, ProcedureNode>();
  for (const node of flowchart.nodes.values()) {
    if (groups.has(node.id)) continue;
    const { id, label, group, mentions } = node;
    const offset = mentions[0]?.idRange.start ?? 0;
    nodes.set(id, { id, type: typeOf(node), description: label, group, offset });
    warnIfRelabelled(node, problems);
  }
  const edges = new Map<string, ProcedureEdge[]>([...nodes.keys()].map((id) => [id, []]));
  const resolve = createGroupResolver(flowchart, nodes, problems);
  for (const edge of flowchart.edges) {
    if (edge.stroke === 'invisible') continue;
    const from = resolve(edge.from, 'last', edge);
    const to = resolve(edge.to, 'first', edge);
    if (from === undefined || to === undefined) continue;
    addEdge(edges, { ...describe(edge), from, to }, problems);
    if (!edge.bothWays || edge.head !== 'point') continue;
    addEdge(edges, { ...describe(edge), from: to, to: from, back: true }, problems);
  }
  return { procedure: { nodes, edges }, problems };
}

function describe({ label, stroke, range }: FlowEdge): Omit<ProcedureEdge, 'from' | 'to'> {
  const style = stroke === 'dotted' || stroke === 'thick' ? stroke : 'normal';
  return { condition: label ?? null, style, offset: range.start };
}

function addEdge(edges: Map<string, ProcedureEdge[]>, edge: ProcedureEdge, problems: GraphProblem[]): void {
  const siblings = edges.get(edge.from) ?? [];
  if (siblings.some((other) => other.to === edge.to && other.condition === edge.condition)) {
    const message = `The edge from ${edge.from} to ${edge.to} is drawn twice`;
    problems.push({ severity: 'warning', code: 'DUPLICATE_EDGE', offset: edge.offset, message });
    return;
  }
  siblings.push(edge);
  edges.set(edge.from, siblings);
}

function warnIfRelabelled({ id, label, mentions }: FlowNode, problems: GraphProblem[]): void {
  const labelled = mentions.filter((mention) => mention.label !== undefined);
  const other = labelled.find((mention) => mention.label?.text !== label);
  if (labelled.length < 2 || !other) return;
  const message = `${id} is given different labels; the last one counts ("${label}")`;
  problems.push({ severity: 'warning', code: 'RELABELLED_NODE', offset: other.idRange.start, message });
}

/** An edge to a subgraph leads to its one first node, an edge from it starts at its one last node. */
function createGroupResolver(
  flowchart: Flowchart,
  nodes: ReadonlyMap<string, ProcedureNode>,
  problems: GraphProblem[],
): (id: string, end: 'first' | 'last', edge: FlowEdge) => string | undefined {
  const membersOf = (id: string, above: readonly string[] = []): string[] => {
    const group = flowchart.groups.find((candidate) => candidate.id === id);
    const inside = [...above, id];
    return (group?.members ?? [])
      .filter((member) => !inside.includes(member))
      .flatMap((member) => (nodes.has(member) ? [member] : membersOf(member, inside)));
  };
  return (id, end, edge) => {
    if (nodes.has(id)) return id;
    const members = new Set(membersOf(id));
    const inner = flowchart.edges.filter(({ from, to }) => members.has(from) && members.has(to) && from !== to);
    const candidates = [...members].filter((member) =>
      inner.every(({ from, to }) => (end === 'first' ? to : from) !== member),
    );
    if (candidates.length === 1) return candidates[0];
    const found = candidates.length === 0 ? 'none' : candidates.join(', ');
    const message = `An edge ${end === 'first' ? 'to' : 'from'} the subgraph ${id} needs exactly one ${end} node in it (found: ${found})`;
    problems.push({ severity: 'error', code: 'AMBIGUOUS_SUBGRAPH_EDGE', offset: edge.range.start, message });
    return undefined;
  };
}

/** Where the procedure begins: as told, else START, else the one root, else a node called start. */
export function findEntry(
  { nodes, edges }: Procedure,
  told: string | undefined,
): { entry: string } | { error: string } {
  if (told !== undefined) {
    if (nodes.has(told)) return { entry: told };
    const suggestion = nearest(told, nodes.keys());
    const hint = suggestion ? `; did you mean ${suggestion}?` : '';
    return { error: `entry_node ${told} is not a node of the flowchart${hint}` };
  }
  if (nodes.has('START')) return { entry: 'START' };
  const incoming = [...edges.values()].flat().filter((edge) => edge.from !== edge.to && !edge.back);
  const targets = new Set(incoming.map((edge) => edge.to));
  const roots = [...nodes.keys()].filter((id) => !targets.has(id));
  const [root] = roots;
  if (roots.length === 1 && root !== undefined) return { entry: root };
  const starts = [...nodes.keys()].filter((id) => id.toLowerCase() === 'start');
  const [start] = starts;
  if (starts.length === 1 && start !== undefined) return { entry: start };
  const found = roots.length === 0 ? 'no node is without incoming edges' : `it could be ${roots.join(', ')}`;
  return { error: `Cannot tell where the procedure begins (${found}). Name it with entry_node in the frontmatter` };
}
