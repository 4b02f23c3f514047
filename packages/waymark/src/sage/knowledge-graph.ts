import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import type { Circumstances } from './circumstances.ts';
import { openLearner } from './learner-store.ts';
import type { EdgeType } from './model.ts';
import { databaseOf } from './tables.ts';

export interface GraphFilters {
  readonly showProvenOnly?: boolean | undefined;
  readonly showOutcomes?: boolean | undefined;
  readonly showConcepts?: boolean | undefined;
  readonly outcomeId?: string | undefined;
}

export interface GraphNode {
  readonly id: string;
  readonly type: 'outcome' | 'concept';
  readonly label: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
}

export interface KnowledgeGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly provenConcepts: number;
  readonly activeOutcome: string | null;
}

/** The learner's graph as the filters leave it. Counts describe what is left. */
export async function readGraph(
  store: Store,
  circumstances: Circumstances,
  filters: GraphFilters = {},
): Promise<KnowledgeGraph> {
  const db = databaseOf(store);
  const { userId } = circumstances;
  const { learner } = await openLearner(db, circumstances);
  const outcomes = await db
    .selectFrom('sage_outcomes')
    .select(['id', 'goal', 'status', 'criteria'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  if (filters.outcomeId !== undefined && !outcomes.some(({ id }) => id === filters.outcomeId)) {
    throw new ToolError('OUTCOME_NOT_FOUND', 'Outcome not found', { outcomeId: filters.outcomeId });
  }
  const concepts = await db
    .selectFrom('sage_concepts')
    .leftJoin('sage_proofs', 'sage_proofs.concept_id', 'sage_concepts.id')
    .select([
      'sage_concepts.id',
      'sage_concepts.name',
      'sage_concepts.display_name',
      'sage_concepts.summary',
      'sage_concepts.status',
      'sage_concepts.times_discussed',
    ])
    .select((select) => select.fn.count<number>('sage_proofs.id').as('proofs'))
    .where('sage_concepts.user_id', '=', userId)
    .groupBy('sage_concepts.id')
    .orderBy('sage_concepts.discovered_at')
    .execute();
  const edges = await db
    .selectFrom('sage_edges')
    .select(['from_id as from', 'to_id as to', 'type'])
    .where('user_id', '=', userId)
    .where('type', 'in', ['requires', 'relates_to', 'builds_on'])
    .orderBy('type')
    .orderBy('from_id')
    .orderBy('to_id')
    .execute();

  const belonging =
    filters.outcomeId === undefined
      ? undefined
      : new Set(
          edges.filter(({ from, type }) => type === 'requires' && from === filters.outcomeId).map(({ to }) => to),
        );
  const nodes: GraphNode[] = [];
  for (const { id, goal, status, criteria } of outcomes) {
    if (filters.showOutcomes === false || (filters.outcomeId ?? id) !== id) continue;
    const data = { status, active: id === learner.activeOutcomeId, criteria: JSON.parse(criteria) as string[] };
    nodes.push({ id, type: 'outcome', label: goal, data });
  }
  for (const concept of concepts) {
    const proven = concept.status === 'understood';
    if (filters.showConcepts === false || (filters.showProvenOnly && !proven)) continue;
    if (belonging && !belonging.has(concept.id)) continue;
    nodes.push({
      id: concept.id,
      type: 'concept',
      label: concept.display_name,
      data: {
        name: concept.name,
        status: concept.status,
        proven,
        summary: concept.summary,
        timesDiscussed: concept.times_discussed,
        proofs: concept.proofs,
      },
    });
  }
  const shown = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
    provenConcepts: nodes.filter(({ data }) => data['proven'] === true).length,
    activeOutcome: outcomes.find(({ id }) => id === learner.activeOutcomeId)?.goal ?? null,
  };
}
