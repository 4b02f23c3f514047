import { sql } from 'kysely';
import { ToolError } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import type { Circumstances } from './circumstances.ts';
import { openLearner } from './learner-store.ts';
import type { ConceptStatus, EdgeType } from './model.ts';
import { type Database, databaseOf } from './tables.ts';

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
  const concepts = await readConcepts(db, userId);
  const edges = await readEdges(db, userId);

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

interface ConceptRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly summary: string;
  readonly status: ConceptStatus;
  readonly times_discussed: number;
  readonly proofs: number;
}

// Thousands of rows come many times faster as one text than row by row or as JSON. The two
// separators have no place in what people write, and are taken out of it.
const betweenFields = '\u001F';
const betweenRows = '\u001E';

async function readConcepts(db: Database, userId: string): Promise<ConceptRow[]> {
  const { rows } = await sql<{ list: string | null }>`
    select string_agg(concat_ws(chr(31), c.id, c.name, translate(c.display_name, chr(30) || chr(31), ''),
      translate(c.summary, chr(30) || chr(31), ''), c.status, c.times_discussed, coalesce(p.count, 0)), chr(30) order by c.discovered_at, c.id collate "C") as list
    from sage_concepts c
    left join (select concept_id, count(*) as count from sage_proofs where user_id = ${userId} group by concept_id) p
      on p.concept_id = c.id where c.user_id = ${userId}
  `.execute(db);
  return rowsIn(rows[0]?.list).map(([id = '', name = '', display_name = '', summary = '', status, times, proofs]) => ({
    id,
    name,
    display_name,
    summary,
    status: status as ConceptStatus,
    times_discussed: Number(times),
    proofs: Number(proofs),
  }));
}

async function readEdges(db: Database, userId: string): Promise<GraphEdge[]> {
  const shown: readonly EdgeType[] = ['builds_on', 'relates_to', 'requires'];
  const { rows } = await sql<{ type: EdgeType; list: string }>`
    select type, string_agg(concat_ws(chr(31), from_id, to_id), chr(30)) as list
    from sage_edges where user_id = ${userId} and type = any(${shown as EdgeType[]}) group by type order by type
  `.execute(db);
  return rows.flatMap(({ type, list }) => rowsIn(list).map(([from = '', to = '']) => ({ from, to, type })));
}

function rowsIn(list: string | null | undefined): string[][] {
  return list ? list.split(betweenRows).map((row) => row.split(betweenFields)) : [];
}
