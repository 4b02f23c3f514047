import { type Graph, type GraphNode, lookOf } from './graph-model.ts';
import type { Strings } from './strings.ts';
import { Status } from './ui.tsx';

interface ListProps {
  readonly graph: Graph;
  readonly strings: Strings;
  onSelect(id: string): void;
}

/** The same as the picture, as text: every goal with its ideas, then the ideas without a goal. */
export function GraphList({ graph, strings, onSelect }: ListProps) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const ideas = new Map<string, GraphNode[]>();
  const placed = new Set<string>();
  for (const { from, to, type } of graph.edges) {
    const idea = nodes.get(to);
    if (type !== 'requires' || !idea) continue;
    ideas.set(from, [...(ideas.get(from) ?? []), idea]);
    placed.add(to);
  }
  const top = graph.nodes.filter(({ id, kind }) => kind === 'outcome' || !placed.has(id));
  return (
    <ul class="nodes" tabIndex={0} aria-label={strings.graphTitle}>
      {top.map((node) => (
        <li key={node.id}>
          <Row node={node} strings={strings} onSelect={onSelect} />
          {ideas.has(node.id) && (
            <ul>
              {ideas.get(node.id)?.map((idea) => (
                <li key={idea.id}>
                  <Row node={idea} strings={strings} onSelect={onSelect} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

function Row({ node, strings, onSelect }: { readonly node: GraphNode } & Omit<ListProps, 'graph'>) {
  const look = lookOf(node);
  const label = look === 'outcome' ? (strings.kind['outcome'] ?? look) : (strings.status[look] ?? look);
  return (
    <div class="row spread">
      <button type="button" class="link-button" onClick={() => onSelect(node.id)}>
        {node.label}
      </button>
      <Status status={look} label={label} />
    </div>
  );
}
