import { expect, test } from 'vitest';
import { layoutGraph, nodeSize, routeThrough } from './layout.ts';

const node = (id: string) => ({ id, type: 'mcp', title: id, line: 1 });
const edge = (from: string, to: string) => ({ from, to, kind: 'next' });

test('an edge that passes a node goes around it', () => {
  const { places, bends } = layoutGraph(['a', 'b', 'c'].map(node), [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]);
  const passed = places.get('b') ?? { x: 0, y: 0 };
  expect([...bends.keys()]).toEqual([2]);
  for (const { x, y } of bends.get(2) ?? []) {
    const isBeside = x < passed.x || x > passed.x + nodeSize.width;
    const isAtItsHeight = y > passed.y && y < passed.y + nodeSize.height;
    expect(!isAtItsHeight || isBeside).toBe(true);
  }
});

test('a route begins and ends where it should', () => {
  expect(routeThrough({ x: 0, y: 0 }, [{ x: 10, y: 10 }], { x: 0, y: 20 })).toBe('M 0,0 Q 10,10 5,15 L 0,20');
});
