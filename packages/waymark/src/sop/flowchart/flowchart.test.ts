import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, relabelEdge, relabelNode } from './edit.ts';
import { readFlowchart } from './flowchart.ts';

const at = (source: string, offset: number) => {
  const before = source.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
};
const problemsOf = (source: string) =>
  readFlowchart(source).problems.map(({ offset, message }) => `${at(source, offset)} ${message}`);

describe('positions', () => {
  test.each([
    [
      'flowchart TD\n A[Do (x)] --> B',
      '2:7 expected "]"; text with brackets or quotes must stand in "quotes", but found "("',
    ],
    ['flowchart TD\n A[Do --> B', '2:3 "[" is never closed with "]"'],
    ['flowchart TD\n A --> --> B', '2:8 expected a node id, but found "-->"'],
    ['flowchart TD\n A --> end', '2:8 "end" is a reserved word and cannot begin a node id'],
    ['flowchart TD\n A-->B %% why', '2:8 a comment must stand on a line of its own'],
    ['flowchart TD\n A [x]', '2:4 "[" must follow the node id without a blank'],
    ['flowchart TD\n A:::x:::y', '2:7 only one class can be given with ":::"'],
    ['flowchart TD\n A -->|yes B', '2:7 "|" is never closed with "|"'],
    ['flowchart TD\n A[] --> B', '2:4 the label is empty'],
    ['flowchart TD\n A --> ', '2:7 expected a node id, but the flowchart ends here'],
    ['flowchart TD\n subgraph S\n A', '2:2 this subgraph is never closed with "end"'],
    ['flowchart TD\n A@{ shape: diamnd }', '2:3 there is no shape "diamnd"; did you mean "diamond"?'],
    ['flowchart XX\n A', '1:11 expected a direction: TD, TB, LR, RL or BT, but found "XX"'],
    [
      'sequenceDiagram\n A',
      '1:1 expected "flowchart" or "graph" with a direction such as TD, but found "sequenceDiagram"',
    ],
  ])('%j', (source, problem) => {
    expect(problemsOf(source)).toEqual([problem]);
  });

  test('count comments, directives and carriage returns [SOP-067] [SOP-071]', () => {
    const source = '%%{init: {}}%%\r\nflowchart TD\r\n%% a comment\r\n\r\n%% another\r\n A --> B\r\n C[f(x)]\r\n';
    expect(problemsOf(source)).toEqual([
      '7:5 expected "]"; text with brackets or quotes must stand in "quotes", but found "("',
    ]);
  });

  test('every broken line is reported, not only the first', () => {
    const source = 'flowchart TD\n A --> end\n A --> B\n B[f(x)]\n C --> style';
    expect(problemsOf(source).map((problem) => problem.split(' ')[0])).toEqual(['2:8', '4:5', '5:8']);
  });

  test('no line is reported twice, not even inside an unclosed subgraph or a statement of two lines', () => {
    const source = 'flowchart TD\n subgraph S\n A -->\n B[f(x)]\n C --> end2 --> end';
    expect(problemsOf(source).map((problem) => problem.split(' ')[0])).toEqual(['4:5', '5:17', '2:2']);
  });

  test('point at ids, labels and links in the text as written', () => {
    const source = 'flowchart TD\n%% c\n A["one two"] -->|yes| B{three}\n';
    const { nodes, edges } = readFlowchart(source);
    const [mention] = nodes.get('A')?.mentions ?? [];
    const slice = (range: { start: number; end: number } | undefined) => range && source.slice(range.start, range.end);
    expect(slice(mention?.idRange)).toBe('A');
    expect(slice(mention?.label?.range)).toBe('one two');
    expect(slice(mention?.range)).toBe('A["one two"]');
    expect(slice(edges[0]?.range)).toBe('-->|yes|');
    expect(slice(nodes.get('B')?.mentions[0]?.label?.range)).toBe('three');
  });
});

describe('edits', () => {
  const source =
    '%%{init: {"theme": "dark"}}%%\r\nflowchart TD\r\n  %% a comment\r\n  A["one"] -.->|yes| B{two}:::hot; B --> C\r\n  C & D ==> A\r\n  classDef hot fill:#f00;\r\n';

  test('of one label leave every other byte as it was', () => {
    const flowchart = readFlowchart(source);
    const edit = relabelNode(flowchart, 'B', 'say "hi" (twice)');
    expect(edit && applyEdits(source, [edit])).toBe(source.replace('{two}', '{"say #quot;hi#quot; (twice)"}'));
    const bare = relabelNode(flowchart, 'C', 'see');
    expect(bare && applyEdits(source, [bare])).toBe(source.replace('B --> C', 'B --> C["see"]'));
    const edge = relabelEdge(flowchart, 0, 'perhaps');
    expect(edge && applyEdits(source, [edge])).toBe(source.replace('|yes|', '|"perhaps"|'));
    const unlabelled = relabelEdge(flowchart, 1, 'then');
    expect(unlabelled && applyEdits(source, [unlabelled])).toBe(source.replace('B --> C', 'B -->|"then"| C'));
  });

  test('say what they were told to say, whatever the label', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom('A', 'B', 'C', 'D'), (label, id) => {
        fc.pre(label.trim() === label && !/[#\r\n%]|<\w|\}\s|^`|`$/.test(label));
        const edit = relabelNode(readFlowchart(source), id, label);
        const edited = readFlowchart(edit ? applyEdits(source, [edit]) : source);
        expect(edited.problems).toEqual([]);
        expect(edited.nodes.get(id)?.label).toBe(label);
        const rest = (flowchart: typeof edited) =>
          [...flowchart.nodes.values()]
            .filter((node) => node.id !== id)
            .map((node) => [node.id, node.label, node.shape]);
        expect(rest(edited)).toEqual(rest(readFlowchart(source)));
        expect(edited.edges.map((edge) => [edge.from, edge.to, edge.label])).toEqual(
          readFlowchart(source).edges.map((edge) => [edge.from, edge.to, edge.label]),
        );
      }),
    );
  });
});
