import { expect, test } from 'vitest';
import type { Problem, Procedure, Step } from './api.ts';
import { outlineOf, placeProblems, worstByStep } from './outline.ts';

const step = (id: string, type: string, line: number, terminal = false): Step => ({
  id,
  type,
  description: `Do ${id}`,
  terminal,
  line,
  column: 5,
});
const procedure: Procedure = {
  agent: 'shop',
  version: null,
  entry_node: 'START',
  graph: { node_count: 4 },
  nodes: [
    step('START', 'stadium', 3),
    step('ASK', 'rhombus', 4),
    step('PAY', 'rectangle', 5),
    step('END', 'stadium', 6, true),
  ],
  edges: [
    { from: 'START', to: 'ASK', condition: null, style: 'normal' },
    { from: 'ASK', to: 'PAY', condition: 'yes', style: 'dotted' },
  ],
  prompts: { PAY: { prompt: 'Take the money.' } },
};
const problem = (line: number, message: string, severity: Problem['severity'] = 'warning'): Problem => ({
  severity,
  code: 'X',
  message,
  line,
  col: 5,
});

test('draws steps by what they are for', () => {
  const { nodes, edges } = outlineOf(procedure);
  expect(nodes.map(({ type }) => type)).toEqual(['start', 'decision', 'instructed', 'end']);
  expect(edges).toEqual([
    { from: 'START', to: 'ASK', kind: 'next' },
    { from: 'ASK', to: 'PAY', kind: 'dotted', label: 'yes' },
  ]);
});

test('finds the step a problem is about by place, else by name', () => {
  const placed = placeProblems(
    [problem(4, 'The decision has one way out'), problem(9, 'No arrow leads to PAY'), problem(1, 'No agent name')],
    procedure.nodes,
  );
  expect(placed.map(({ step: about }) => about)).toEqual(['ASK', 'PAY', undefined]);
});

test('marks a step with the worst there is', () => {
  const placed = placeProblems([problem(4, 'a'), problem(4, 'b', 'error'), problem(4, 'c')], procedure.nodes);
  expect([...worstByStep(placed)]).toEqual([['ASK', 'error']]);
});
