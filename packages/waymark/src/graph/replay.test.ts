import { describe, expect, test } from 'vitest';
import { fakeCaller, load, oneTool, start } from './graph.test-helpers.ts';
import { createInlineEngine } from './inline/engine.ts';
import { replayRun } from './replay.ts';
import { runGraphTests } from './run-tests.ts';

const source = oneTool(
  `      - { id: entry, type: entry, next: each }
      - id: each
        type: foreach
        items: $.entry.ids
        concurrency: 3
        nodes:
          - { id: fetch, type: mcp, server: s, tool: fetch, args: { id: { expr: $.item } }, retry: { attempts: 2, delayMs: 0 }, next: double }
          - { id: double, type: transform, transform: { expr: '$.fetch.n * 2' } }
        next: sum
      - { id: sum, type: transform, transform: { expr: '{ "sum": $sum($.each) }' }, next: exit }
      - { id: exit, type: exit }`,
  `mcpServers: { s: { command: server } }
tests:
  - { name: adds up, tool: t, args: { ids: [1, 2] }, mocks: { fetch: { outputs: [{ n: 1 }, { n: 2 }] } }, expect: { sum: 6 } }
  - { name: wrong, tool: t, args: { ids: [] }, expect: { sum: 1 } }
  - { name: by expression, tool: t, args: { ids: [] }, expectExpr: '$count(history) = 4' }
  - { name: fails as it should, tool: t, args: { ids: [1] }, mocks: { fetch: { error: { message: gone } } }, expectError: gone }
  - { name: goes its way, tool: t, args: { ids: [] }, path: [entry, each, exit] }`,
);

async function record() {
  let failures = 1;
  const caller = fakeCaller({
    fetch: ({ id }) =>
      id === 2 && failures-- > 0 ? { content: [{ type: 'text', text: 'busy' }], isError: true } : { n: id },
  });
  const handle = start(source, { ids: [1, 2, 3] }, { caller });
  expect(await handle.outcome).toMatchObject({ result: { sum: 12 } });
  return JSON.parse(JSON.stringify(handle.events())) as ReturnType<typeof handle.events>;
}

describe('replaying a recorded run', () => {
  test('calls nothing and finds the same outputs, retries included', async () => {
    const events = await record();
    expect(await replayRun(createInlineEngine(), load(source), events)).toEqual({ ok: true, differences: [] });
  });

  test('shows what a change of the graph changes', async () => {
    const events = await record();
    const changed = load(source.replace('$.fetch.n * 2', '$.fetch.n * 3'));
    const { ok, differences } = await replayRun(createInlineEngine(), changed, events);
    expect(ok).toBe(false);
    expect(differences).toContainEqual({ node: 'double', path: 'each[1]', execution: 0, recorded: 4, replayed: 6 });
    expect(differences).toContainEqual({
      node: 'sum',
      path: '',
      execution: 0,
      recorded: { sum: 12 },
      replayed: { sum: 18 },
    });
  });

  test('a call the recording does not know fails instead of being made', async () => {
    const events = await record();
    const more = load(source.replace('items: $.entry.ids', 'items: { expr: "$append($.entry.ids, 4)" }'));
    const { differences } = await replayRun(createInlineEngine(), more, events);
    expect(differences.map(({ replayed }) => String(replayed))).toContain(
      'failed: The recorded run did not execute node fetch here',
    );
  });
});

test('the tests of a graph file pass or say why not', async () => {
  const results = await runGraphTests(createInlineEngine(), load(source));
  expect(results.map(({ name, ok, problem }) => ({ name, ok, problem }))).toEqual([
    { name: 'adds up', ok: true, problem: undefined },
    { name: 'wrong', ok: false, problem: 'expected {"sum":1}, got {"sum":0}' },
    { name: 'by expression', ok: true, problem: undefined },
    { name: 'fails as it should', ok: true, problem: undefined },
    {
      name: 'goes its way',
      ok: false,
      problem: 'expected the path entry → each → exit, went entry → each → sum → exit',
    },
  ]);
});
