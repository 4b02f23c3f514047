import { describe, expect, test } from 'vitest';
import { errorOf, fakeCaller, load, oneNode, oneTool, resultOf, start } from '../graph.test-helpers.ts';
import { createInlineEngine } from './engine.ts';

const servers = 'mcpServers: { s: { command: server } }';

describe('failures', () => {
  const failing = (more: string) =>
    oneTool(
      `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: s, tool: work, next: exit, ${more} }
      - { id: rescue, type: transform, transform: { expr: '{ "rescued": $.work.error.code, "node": $.work.error.node }' }, next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
  const broken = () => ({ content: [{ type: 'text', text: 'broken' }], isError: true });

  test('onError goes on elsewhere with the error as output', async () => {
    expect(await resultOf(failing('onError: rescue'), {}, { caller: fakeCaller({ work: broken }) })).toEqual({
      rescued: 'TOOL_ERROR',
      node: 'work',
    });
  });

  test('continueOnError goes on to the next node', async () => {
    expect(
      await resultOf(failing('continueOnError: true'), {}, { caller: fakeCaller({ work: broken }) }),
    ).toMatchObject({
      error: { code: 'TOOL_ERROR', message: 'broken' },
    });
  });

  test('retry tries again with growing delays, then onError applies', async () => {
    let tries = 0;
    const caller = fakeCaller({ work: () => (++tries < 3 ? broken() : { ok: true }) });
    const handle = start(failing('retry: { attempts: 3, delayMs: 2, factor: 3, jitter: 0 }'), {}, { caller });
    expect(await handle.outcome).toMatchObject({ result: { ok: true } });
    const delays = handle.events().flatMap((event) => (event.type === 'node-retried' ? [event.delayMs] : []));
    expect(delays).toEqual([2, 6]);
    expect(handle.view().history.map(({ node }) => node)).toEqual(['entry', 'work', 'exit']);
    const spent = fakeCaller({ work: broken });
    expect(
      await resultOf(failing('retry: { attempts: 2, delayMs: 0 }, onError: rescue'), {}, { caller: spent }),
    ).toMatchObject({ rescued: 'TOOL_ERROR' });
    expect(spent.calls).toHaveLength(2);
  });

  test('retry leaves alone what cannot pass by itself, and what `on` does not name', async () => {
    const caller = fakeCaller({ work: broken });
    await errorOf(failing('retry: { attempts: 3, delayMs: 0, on: [TIMEOUT] }'), {}, { caller });
    expect(caller.calls).toHaveLength(1);
    const expression = oneNode('{ id: work, type: transform, transform: { expr: \'"x" + 1\' }, retry: 5, next: exit }');
    expect(await errorOf(expression)).toMatchObject({ code: 'EXPRESSION_ERROR' });
  });

  test('timeoutMs interrupts a call that hangs', async () => {
    let aborted = false;
    const caller = fakeCaller({
      work: (_args, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    });
    const error = await errorOf(failing('timeoutMs: 20'), {}, { caller });
    expect(error).toMatchObject({ code: 'TIMEOUT', node: 'work', message: 'Node work took longer than 20 ms' });
    expect(aborted).toBe(true);
  });

  test('timeoutMs of a foreach ends everything inside it', async () => {
    const aborted: unknown[] = [];
    const source = oneTool(
      `      - { id: entry, type: entry, next: each }
      - id: each
        type: foreach
        items: [1, 2]
        concurrency: 2
        timeoutMs: 20
        onError: rescue
        nodes: [{ id: work, type: mcp, server: s, tool: work, args: { item: { expr: $.item } } }]
        next: exit
      - { id: rescue, type: transform, transform: { expr: '$.each.error.code' }, next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
    const caller = fakeCaller({
      work: ({ item }, { signal }) => new Promise(() => signal.addEventListener('abort', () => aborted.push(item))),
    });
    expect(await resultOf(source, {}, { caller })).toBe('TIMEOUT');
    expect(aborted).toEqual([1, 2]);
  });
});

describe('cache', () => {
  const cached = (more: string) =>
    oneNode(
      `{ id: work, type: mcp, server: s, tool: work, args: { n: { expr: $.entry.n } }, cache: ${more}, next: exit }`,
      servers,
    );

  test('answers the same arguments once for all runs of an engine, until it is too old', async () => {
    let now = 1000;
    let calls = 0;
    const caller = fakeCaller({ work: () => ({ calls: ++calls }) });
    const engine = createInlineEngine({ caller, now: () => now });
    const document = load(cached('{ ttlMs: 100 }'));
    const ask = async (n: number) => {
      const outcome = await engine.start({ document, tool: 't', args: { n } }).outcome;
      return outcome.status === 'succeeded' ? (outcome.result as { calls: number }).calls : outcome.error;
    };
    expect([await ask(1), await ask(1), await ask(2)]).toEqual([1, 1, 2]);
    now += 101;
    expect(await ask(1)).toBe(3);
  });

  test('keeps what one person got from another', async () => {
    const caller = fakeCaller({ work: (_args, { user }) => ({ for: user?.id }) });
    const engine = createInlineEngine({ caller });
    const document = load(cached('true'));
    const ask = (id: string) =>
      engine.start({ document, tool: 't', args: { n: 1 }, user: id, caller: { id, scopes: 'all' } }).outcome;
    expect([await ask('ann'), await ask('bob')]).toMatchObject([
      { result: { for: 'ann' } },
      { result: { for: 'bob' } },
    ]);
  });

  test('takes a key of its own', async () => {
    const caller = fakeCaller({ work: ({ n }) => ({ n }) });
    const engine = createInlineEngine({ caller });
    const document = load(cached("{ key: '$.entry.group' }"));
    const first = await engine.start({ document, tool: 't', args: { n: 1, group: 'a' } }).outcome;
    const second = await engine.start({ document, tool: 't', args: { n: 2, group: 'a' } }).outcome;
    expect([first, second]).toMatchObject([{ result: { n: 1 } }, { result: { n: 1 } }]);
  });
});
