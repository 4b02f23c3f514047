import { expect, test } from 'vitest';
import type { KnowledgeNode } from './api.ts';
import { edgeWord, pictureOf, stageOf } from './knowledge.ts';

const node = (id: string, type: KnowledgeNode['type'], data: KnowledgeNode['data']): KnowledgeNode => ({
  id,
  type,
  label: id,
  data,
});
const nodes = [
  node('goal', 'outcome', { status: 'active' }),
  node('a', 'concept', { status: 'understood', proven: true }),
  node('b', 'concept', { status: 'teaching', proven: false }),
  node('c', 'concept', { status: 'identified' }),
];

test('tells how far everything is', () => {
  expect(nodes.map(stageOf)).toEqual(['outcome', 'proven', 'teaching', 'open']);
});

test('draws what is proven as done', () => {
  const picture = pictureOf({ nodes, edges: [{ from: 'goal', to: 'a', type: 'requires' }], provenConcepts: 1 });
  expect(picture.edges).toEqual([{ from: 'goal', to: 'a', kind: 'next', label: 'needs' }]);
  expect([...picture.states]).toEqual([['a', 'done']]);
  expect(edgeWord('leads_to')).toBe('leads to');
});
