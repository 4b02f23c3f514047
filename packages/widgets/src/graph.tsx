import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Details } from './graph-details.tsx';
import { GraphList } from './graph-list.tsx';
import {
  everything,
  filterGraph,
  type Filters,
  type Graph,
  type GraphNode,
  isProven,
  readGraph,
} from './graph-model.ts';
import { Picture } from './graph-picture.tsx';
import { mount, type WidgetProps } from './mount.tsx';
import { record } from './read.ts';
import type { Strings } from './strings.ts';
import { Problem, problemOf, succeeded, useAction } from './ui.tsx';
import './graph.css';

function KnowledgeGraph({ host, context, strings, result }: WidgetProps) {
  const [graph, setGraph] = useState<Graph>(() => readGraph(result));
  const [filters, setFilters] = useState<Filters>(() => ({
    ...everything,
    ...record(record(result._meta)['filters']),
  }));
  const [goals, setGoals] = useState<readonly GraphNode[]>(() => goalsOf(graph, []));
  const [asList, setAsList] = useState(false);
  const [selected, setSelected] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const { problem, setProblem, run } = useAction(strings.tryAgain);

  const showGraph = useCallback((latest: Graph) => {
    setGraph(latest);
    setGoals((known) => goalsOf(latest, known));
  }, []);
  useEffect(() => showGraph(readGraph(result)), [result, showGraph]);

  const newest = useRef(0);
  /** Every change asks anew, and only the newest answer counts. */
  const load = async (wanted: Filters) => {
    newest.current += 1;
    const mine = newest.current;
    const { outcomeId, ...flags } = wanted;
    const asked = { filters: { ...flags, ...(outcomeId ? { outcomeId } : {}) } };
    setBusy(true);
    const answer = await host
      .callTool('sage_graph', asked)
      .then(succeeded)
      .catch((error: unknown) => {
        if (mine === newest.current) setProblem(problemOf(error, strings.tryAgain));
        return undefined;
      });
    if (mine !== newest.current) return;
    setBusy(false);
    if (answer) setProblem('');
    showGraph(answer ? readGraph(answer) : filterGraph(readGraph(result), wanted));
  };
  const change = (part: Partial<Filters>) => {
    const wanted = { ...filters, ...part };
    setFilters(wanted);
    void load(wanted);
  };

  const node = useMemo(() => graph.nodes.find(({ id }) => id === selected), [graph, selected]);
  const isFull = context.displayMode === 'fullscreen';
  return (
    <section class="card graph-card stack" aria-busy={busy}>
      <div class="row spread">
        <h1>{strings.graphTitle}</h1>
        <div class="tabs" role="group" aria-label={strings.view}>
          <button type="button" aria-pressed={!asList} onClick={() => setAsList(false)}>
            {strings.picture}
          </button>
          <button type="button" aria-pressed={asList} onClick={() => setAsList(true)}>
            {strings.asList}
          </button>
        </div>
      </div>
      <FilterBar filters={filters} goals={goals} strings={strings} onChange={change} />
      {graph.nodes.length === 0 ? (
        <p class="quiet">{goals.length === 0 ? strings.freshGraph : strings.emptyGraph}</p>
      ) : asList ? (
        <GraphList graph={graph} strings={strings} onSelect={setSelected} />
      ) : (
        <Picture graph={graph} selected={selected} strings={strings} wheelZooms={isFull} onSelect={setSelected} />
      )}
      {node && (
        <Details
          graph={graph}
          node={node}
          strings={strings}
          onSelect={setSelected}
          onLearn={() => run(() => host.say(strings.saidLearn(node.label)))}
        />
      )}
      {problem && <Problem>{problem}</Problem>}
      <Legend strings={strings} />
      <div class="row spread">
        <p class="quiet small" role="status">
          {strings.counts(graph.nodes.length, graph.edges.length, graph.nodes.filter(isProven).length)}
        </p>
        <div class="row">
          {context.availableDisplayModes?.includes('fullscreen') && (
            <button
              type="button"
              class="plain"
              onClick={() => run(() => host.requestDisplayMode(isFull ? 'inline' : 'fullscreen'))}
            >
              {isFull ? strings.leaveFullscreen : strings.fullscreen}
            </button>
          )}
          <button type="button" class="plain" aria-disabled={busy} onClick={() => void load(filters)}>
            {strings.refresh}
          </button>
        </div>
      </div>
    </section>
  );
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly goals: readonly GraphNode[];
  readonly strings: Strings;
  onChange(part: Partial<Filters>): void;
}

function FilterBar({ filters, goals, strings, onChange }: FilterBarProps) {
  const toggles = [
    ['showOutcomes', strings.outcomes],
    ['showConcepts', strings.concepts],
    ['showProvenOnly', strings.provenOnly],
  ] as const;
  return (
    <div class="row spread">
      <div class="row filters" role="group" aria-label={strings.show}>
        {toggles.map(([name, label]) => (
          <label key={name} class="toggle">
            <input
              type="checkbox"
              checked={filters[name]}
              onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
            />
            {label}
          </label>
        ))}
      </div>
      {goals.length > 1 && (
        <select
          aria-label={strings.ofGoal}
          value={filters.outcomeId}
          onChange={(event) => onChange({ outcomeId: event.currentTarget.value })}
        >
          <option value="">{strings.allGoals}</option>
          {goals.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function Legend({ strings }: { readonly strings: Strings }) {
  const looks = ['outcome', 'understood', 'teaching', 'identified'] as const;
  return (
    <div class="row legend small quiet" aria-hidden="true">
      {looks.map((look) => (
        <span key={look}>
          <i class={look} />
          {look === 'outcome' ? strings.kind['outcome'] : strings.status[look]}
        </span>
      ))}
    </div>
  );
}

/** Every goal seen so far, so that a filtered answer does not empty the choice. */
function goalsOf(graph: Graph, known: readonly GraphNode[]): readonly GraphNode[] {
  const fresh = graph.nodes.filter(({ kind, id }) => kind === 'outcome' && !known.some((goal) => goal.id === id));
  return fresh.length === 0 ? known : [...known, ...fresh];
}

void mount('graph', KnowledgeGraph);
