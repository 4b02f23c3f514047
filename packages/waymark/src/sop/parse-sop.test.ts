import { describe, expect, test } from 'vitest';
import { parseSop } from './parse-sop.ts';
import { sopWith } from './sop.test-helpers.ts';

const parse = (source: string) => {
  const { sop, errors, warnings } = parseSop(source);
  return { sop, errors: errors.map(show), warnings: warnings.map(show) };
};
const show = ({ line, column, code, message }: { line: number; column: number; code: string; message: string }) =>
  `${line}:${column} ${code} ${message}`;

const chart = 'flowchart TD\n A[one] --> B{two} -->|yes| C([three])\n B -.->|no| D[four]';

describe('frontmatter', () => {
  test('is the block on top of the file, with any line ends and a byte order mark [SOP-060]', () => {
    const source = `\uFEFF${sopWith(chart, { frontmatter: 'agent: x\nversion: 1.10' })}`.replaceAll('\n', '\r\n');
    const { sop, errors } = parse(source);
    expect(errors).toEqual([]);
    expect(sop).toMatchObject({ agent: 'x', version: '1.10', entry: 'A' });
    expect(sop?.systemPrompt.startsWith('## SOP Flowchart')).toBe(true);
  });

  test('a rule or a table further down is not one', () => {
    const { sop } = parse(`# Title\n\n| a | b |\n|---|---|\n\n---\n\nagent: nobody\n\n---\n\n${sopWith(chart)}`);
    expect(sop?.agent).toBe('sop');
    expect(sop?.systemPrompt).toContain('agent: nobody');
  });

  test('ids and names may look like numbers, and servers may be listed by name', () => {
    const { sop, errors } = parse(
      sopWith('flowchart TD\n 1 --> 2', {
        frontmatter: 'agent: 7\nentry_node: 1\ntools: [1]\nmcp_servers: { shop: { url: https://shop.example/mcp } }',
      }),
    );
    expect(errors).toEqual([]);
    expect(sop).toMatchObject({
      agent: '7',
      entry: '1',
      tools: ['1'],
      mcpServers: [{ name: 'shop', url: 'https://shop.example/mcp' }],
    });
  });

  test('secrets and variables in it are neither expanded nor told', () => {
    const source = sopWith(chart, { frontmatter: 'agent: x\napi:\n  base_url: https://x\n  api_key: ${PATH}' });
    const { sop } = parse(source);
    expect(JSON.stringify({ ...sop, nodes: undefined, edges: undefined })).not.toMatch(/api_key|PATH/);
  });
});

describe('the flowchart', () => {
  test('is found in its fence; shapes, labels and dotted edges are read [SOP-061] [SOP-062] [SOP-063] [SOP-064] [SOP-065] [SOP-066]', () => {
    const { sop } = parse(
      sopWith(
        'flowchart TD\n A["one (1)"] --> B{two}\n %% a --> comment\n B -->|yes| C([three])\n B -.->|no, really| D[four]',
      ),
    );
    expect([...(sop?.nodes.values() ?? [])].map(({ id, type, description }) => [id, type, description])).toEqual([
      ['A', 'rectangle', 'one (1)'],
      ['B', 'rhombus', 'two'],
      ['C', 'stadium', 'three'],
      ['D', 'rectangle', 'four'],
    ]);
    expect(sop?.edges.get('B')).toMatchObject([
      { to: 'C', condition: 'yes', style: 'normal' },
      { to: 'D', condition: 'no, really', style: 'dotted' },
    ]);
  });

  test.each([
    ['bare id', 'A', 'rectangle', 'A'],
    ['round', 'A(x)', 'round', 'x'],
    ['circle', 'A((x))', 'circle', 'x'],
    ['subroutine', 'A[[x]]', 'subroutine', 'x'],
    ['named stadium', 'A@{ shape: terminal, label: "x" }', 'stadium', 'x'],
    ['named decision', 'A@{ shape: decision }', 'rhombus', 'A'],
    ['named process', 'A@{ shape: process }', 'rectangle', 'A'],
    ['slanted', 'A[/x/]', 'lean_right', 'x'],
    ['named slanted', 'A@{ shape: lean-r }', 'lean-r', 'A'],
    ['named rounded', 'A@{ shape: rounded }', 'rounded', 'A'],
  ])('a %s node has its type and description', (_name, node, type, description) => {
    expect(parse(sopWith(`flowchart TD\n ${node} --> Z`)).sop?.nodes.get('A')).toMatchObject({ type, description });
  });

  test('moves follow arrows: not invisible ones, both ways where drawn so, forward where there is no head', () => {
    const { sop } = parse(
      sopWith('flowchart TD\n A --> B\n A ~~~ C\n B <--> C\n C --- D\n D o--o E', { frontmatter: 'entry_node: A' }),
    );
    const moves = [...(sop?.edges ?? [])].map(([from, edges]) => `${from}:${edges.map((edge) => edge.to).join('')}`);
    expect(moves).toEqual(['A:B', 'B:C', 'C:BD', 'D:E', 'E:']);
  });

  test('parallel edges stay apart by their labels; the same edge counts once', () => {
    const { sop, warnings } = parse(sopWith('flowchart TD\n A -->|x| B\n A -->|y| B\n A -->|x| B'));
    expect(sop?.edges.get('A')?.map(({ condition }) => condition)).toEqual(['x', 'y']);
    expect(warnings).toEqual(['7:4 DUPLICATE_EDGE The edge from A to B is drawn twice']);
  });

  test('an edge to a subgraph leads to its first node; one that could mean several is refused', () => {
    const { sop } = parse(sopWith('flowchart TD\n S --> g\n subgraph g\n A --> B\n end\n g --> Z'));
    expect([...(sop?.nodes.keys() ?? [])]).toEqual(['S', 'A', 'B', 'Z']);
    expect(sop?.edges.get('S')).toMatchObject([{ to: 'A' }]);
    expect(sop?.edges.get('B')).toMatchObject([{ to: 'Z' }]);
    expect(sop?.nodes.get('A')?.group).toBe('g');
    expect(
      parse(sopWith('flowchart TD\n S --> g\n subgraph g\n A\n B\n end', { frontmatter: 'entry_node: S' })).errors,
    ).toEqual([
      '9:4 AMBIGUOUS_SUBGRAPH_EDGE An edge to the subgraph g needs exactly one first node in it (found: A, B)',
    ]);
  });

  test.each([
    ['the node told', 'flowchart TD\n A --> START --> B', 'entry_node: B', 'B'],
    ['START', 'flowchart TD\n A --> START --> B', '', 'START'],
    ['the one root', 'flowchart TD\n B --> C\n A --> B\n start --> start\n C --> start', '', 'A'],
    ['a node called start', 'flowchart TD\n Start --> B\n C --> B\n B --> Start', '', 'C'],
    ['a node that only leads back to itself', 'flowchart TD\n A --> A\n A --> B', '', 'A'],
    ['where a two-way edge is drawn from', 'flowchart TD\n A <--> B --> C', '', 'A'],
    ['a node called start among several roots', 'flowchart TD\n Start --> B\n C --> B', '', 'Start'],
  ])('begins at %s', (_name, flowchart, frontmatter, entry) => {
    expect(parse(sopWith(flowchart, { frontmatter })).sop?.entry).toBe(entry);
  });

  test('where it begins must be clear', () => {
    expect(parse(sopWith('flowchart TD\n A --> C\n B --> C')).errors[0]).toContain('it could be A, B');
    expect(parse(sopWith('flowchart TD\n A --> B --> A')).errors[0]).toContain('no node is without incoming edges');
    expect(parse(sopWith('flowchart TD\n AUTH --> B', { frontmatter: 'entry_node: AUHT' })).errors).toEqual([
      '2:13 NO_ENTRY_NODE entry_node AUHT is not a node of the flowchart; did you mean AUTH?',
    ]);
  });

  test('the one under the heading counts, others are told', () => {
    const other = '```mermaid\nflowchart TD\n X --> Y\n```\n\n```mermaid\nsequenceDiagram\n X->>Y: hi\n```\n\n';
    const { sop, warnings } = parse(other + sopWith(chart));
    expect(sop?.entry).toBe('A');
    expect(warnings).toEqual(['1:1 SECOND_FLOWCHART Only one flowchart is followed; this one is ignored']);
  });

  test('a file that is nothing but a flowchart will do', () => {
    const { sop } = parse(chart);
    expect(sop).toMatchObject({ entry: 'A', sections: ['SOP Flowchart'] });
    expect(sop?.systemPrompt).toBe(`\`\`\`mermaid\n${chart}\n\`\`\``);
  });
});

describe('node prompts', () => {
  test('under a heading per node: yaml first, then markdown with its own fences [SOP-068] [SOP-069] [SOP-070]', () => {
    const prompts = [
      '### A',
      '',
      '```yaml',
      'tools: [t1, t2]',
      'examples:',
      '  - user: hi',
      '    agent: "hello: you"',
      '```',
      '',
      'Do this:',
      '',
      '```yaml',
      'not: metadata',
      '```',
      '',
      '```sh',
      '# not a heading',
      '### B',
      '```',
      '#### Details',
      'more',
      '### `B`',
      'Only text.',
      '',
      '### C ##',
      '```yaml',
      'tools: t3',
      '```',
    ].join('\n');
    const { sop, warnings } = parse(sopWith(chart, { prompts }));
    expect(warnings).toEqual([]);
    expect(sop?.nodes.get('A')).toMatchObject({
      prompt: 'Do this:\n\n```yaml\nnot: metadata\n```\n\n```sh\n# not a heading\n### B\n```\n#### Details\nmore',
      tools: ['t1', 't2'],
      examples: [{ user: 'hi', agent: 'hello: you' }],
    });
    expect(sop?.nodes.get('B')).toMatchObject({ prompt: 'Only text.' });
    expect(sop?.nodes.get('C')).toMatchObject({ tools: ['t3'] });
    expect(sop?.nodes.get('C')).not.toHaveProperty('prompt');
    expect(sop?.nodesWithPrompts).toEqual(['A', 'B', 'C']);
  });

  test('in one yaml block, with code fences inside a prompt', () => {
    const prompts = [
      '```yaml',
      'node_prompts:',
      '  B:',
      '    tools:',
      '      - t1',
      '    prompt: |',
      '      Say:',
      '      ```json',
      '      {"a": 1}',
      '      ```',
      '      and stop.',
      '  A: "just text"',
      '```',
    ].join('\n');
    const { sop } = parse(sopWith(chart, { prompts }));
    expect(sop?.nodes.get('B')).toMatchObject({ tools: ['t1'], prompt: 'Say:\n```json\n{"a": 1}\n```\nand stop.' });
    expect(sop?.nodes.get('A')).toMatchObject({ prompt: 'just text' });
    expect(sop?.nodesWithPrompts).toEqual(['B', 'A']);
  });

  test('as bare yaml, with the field names of policies', () => {
    const source = `${sopWith(chart)}\n## SOP Node Policies\n\nA:\n  tool_hints: [t1]\n  policy: |\n    Be kind.\nB:\n  policy: Decide.\n`;
    const { sop } = parse(source);
    expect(sop?.nodes.get('A')).toMatchObject({ tools: ['t1'], prompt: 'Be kind.' });
    expect(sop?.nodes.get('B')).toMatchObject({ prompt: 'Decide.' });
    expect(sop?.systemPrompt).not.toContain('Be kind');
  });

  test('the heading may say more, and what follows the section is not part of it', () => {
    const source = `${sopWith(chart).replace('## SOP Flowchart', '## SOP flowchart of the toy')}\n## NODE PROMPTS (Toy)\n\n### A\n\nprompt\n\n## Afterword\n\nlast words\n`;
    const { sop } = parse(source);
    expect(sop?.nodes.get('A')?.prompt).toBe('prompt');
    expect(sop?.systemPrompt).toContain('last words');
    expect(sop?.sections).toEqual(['SOP flowchart of the toy', 'Afterword']);
  });

  test.each([
    ['broken yaml', '### A\n\n```yaml\ntools: [a\n```', 'INVALID_PROMPT'],
    ['yaml that is no mapping', '### A\n\n```yaml\n- a\n```', 'INVALID_PROMPT'],
    ['a wrong type', '### A\n\n```yaml\ntools: {a: b}\n```', 'INVALID_PROMPT'],
    ['examples without an answer', '### A\n\n```yaml\nexamples: [{user: hi}]\n```', 'INVALID_PROMPT'],
    ['requirements that are none', '### A\n\n```yaml\nrequires: 7\n```', 'INVALID_PROMPT'],
  ])('%s is an error with its place', (_name, prompts, code) => {
    const { sop, errors } = parse(sopWith(chart, { prompts }));
    expect(sop).toBeUndefined();
    expect(errors[0]).toMatch(new RegExp(`^\\d+:\\d+ ${code} `));
  });

  test('a heading may say more than the id', () => {
    const { sop, warnings } = parse(
      sopWith(chart, { prompts: '### A: Authenticate\n\none\n\n### B (decision)\n\ntwo\n\n### Other thing\n\nthree' }),
    );
    expect(sop?.nodesWithPrompts).toEqual(['A', 'B']);
    expect(warnings.map((warning) => warning.split(' ')[1])).toEqual(['PROMPT_WITHOUT_NODE']);
  });

  test('a second prompt for a node and an exit without an edge are told', () => {
    const { warnings } = parse(
      sopWith(chart, { prompts: '### A\n\none\n\n### A\n\ntwo\n\n### B\n\n```yaml\nexits: {Z: x}\n```' }),
    );
    expect(warnings.map((warning) => warning.split(' ')[1])).toEqual(['DUPLICATE_PROMPT', 'UNKNOWN_EXIT']);
  });
});
