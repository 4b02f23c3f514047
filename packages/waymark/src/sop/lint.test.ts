import { expect, test } from 'vitest';
import { fixSop } from './fix.ts';
import { lintSop } from './lint.ts';
import { parseSop } from './parse-sop.ts';
import { readExample, sopWith } from './sop.test-helpers.ts';

/** Each finding with the text it points at. */
function lint(flowchart: string, options: { frontmatter?: string; prompts?: string } = {}): string[] {
  const source = sopWith(flowchart, { frontmatter: 'agent: x', ...options });
  const lines = source.split('\n');
  return lintSop(parseSop(source)).map(
    ({ line, column, severity, code }) => `${severity} ${code} at ${lines[line - 1]?.slice(column - 1)}`,
  );
}

const tools = (id: string, list: string) => `### ${id}\n\n\`\`\`yaml\ntools: [${list}]\n\`\`\`\n`;

const none: { frontmatter?: string; prompts?: string } = {};

test.each([
  [
    'an unreachable node',
    'A --> B([end])\n C --> B',
    ['UNREACHABLE_NODE at C --> B'],
    { frontmatter: 'entry_node: A\nagent: x' },
  ],
  ['a dead end', 'A --> B', ['DEAD_END at B'], none],
  ['a decision that leads nowhere', 'A --> B{?}', ['DEAD_END at B{?}'], none],
  [
    'a loop without a way out',
    'A --> B --> C --> B',
    ['NO_WAY_OUT at A -->', 'NO_WAY_OUT at B -->', 'NO_WAY_OUT at C -->'],
    none,
  ],
  ['a decision with one way out', 'A{?} -->|yes| B([end])', ['DECISION_WITHOUT_ELSE at A{?}'], none],
  ['a yes without a no', 'A{?} -->|yes| B([end])\n A -->|later| B', ['DECISION_WITHOUT_ELSE at A{?}'], none],
  ['a gap between comparisons', 'A{?} -->|x > 1| B([end])\n A -->|x < 1| B', ['DECISION_WITHOUT_ELSE at A{?}'], none],
  ['an unlabelled branch', 'A{?} --> B([end])\n A -->|no| C([end])', ['UNLABELLED_BRANCH at --> B'], none],
  ['the same label twice', 'A{?} -->|no| B([end])\n A -->|No| C([end])', ['DUPLICATE_LABEL at -->|No| C'], none],
  ['the same edge twice', 'A --> B([end])\n A --> B', ['DUPLICATE_EDGE at --> B'], none],
  ['two labels for one node', 'A[one] --> B([end])\n A[two]', ['RELABELLED_NODE at A[one]'], none],
  [
    'branches without a decision',
    'A -->|a| B([end])\n A -->|b| C([end])',
    ['BRANCH_WITHOUT_DECISION at A -->|a|'],
    none,
  ],
  ['a link without a head', 'A --- B([end])', ['OPEN_LINK at --- B'], none],
  ['a link that contradicts itself', 'A x-- t --> B([end])', ['MISMATCHED_LINK at x-- t -->'], none],
  ['style for nobody', 'A --> B([end])\n style Z fill:#fff', ['UNKNOWN_STYLED_NODE at style Z'], none],
  ['a reserved id', 'A --> end', ['error RESERVED_ID at end'], none],
  ['a prompt without a node', 'A --> B([end])', ['PROMPT_WITHOUT_NODE at ### Z'], { prompts: '### Z\n\nwords' }],
  [
    'an undeclared tool',
    'A --> B([end])',
    ['UNDECLARED_TOOL at ### A'],
    { frontmatter: 'agent: x\ntools: [get_a]', prompts: tools('A', 'get_a, get_b') },
  ],
  [
    'an unused tool',
    'A --> B([end])',
    ['UNUSED_TOOL at [get_a, get_b]'],
    { frontmatter: 'agent: x\ntools: [get_a, get_b]', prompts: tools('A', 'get_a') },
  ],
  [
    'a write before authentication',
    'A --> W --> AUTH --> B([end])',
    ['WRITE_WITHOUT_AUTH at W -->'],
    { prompts: tools('W', 'delete_order') },
  ],
  [
    'a way around authentication',
    'A{?} -->|no| AUTH --> W --> B([end])\n A -->|yes| W',
    ['WRITE_WITHOUT_AUTH at W -->'],
    { prompts: tools('W', 'delete_order') },
  ],
  [
    'a check that can be walked around',
    'S{?} -->|a| A{?}\n A -->|yes| C --> W --> B([end])\n A -->|no| D([end])\n S -->|b| E([x]) -.->|anyway| C',
    ['BYPASSED_CHECK at C -->'],
    { prompts: tools('W', 'delete_order') },
  ],
  ['an unknown field', 'A --> B([end])', ['UNKNOWN_FIELD at A'], { frontmatter: 'agent: x\nentri_node: A' }],
  ['a file without an agent', 'A --> B([end])', ['NO_AGENT_NAME at ---'], { frontmatter: 'version: 2' }],
  [
    'an unknown re-entry node',
    'A --> B([end])',
    ['UNKNOWN_REENTRY_NODE at [ROUT]'],
    { frontmatter: 'agent: x\nreentry_nodes: [ROUT]' },
  ],
])('%s is found', (_name, flowchart, expected, options) => {
  const found = lint(`flowchart TD\n ${flowchart}`, options).toSorted();
  expect(found).toEqual(
    expected.toSorted().map((one) => expect.stringContaining(one.startsWith('error') ? one : `warning ${one}`)),
  );
});

test.each([
  ['yes and no', 'A{?} -->|yes| B([end])\n A -->|no| C([end])'],
  ['yes and otherwise', 'A{?} -->|yes| B([end])\n A -->|otherwise| C([end])'],
  ['opposite comparisons', 'A{?} -->|x >= 1| B([end])\n A -->|x < 1| C([end])'],
  ['named alternatives', 'A{?} -->|red| B([end])\n A -->|green| C([end])'],
])('a decision between %s is complete', (_name, flowchart) => {
  expect(lint(`flowchart TD\n ${flowchart}`)).toEqual([]);
});

test('literal navigation lets every write be reached around authentication, and lint says so', async () => {
  const retail = await readExample('retail.md');
  const codes = (source: string) => lintSop(parseSop(source)).map(({ code }) => code);
  expect(codes(retail)).toEqual([]);
  const literal = codes(retail.replace('version: 1.0', 'version: 1.0\nnavigation: spec'));
  expect(literal.filter((code) => code === 'WRITE_WITHOUT_AUTH').length).toBeGreaterThanOrEqual(7);
});

test('--fix repairs what needs no guess and leaves the rest of the file alone', () => {
  const source = [
    '---\r',
    'agent: x',
    '---',
    '# Title  ',
    '```mermaid',
    'flowchart TD',
    '\tA --> B [two words] %% why',
    '  B --- end',
    '  B -.- C([x]);',
    '```',
    'words   ',
    '',
  ].join('\n');
  const { source: fixed, changes } = fixSop(source);
  expect(fixed).toBe(
    source
      .replace('\tA --> B [two words] %% why', '\t%% why\n\tA --> B[two words]')
      .replace('B --- end', 'B --> End')
      .replace('B -.- C', 'B -.-> C'),
  );
  expect(changes).toHaveLength(5);
  expect(fixSop(fixed)).toEqual({ source: fixed, changes: [] });
  expect(parseSop(fixed).errors).toEqual([]);
});
