import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neighbourTowards, placeNodes } from './graph-layout.ts';
import { learnerGraph } from './graph-layout.test-helpers.ts';

describe('placing the nodes of a graph', () => {
  test('gives every node a place of its own, the same every time', () => {
    const sizes = fc.record({ goals: fc.integer({ min: 0, max: 5 }), ideas: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(sizes, ({ goals, ideas }) => {
        const graph = learnerGraph(goals, ideas);
        const points = placeNodes(graph);
        expect(points).toHaveLength(graph.nodes.length);
        expect(placeNodes(graph)).toEqual(points);
        for (const [at, { x, y }] of points.entries()) {
          expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
          for (const other of points.slice(at + 1)) expect(Math.hypot(x - other.x, y - other.y)).toBeGreaterThan(24);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('keeps the ideas of a goal nearer to it than to other goals', () => {
    const graph = learnerGraph(3, 24);
    const independent = { ...graph, edges: graph.edges.filter(({ type }) => type === 'requires') };
    const points = placeNodes(independent);
    const distance = (a: number, b: number) => Math.hypot(points[a]!.x - points[b]!.x, points[a]!.y - points[b]!.y);
    for (let idea = 0; idea < 24; idea += 1) {
      const own = distance(3 + idea, idea % 3);
      expect(Math.min(...[0, 1, 2].map((goal) => distance(3 + idea, goal)))).toBe(own);
    }
  });

  test('an arrow key leads to the nearest node in its direction, or stays', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 50, y: 5 },
      { x: 90, y: 0 },
      { x: 0, y: 60 },
    ];
    expect(neighbourTowards(points, 0, { x: 1, y: 0 })).toBe(1);
    expect(neighbourTowards(points, 1, { x: 1, y: 0 })).toBe(2);
    expect(neighbourTowards(points, 0, { x: 0, y: 1 })).toBe(3);
    expect(neighbourTowards(points, 0, { x: -1, y: 0 })).toBe(0);
    expect(neighbourTowards(points, -1, { x: 1, y: 0 })).toBe(0);
    expect(neighbourTowards([], -1, { x: 1, y: 0 })).toBe(-1);
  });
});
