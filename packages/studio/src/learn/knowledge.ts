import { CircleCheck, CircleDashed, Lightbulb, Target } from 'lucide-react';
import type { OutlineEdge, OutlineNode } from '../graphs/api.ts';
import type { Look, NodeState } from '../graphs/node-looks.ts';
import type { Knowledge, KnowledgeNode } from './api.ts';

export const knowledgeLooks: Readonly<Record<string, Look>> = {
  outcome: { icon: Target, word: 'Goal' },
  proven: { icon: CircleCheck, word: 'Proven' },
  teaching: { icon: Lightbulb, word: 'Being learned' },
  open: { icon: CircleDashed, word: 'Not yet' },
};

/** How far something is: a goal, or an idea that is proven, being learned, or not yet. */
export function stageOf({ type, data }: KnowledgeNode): string {
  if (type === 'outcome') return 'outcome';
  if (data.proven) return 'proven';
  return data.status === 'teaching' ? 'teaching' : 'open';
}

const edgeWords: Readonly<Record<string, string>> = {
  requires: 'needs',
  relates_to: 'related to',
  builds_on: 'builds on',
};

export function edgeWord(type: string): string {
  return edgeWords[type] ?? type.replaceAll('_', ' ');
}

/** What is known, in the form the picture of a graph takes. */
export function pictureOf({ nodes, edges }: Knowledge): {
  nodes: OutlineNode[];
  edges: OutlineEdge[];
  states: Map<string, NodeState>;
} {
  return {
    nodes: nodes.map((node) => {
      const stage = stageOf(node);
      return { id: node.id, type: stage, title: node.label, line: 0, detail: knowledgeLooks[stage]?.word ?? stage };
    }),
    edges: edges.map(({ from, to, type }) => ({ from, to, kind: 'next', label: edgeWord(type) })),
    states: new Map(nodes.filter((node) => node.data.proven).map(({ id }) => [id, 'done'])),
  };
}
