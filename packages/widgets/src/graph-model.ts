import type { ToolResult } from './host-model.ts';
import { number, record, records, text } from './read.ts';

export interface GraphNode {
  readonly id: string;
  readonly kind: 'outcome' | 'concept';
  readonly label: string;
  readonly status: string;
  readonly summary: string;
  readonly proofs: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface Filters {
  readonly showProvenOnly: boolean;
  readonly showOutcomes: boolean;
  readonly showConcepts: boolean;
  readonly outcomeId: string;
}

export const everything: Filters = { showProvenOnly: false, showOutcomes: true, showConcepts: true, outcomeId: '' };

export function readGraph(result: ToolResult): Graph {
  const data = record(record(result._meta)['graphData']);
  const nodes = records(data['nodes']).flatMap((node): GraphNode[] => {
    const kind = node['type'];
    if (kind !== 'outcome' && kind !== 'concept') return [];
    const details = record(node['data']);
    return [
      {
        id: text(node['id']),
        kind,
        label: text(node['label']),
        status: text(details['status']),
        summary: text(details['summary']),
        proofs: number(details['proofs']),
      },
    ];
  });
  const known = new Set(nodes.map(({ id }) => id));
  const edges = records(data['edges'])
    .map((edge) => ({ from: text(edge['from']), to: text(edge['to']), type: text(edge['type']) }))
    .filter(({ from, to }) => known.has(from) && known.has(to));
  return { nodes, edges };
}

export function isProven({ kind, status }: GraphNode): boolean {
  return kind === 'concept' && status === 'understood';
}

/** How a node is drawn and told: goals by themselves, ideas by how far they are. */
export function lookOf({ kind, status }: GraphNode): 'outcome' | 'understood' | 'teaching' | 'identified' {
  if (kind === 'outcome') return 'outcome';
  return status === 'understood' || status === 'teaching' ? status : 'identified';
}

/** What a server would answer for these filters, from a graph that holds at least that. */
export function filterGraph({ nodes, edges }: Graph, filters: Filters): Graph {
  const ofGoal = filters.outcomeId
    ? new Set([
        filters.outcomeId,
        ...edges.flatMap(({ from, to, type }) => (type === 'requires' && from === filters.outcomeId ? [to] : [])),
      ])
    : undefined;
  const kept = nodes.filter((node) => {
    if (ofGoal && !ofGoal.has(node.id)) return false;
    if (node.kind === 'outcome') return filters.showOutcomes;
    return filters.showConcepts && (!filters.showProvenOnly || isProven(node));
  });
  const ids = new Set(kept.map(({ id }) => id));
  return { nodes: kept, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}
