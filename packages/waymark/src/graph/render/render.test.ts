import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { load, oneTool } from '../graph.test-helpers.ts';
import type { GraphTool } from '../model.ts';
import { showRule } from './describe.ts';
import { type Layout, layOut } from './layout.ts';
import { renderMermaid } from './mermaid.ts';
import { renderSvg } from './svg.ts';

const tool = load(
  oneTool(
    `      - { id: entry, type: entry, next: fan }
      - { id: fan, type: parallel, branches: [left, each] }
      - { id: left, type: mcp, server: s, tool: list, next: both, onError: rescue }
      - { id: rescue, type: transform, title: 'Say "no" & <stop>', transform: { expr: '"x"' }, next: both }
      - id: each
        type: foreach
        items: $.entry.items
        concurrency: 4
        nodes:
          - { id: a, type: mcp, server: s, tool: get, next: b }
          - { id: b, type: transform, transform: { expr: '$.a.value * 2' } }
        next: both
      - { id: both, type: join, next: check }
      - { id: check, type: switch, conditions: [{ rule: { "<": [{ var: both.left.n }, 3] }, next: fan }], next: ask }
      - { id: ask, type: approve, message: Go on?, rejected: exit, next: exit }
      - { id: exit, type: exit }`,
    'mcpServers: { s: { command: c } }',
  ),
).tools.get('t') as GraphTool;

function overlaps({ boxes }: Layout): string[] {
  const found: string[] = [];
  for (const [index, left] of boxes.entries()) {
    for (const right of boxes.slice(index + 1)) {
      const apart =
        left.x + left.width <= right.x ||
        right.x + right.width <= left.x ||
        left.y + left.height <= right.y ||
        right.y + right.height <= left.y;
      if (!apart) found.push(`${left.node.id} ${right.node.id}`);
    }
  }
  return found;
}

describe('pictures', () => {
  test('the layout puts every node once, below what leads to it, without overlaps', () => {
    const layout = layOut(tool.body);
    expect(layout.boxes.map(({ node }) => node.id).toSorted()).toEqual([...tool.body.nodes.keys()].toSorted());
    expect(overlaps(layout)).toEqual([]);
    for (const { from, to, isBack } of layout.lines) if (!isBack) expect(to.y).toBeGreaterThan(from.y);
    expect(layout.lines.filter(({ isBack }) => isBack).map(({ from, to }) => `${from.node.id} ${to.node.id}`)).toEqual([
      'check fan',
    ]);
    const each = layout.boxes.find(({ node }) => node.id === 'each');
    expect(each?.inner?.boxes).toHaveLength(2);
    expect(each?.width).toBeGreaterThan(each?.inner?.width ?? Infinity);
  });

  test('the SVG is well formed, whatever the titles hold', () => {
    const svg = renderSvg(tool);
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('text', (text) => texts.push(text));
    parser.write(svg).close();
    expect(texts).toContain('Say "no" & <stop>');
    expect(texts).toContain('both.left.n < 3');
    expect(svg.match(/marker-end/g)).toHaveLength(13);
  });

  test('the Mermaid flowchart has a node for each and an edge for each way', () => {
    const text = renderMermaid(tool);
    expect(text).toContain('n3["Say &quot;no&quot; &amp; &lt;stop&gt;<br/>');
    expect(text).toContain('subgraph n4["each<br/><small>each item of $.entry.items, 4 at once</small>"]\n    n5[[');
    expect(text).toContain('n8 -->|"both.left.n &lt; 3"| n1');
    expect(text).toContain('n2 -.->|"on error"| n3');
  });

  test.each([
    [{ '>': [{ var: '$.entry.value' }, 10] }, 'entry.value > 10'],
    [{ and: [{ var: 'a' }, { '!': { var: 'b' } }] }, 'a and !(b)'],
    [{ missing: ['a', 'b'] }, 'missing("a", "b")'],
    [true, 'true'],
  ])('the rule %j reads as %s', (rule, shown) => {
    expect(showRule(rule)).toBe(shown);
  });
});
