import { type Graph, type GraphNode, lookOf } from './graph-model.ts';
import type { Strings } from './strings.ts';
import { Status } from './ui.tsx';

interface DetailsProps {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly strings: Strings;
  onSelect(id: string | undefined): void;
  onLearn(): void;
}

export function Details({ graph, node, strings, onSelect, onLearn }: DetailsProps) {
  const nodes = new Map(graph.nodes.map((other) => [other.id, other]));
  const look = lookOf(node);
  const links = graph.edges.flatMap(({ from, to, type }) => {
    const other = nodes.get(from === node.id ? to : from);
    if (!other || (from !== node.id && to !== node.id)) return [];
    const words = strings.links[type] ?? [type, type];
    return [{ other, how: from === node.id ? words[0] : words[1] }];
  });
  return (
    <section class="details" aria-labelledby="details-title" aria-live="polite">
      <div class="row spread">
        <h2 id="details-title">{node.label}</h2>
        <button type="button" class="plain" onClick={() => onSelect(undefined)}>
          {strings.close}
        </button>
      </div>
      <div class="row">
        <Status
          status={look}
          label={look === 'outcome' ? (strings.kind['outcome'] ?? '') : (strings.status[look] ?? look)}
        />
        {node.proofs > 0 && <span class="quiet small">{strings.proofs(node.proofs)}</span>}
      </div>
      {node.summary && <p>{node.summary}</p>}
      {links.length > 0 && (
        <ul>
          {links.slice(0, 12).map(({ other, how }) => (
            <li key={`${how} ${other.id}`}>
              <span class="quiet small">{how}</span>
              <button type="button" class="link-button" onClick={() => onSelect(other.id)}>
                {other.label}
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" onClick={onLearn}>
        {strings.learnThis}
      </button>
    </section>
  );
}
