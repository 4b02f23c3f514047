import { expect, test } from 'vitest';
import { parseSop } from './parse-sop.ts';
import { readExample, sopWith } from './sop.test-helpers.ts';
import { parseWalkTests, runWalkTests } from './walk-test.ts';

const { sop } = parseSop(
  sopWith('flowchart TD\n START --> B{ok?}\n B -->|yes| C\n B -->|no| D([end])\n C --> D', {
    prompts: '### C\n\n```yaml\ntools: [t]\nrequires: [sure]\n```\n\nDo it well.',
  }),
);

function failures(tests: string): (string | undefined)[] {
  const { file, problems } = parseWalkTests(`sop: x.md\ntests:\n${tests}`);
  expect(problems).toEqual([]);
  if (!sop || !file) throw new Error('not parsed');
  return runWalkTests(sop, file.tests).results.map(({ failure }) => failure && `${failure.line} ${failure.message}`);
}

test.each(['retail', 'airline'])('the walks of the %s example are as expected', async (name) => {
  const { sop: example } = parseSop(await readExample(`${name}.md`));
  const { file } = parseWalkTests(await readExample(`${name}.test.yaml`));
  if (!example || !file) throw new Error('not parsed');
  const { results, coverage } = runWalkTests(example, file.tests);
  expect(results.filter(({ failure }) => failure)).toEqual([]);
  expect(coverage.nodes.missed).toEqual([]);
});

test('what goes otherwise than expected is told with its line', () => {
  expect(
    failures(
      [
        '  - {name: a, walk: [START, C]}',
        '  - name: b',
        '    walk:',
        '      - START',
        '      - refused: B',
        '  - {name: c, facts: {sure: true}, walk: [START, B, {goto: C, tools: [u]}]}',
        '  - {name: d, facts: {sure: true}, walk: [START, B, {goto: C, prompt: badly}]}',
        '  - {name: e, walk: [START, B, {goto: D, complete: false}]}',
        '  - {name: f, walk: [START, B], ends_at: D}',
        '  - {name: g, walk: [START, B, {refused: C, because: no edge}]}',
        '  - {name: h, walk: [START, {tool: t, allowed: true}]}',
        '  - {name: i, walk: [START, B, {goto: D, reminder: true}]}',
        '  - {name: j, walk: [START, {goto: B, edges: [C]}]}',
        '  - {name: k, walk: [START, B], complete: true}',
      ].join('\n'),
    ),
  ).toEqual([
    '3 Cannot reach C from START (possible: B)',
    '7 the move to B is allowed, but should be refused',
    '8 C has the tools t, not u',
    '9 the prompt of C does not contain "badly"',
    '10 D is a terminal node',
    '11 ends at B, not at D',
    '12 refused for another reason: Cannot enter C from B yet: facts are missing',
    '13 t is not allowed at START',
    '14 D gives no todo reminder',
    '15 B leads to C, D, not to C',
    '16 is not complete at B',
  ]);
});

test('walks as expected pass and count towards coverage', () => {
  const source =
    'sop: x\ntests:\n  - {name: a, walk: [START, B, {refused: C}, {fact: sure, value: true}, C, {tool: t, allowed: true}]}';
  const { file } = parseWalkTests(source);
  if (!sop || !file) throw new Error('not parsed');
  const { results, coverage } = runWalkTests(sop, file.tests);
  expect(results).toEqual([{ name: 'a', line: 3, failure: undefined }]);
  expect(coverage).toMatchObject({
    moves: 3,
    refusals: 1,
    nodes: { missed: ['D'] },
    edges: { missed: ['B → D', 'C → D'] },
  });
});

test.each([
  ['sop: x', /tests/],
  ['sop: x\ntests:\n  - {name: a, walk: [{got: A}]}', /walk/],
  ['sop: x\ntests: [', /./],
])('a file that is no list of walks is refused: %j', (source, words) => {
  const { file, problems } = parseWalkTests(source);
  expect(file).toBeUndefined();
  expect(problems[0]).toMatchObject({ severity: 'error', code: 'INVALID_TEST' });
  expect(problems[0]?.message).toMatch(words);
});
