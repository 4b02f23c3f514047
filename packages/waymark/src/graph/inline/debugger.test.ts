import { afterEach, describe, expect, test, vi } from 'vitest';
import { fakeCaller, load, oneTool, start } from '../graph.test-helpers.ts';
import { fold, stateAt } from '../interpreter/fold.ts';

afterEach(() => {
  vi.useRealTimers();
});

const counting = oneTool(`      - { id: entry, type: entry, next: add }
      - { id: add, type: transform, transform: { expr: '{ "n": ($.add.n ?? 0) + 1 }' }, next: check }
      - { id: check, type: switch, conditions: [{ rule: { "<": [{ var: add.n }, { var: entry.to }] }, next: add }], next: exit }
      - { id: exit, type: exit }`);

describe('debugging', () => {
  test('a conditional breakpoint pauses only where its condition holds [GRAPH-078]', async () => {
    const handle = start(
      counting,
      { to: 5 },
      { debug: { breakpoints: [{ node: 'check', condition: '$.add.n = 3' }] } },
    );
    expect(await handle.debugger.settled()).toBe('paused');
    expect(handle.view()).toMatchObject({ status: 'paused', currentNode: 'check', context: { add: { n: 3 } } });
    handle.debugger.resume();
    expect(await handle.outcome).toMatchObject({ status: 'succeeded' });
    expect(handle.events().filter((event) => event.type === 'run-paused')).toHaveLength(1);
  });

  test('a condition that cannot be evaluated pauses', async () => {
    const handle = start(counting, { to: 2 }, { debug: { breakpoints: [{ node: 'check', condition: '"a" + 1' }] } });
    expect(await handle.debugger.settled()).toBe('paused');
    handle.cancel();
  });

  test('steps, runs to a node and pauses while running', async () => {
    const handle = start(counting, { to: 100 }, { debug: { startPaused: true } });
    await handle.debugger.settled();
    await handle.debugger.step();
    expect(handle.view().currentNode).toBe('add');
    await handle.debugger.step();
    expect(handle.view()).toMatchObject({ currentNode: 'check', context: { add: { n: 1 } } });
    await handle.debugger.runTo('add');
    expect(handle.view().currentNode).toBe('add');
    handle.debugger.setBreakpoints([{ node: 'exit' }]);
    handle.debugger.resume();
    handle.debugger.pause();
    await handle.debugger.settled();
    expect(handle.view().status).toBe('paused');
    handle.debugger.resume();
    await handle.debugger.settled();
    expect(handle.view().currentNode).toBe('exit');
    handle.debugger.stop();
    expect(await handle.outcome).toMatchObject({ status: 'stopped', error: { message: 'Execution was stopped' } });
    expect(() => handle.debugger.resume()).toThrow('Cannot resume');
  });

  test('watch expressions see now and any earlier point; a changed value counts from then on [GRAPH-076]', async () => {
    const handle = start(
      counting,
      { to: 10 },
      { debug: { breakpoints: [{ node: 'check', condition: '$.add.n = 4' }] } },
    );
    await handle.debugger.settled();
    expect(
      await handle.debugger.evaluate('{ "n": $.add.n, "times": $executionCount("add"), "before": $previousNode() }'),
    ).toEqual({ n: 4, times: 4, before: { n: 4 } });
    expect(await handle.debugger.evaluate('$.add.n', 1)).toBe(1);
    handle.debugger.setValue('add', { n: 9 });
    expect(await handle.debugger.evaluate('[$.add.n, $nodeExecution("add", -1).n, $previousNode().n]')).toEqual([
      9, 9, 9,
    ]);
    handle.debugger.setBreakpoints([]);
    handle.debugger.resume();
    await handle.outcome;
    expect(handle.view().context['add']).toEqual({ n: 10 });
    expect(() => handle.debugger.setValue('add', 1)).toThrow('Cannot change a value');
  });

  test('paused time does not count towards the time limit', async () => {
    const limited = counting.replace('tools:', 'executionLimits: { maxExecutionTimeMs: 60 }\ntools:');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const handle = start(limited, { to: 2 }, { debug: { startPaused: true } });
    await handle.debugger.settled();
    vi.advanceTimersByTime(3_600_000);
    handle.debugger.resume();
    expect(await handle.outcome).toMatchObject({ status: 'succeeded' });
  });

  test('an event stream shows a run while it runs [GRAPH-069]', async () => {
    const types: string[] = [];
    const handle = start(counting, { to: 1 }, { onEvent: (event) => types.push(event.type) });
    await handle.outcome;
    expect(types).toEqual([
      'run-started',
      ...Array.from({ length: 4 }, () => ['node-started', 'node-ended']).flat(),
      'run-ended',
    ]);
    expect(handle.events().map((event) => event.seq)).toEqual(handle.events().map((_event, index) => index));
  });
});

describe('time travel and forks', () => {
  const source = oneTool(
    `      - { id: entry, type: entry, next: fetch }
      - { id: fetch, type: mcp, server: s, tool: fetch, args: { id: { expr: $.entry.id } }, next: double }
      - { id: double, type: transform, transform: { expr: '$.fetch.n * 2' }, next: exit }
      - { id: exit, type: exit }`,
    'mcpServers: { s: { command: server } }',
  );

  test('the context at any point is folded from the events [GRAPH-076] [GRAPH-068] [GRAPH-022] [GRAPH-037]', async () => {
    const document = load(source);
    const handle = start(document, { id: 7 }, { caller: fakeCaller({ fetch: () => ({ n: 21 }) }) });
    await handle.outcome;
    const tool = document.tools.get('t');
    if (!tool) throw new Error('no tool');
    const at = (index: number) => ({ ...stateAt(document, tool, handle.events(), index).root?.context });
    expect(at(0)).toEqual({ entry: { id: 7 } });
    expect(at(1)).toEqual({ entry: { id: 7 }, fetch: { n: 21 } });
    expect(at(2)).toEqual({ entry: { id: 7 }, fetch: { n: 21 }, double: 42 });
    const fetched = handle.events().find((event) => event.type === 'node-ended' && event.node === 'fetch');
    expect(fetched).toMatchObject({ input: { id: 7 }, output: { n: 21 } });
    expect(fold(document, tool, handle.events()).history).toEqual(handle.view().history);
  });

  test('a fork goes on from a step with changed data, and repeats nothing before it', async () => {
    const document = load(source);
    const caller = fakeCaller({ fetch: () => ({ n: 21 }) });
    const first = start(document, { id: 7 }, { caller });
    await first.outcome;
    const seq = first.events().find((event) => event.type === 'node-ended' && event.node === 'fetch')?.seq ?? -1;
    const fork = start(
      document,
      {},
      { caller, fork: { run: first.id, events: first.events(), seq, changes: { fetch: { n: 5 } } } },
    );
    expect(await fork.outcome).toMatchObject({ status: 'succeeded', result: 10 });
    expect(caller.calls).toHaveLength(1);
    expect(fork.events()[0]).toMatchObject({
      type: 'run-started',
      forkedFrom: { run: first.id, seq },
      input: { id: 7 },
    });
    expect(fork.view().history.map(({ index, node }) => `${index} ${node}`)).toEqual([
      '0 entry',
      '1 fetch',
      '2 double',
      '3 exit',
    ]);
  });

  test('a fork in the middle of a node runs that node again', async () => {
    const document = load(source);
    const caller = fakeCaller({ fetch: () => ({ n: 1 }) });
    const first = start(document, { id: 7 }, { caller });
    await first.outcome;
    const seq = first.events().find((event) => event.type === 'node-started' && event.node === 'fetch')?.seq ?? -1;
    const fork = start(document, {}, { caller, fork: { run: first.id, events: first.events(), seq } });
    expect(await fork.outcome).toMatchObject({ result: 2 });
    expect(caller.calls).toHaveLength(2);
  });
});
