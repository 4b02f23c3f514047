import type { Graph } from './graph-model.ts';

/** A learner with this many goals and ideas; every idea belongs to a goal, some are related. */
export function learnerGraph(goals: number, ideas: number): Graph {
  const outcome = (at: number) => `out_${at}`;
  const concept = (at: number) => `con_${at}`;
  const statuses = ['understood', 'teaching', 'identified'];
  return {
    nodes: [
      ...Array.from({ length: goals }, (_, at) => node(outcome(at), 'outcome', `Goal ${at}`, 'active')),
      ...Array.from({ length: ideas }, (_, at) => node(concept(at), 'concept', `Idea ${at}`, statuses[at % 3] ?? '')),
    ],
    edges: Array.from({ length: ideas }, (_, at) => [
      ...(goals > 0 ? [{ from: outcome(at % goals), to: concept(at), type: 'requires' }] : []),
      ...(at >= 4 ? [{ from: concept(at), to: concept(at - 4), type: 'relates_to' }] : []),
    ]).flat(),
  };
}

function node(id: string, kind: 'outcome' | 'concept', label: string, status: string) {
  return { id, kind, label, status, summary: '', proofs: 0 };
}
