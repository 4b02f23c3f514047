import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadMermaid, type Meaning, ourMeaning } from './mermaid.test-helpers.ts';

let mermaid: (source: string) => Promise<Meaning>;
beforeAll(async () => {
  mermaid = await loadMermaid();
});

const thorough = process.env['WAYMARK_FULL'] === '1';

describe('the same text means here what it means to mermaid', () => {
  test.each([
    ['headers', 'graph TB\nA-->B'],
    ['header without direction', 'flowchart\n LR --> B'],
    ['elk header', 'flowchart-elk RL\nA-->B'],
    ['an arrow as direction', 'graph >\nA-->B'],
    ['all on one line', 'flowchart TD;A-->B;B-->C;'],
    [
      'every bracket',
      'flowchart TD\na[1]-->b(2)-->c([3])-->d[[4]]-->e[(5)]-->f((6))-->g(((7)))-->h>8]-->i{9}-->j{{10}}',
    ],
    ['every slant', 'flowchart TD\na[/1/]-->b[\\2\\]-->c[/3\\]-->d[\\4/]-->e(-5-)'],
    ['properties', 'flowchart TD\na[|border:thin|text]'],
    [
      'named shapes',
      'flowchart TD\na@{ shape: diam, label: "x y" } --> b@{ shape: pill }\nc@{\n shape: doc\n label: "many\n   lines"\n}',
    ],
    ['a shape nobody knows', 'flowchart TD\na@{ shape: blob }'],
    ['an icon', 'flowchart TD\na@{ icon: "fa:user" }'],
    ['every line', 'flowchart TD\na-->b---c-.->d-.-e==>f===g~~~h--oi--xj<-->k'],
    ['long lines', 'flowchart TD\na---->b-..->c====>d~~~~e'],
    ['two heads', 'flowchart TD\na o--o b\nb x--x c\nc <-.-> d\nd <==> e'],
    ['labels between halves', 'flowchart TD\na-- one -->b-. two .->c== three ==>d-- "fo(u)r" ---e<-- five -->f'],
    ['contradicting halves', 'flowchart TD\na x-- one --> b'],
    ['labels between bars', 'flowchart TD\na-->|one|b-->| two | c-->|"th(re)e"|d-->|f\nour| e'],
    ['an empty label', 'flowchart TD\na-->| |b'],
    ['markdown', 'flowchart TD\na["`**bold** and\n more`"]-->|"`_x_`"|b'],
    ['entities', 'flowchart TD\na["#quot;hi#quot; #35;1 #9829;"]'],
    ['brackets in quotes', 'flowchart TD\na["f(x) = [1, {2}] | 3"]'],
    ['html with attributes', 'flowchart TD\na[<a href="x">y</a>]'],
    ['a string with text behind it', 'flowchart TD\na["x" y]'],
    ['crosswise', 'flowchart TD\na & b --> c & d'],
    ['an ampersand in an id', 'flowchart TD\na&b-->c'],
    ['odd ids', 'flowchart TD\n1-->2a-->é-->检查-->a.b-->a-b-->a_b-->a?-->a:b-->a,b-->v-->default'],
    ['ids like keywords', 'flowchart TD\nEnd-->END_X-->endpoint-->graphs-->styles-->subway-->classy'],
    ['glued heads', 'flowchart TD\nA---oB\nC --- oD\n22o--o x'],
    ['line breaks around arrows', 'flowchart TD\na\n-->\nb'],
    ['edge ids', 'flowchart TD\na e1@--> b\ne1@{ animate: true }'],
    [
      'subgraphs',
      'flowchart TD\nsubgraph one\na-->b\nend\nsubgraph two [The second]\nc\nend\nsubgraph "Third one"\nd\nend\none-->two',
    ],
    ['nested subgraphs', 'flowchart TD\nsubgraph o\ndirection LR\nsubgraph i\na-->b\nend\nc\nend'],
    ['the same node in two subgraphs', 'flowchart TD\nsubgraph o\na\nend\nsubgraph p\na-->b\nend'],
    ['a subgraph without a name', 'flowchart TD\nsubgraph\na\nend'],
    [
      'decoration',
      'flowchart TD\na-->b\nstyle a fill:#f9f,stroke-width:2px;\nclassDef hot fill:#f00;\nclass a,b hot\nlinkStyle 0 stroke:#00f\nclick a "https://x" "tip" _blank\nclick b call go()',
    ],
    ['an edge number too high', 'flowchart TD\na-->b\nlinkStyle 1 stroke:#00f'],
    ['classes', 'flowchart TD\na:::x-->b["t"]:::y'],
    ['two classes', 'flowchart TD\na:::x:::y'],
    ['comments', 'flowchart TD\n%% one\n  %% two --> three\na-->b\n\n%% last'],
    ['a comment in a label', 'flowchart TD\na["one\n%% gone\ntwo"]'],
    ['a comment behind a statement', 'flowchart TD\na-->b %% no'],
    ['directives', '%%{init: {"theme": "dark"}}%%\nflowchart TD\na-->b'],
    ['a yaml block', '---\ntitle: x\n---\nflowchart TD\na-->b'],
    ['accessible texts', 'flowchart TD\naccTitle: t\naccDescr: d\naccDescr {\n more\n}\na-->b'],
    ['windows line ends', 'flowchart TD\r\n\ta --> b\r\n\tb --> c\r\n'],
    ['brackets in a plain label', 'flowchart TD\na[f(x)]'],
    ['brackets in a bar label', 'flowchart TD\na-->|f(x)|b'],
    ['brackets between halves', 'flowchart TD\na-- f(x) -->b'],
    ['quotes in a plain label', 'flowchart TD\na[say "x"]'],
    ['blanks around a quoted label', 'flowchart TD\na[ "x" ]'],
    ['an unclosed bracket', 'flowchart TD\na[x --> b'],
    ['two arrows', 'flowchart TD\na --> --> b'],
    ['a blank before the shape', 'flowchart TD\na [x]'],
    ['a slant that is none', 'flowchart TD\na[/path/x]'],
    ['end as an id', 'flowchart TD\na --> end'],
    ['a keyword as an id', 'flowchart TD\na --> style'],
    ['an unclosed subgraph', 'flowchart TD\nsubgraph s\na-->b'],
    ['an end too many', 'flowchart TD\na-->b\nend'],
    ['an empty label in brackets', 'flowchart TD\na[]'],
    ['an empty string', 'flowchart TD\na[""]'],
    ['no header', 'a-->b'],
    ['another diagram', 'sequenceDiagram\na->>b: hi'],
    ['emoji as an id', 'flowchart TD\n😀-->b'],
    ['a single equals sign', 'flowchart TD\na=b'],
  ])('%s [SOP-014]', async (_name, source) => {
    expect(ourMeaning(source)).toEqual(await mermaid(source));
  });

  test('for any flowchart, legal or not [SOP-014]', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(flowcharts, async (source) => {
        expect(ourMeaning(source)).toEqual(await mermaid(source));
      }),
      thorough ? { numRuns: 20_000 } : { numRuns: 600, seed: 4840 },
    );
  });
});

const id = fc.constantFrom(
  'A',
  'B',
  'C',
  'D1',
  'x',
  'o',
  'v',
  '1',
  '22',
  'oX',
  'check-order',
  'a.b',
  'END_X',
  'End',
  'endpoint',
  'default',
  'é',
  '检查',
  'A&B',
  'style1',
  'graphX',
  'a_b',
  'x1',
  'o-',
  'A:B',
  'a,b',
  '#1',
  '*',
  'click1',
  'TD',
  'A/b',
  'A?',
  'e1',
);
const text = fc.constantFrom(
  'text',
  'two words',
  'status == pending?',
  'a/b',
  '50% off',
  "it's",
  '`code`',
  'end',
  'x-y',
  'a -- b',
  'a.b',
  '<br/>',
  'say #quot;hi#quot;',
  '#35;',
  'a;b',
  'é—ü',
  'fa:fa-x',
  '(p)',
  '[q]',
  '{r}',
  'a|b',
  'a\nb',
  '~~~',
  '==',
  '-->',
  'a:::b',
  '@',
  'direction TB',
  '%%',
  'x',
  'o',
  ' pad ',
  '\\',
  '$$x$$',
  'a}',
  'graph',
  '(x) {y} [z]',
);
const label = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 3, arbitrary: text.map((one) => `"${one}"`) },
  { weight: 1, arbitrary: text.map((one) => `"\`${one.replaceAll('`', '')}\`"`) },
);
const brackets = fc.constantFrom(
  ...([
    ['[', ']'],
    ['(', ')'],
    ['([', '])'],
    ['[[', ']]'],
    ['[(', ')]'],
    ['((', '))'],
    ['(((', ')))'],
    ['>', ']'],
    ['{', '}'],
    ['{{', '}}'],
    ['[/', '/]'],
    ['[\\', '\\]'],
    ['[/', '\\]'],
    ['[\\', '/]'],
    ['(-', '-)'],
    ['[|a:b|', ']'],
    ['[', ''],
    [' [', ']'],
  ] as const),
);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
const shape = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.tuple(brackets, label).map(([[open, close], inner]) => open + inner + close) },
);
const attributes = fc.constantFrom(
  '@{ shape: stadium }',
  '@{ shape: diam, label: "x y" }',
  '@{\n shape: circle\n}',
  '@{ shape: nosuch }',
);
const node = fc
  .tuple(id, shape, rarely(fc.constantFrom(':::hot', ':::a-b'), ''), rarely(attributes, ''))
  .map((parts) => parts.join(''));
const arrow = fc.constantFrom(
  '-->',
  '---',
  '-.->',
  '-.-',
  '==>',
  '===',
  '~~~',
  '--o',
  '--x',
  '<-->',
  'o--o',
  'x--x',
  '---->',
  '-..->',
  '->',
  '--',
  '=>',
);
const halves = fc.constantFrom(
  ['--', '-->'],
  ['==', '==>'],
  ['-.', '.->'],
  ['--', '---'],
  ['<--', '-->'],
  ['x--', '--x'],
  ['--', '==>'],
);
const blank = fc.constantFrom(' ', ' ', ' ', '', '\n ');
const link = fc
  .tuple(
    rarely(fc.constantFrom(' e1@', ' e2@'), ''),
    blank,
    fc.oneof(
      { weight: 4, arbitrary: arrow },
      { weight: 2, arbitrary: fc.tuple(arrow, label).map(([line, inner]) => `${line}|${inner}|`) },
      { weight: 1, arbitrary: fc.tuple(halves, label).map(([[open, close], inner]) => `${open} ${inner} ${close}`) },
    ),
    blank,
  )
  .map(([edge, before, line, after]) => (edge ? edge + line : before + line) + after);
const group = fc
  .tuple(
    node,
    rarely(
      fc.tuple(fc.constantFrom(' & ', ' &', '&'), node).map((parts) => parts.join('')),
      '',
    ),
  )
  .map((parts) => parts.join(''));
const chain = fc
  .tuple(group, fc.array(fc.tuple(link, group), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.flat().join(''));
const decoration = fc.constantFrom(
  'style A fill:#f00',
  'style A fill:#f00;',
  'classDef hot fill:#f00;',
  'class A hot',
  'linkStyle 0 stroke:#f00',
  'linkStyle default stroke:#f00',
  'click A "https://x"',
  'click A href "u" "tip" _blank',
  'click A call cb() "t"',
  'click A cb',
  'accTitle: hello',
  '%% comment',
  '  %% c2',
  '%%{init: {"theme":"dark"}}%%',
  'direction LR',
  '',
  ';',
  'class A',
  'style',
  'linkStyle 0 interpolate basis',
);
const statement = fc.oneof({ weight: 8, arbitrary: chain }, { weight: 1, arbitrary: decoration });
const separator = fc.constantFrom('\n', '\n', '\n\n', ';', ' ; ', '\r\n');
const block = fc
  .array(fc.tuple(statement, separator), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.flat().join(''));
const title = fc.constantFrom('S1', 'S2', '"Q t"', 'S1 [Title x]', 'two words', 'S3["q (x)"]', 'a-b', '');
const subgraph = fc.tuple(title, block).map(([name, inner]) => `subgraph ${name}\n${inner}\nend\n`);
const header = fc.constantFrom(
  'flowchart TD\n',
  'graph LR\n',
  'flowchart\n',
  'flowchart TD;',
  '---\ntitle: x\n---\nflowchart TD\n',
  '%% c\nflowchart RL\n',
);
const flowcharts = fc
  .tuple(
    header,
    fc.array(fc.oneof({ weight: 5, arbitrary: block }, { weight: 1, arbitrary: subgraph }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([first, blocks]) => first + blocks.join(''));
