import { describe, expect, test } from 'vitest';
import { errorOf, fakeCaller, oneNode, oneTool, resultOf, start } from '../graph.test-helpers.ts';

const servers = 'mcpServers: { s: { command: server } }';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('wait', () => {
  test('waits for milliseconds or an instant, and can be cancelled', async () => {
    expect(await resultOf(oneNode('{ id: work, type: wait, ms: 5, next: exit }'))).toEqual({
      waitedMs: expect.any(Number),
    });
    expect(
      await resultOf(oneNode('{ id: work, type: wait, until: { expr: $.entry.at }, next: exit }'), {
        at: '2020-01-01T00:00:00Z',
      }),
    ).toEqual({
      waitedMs: expect.any(Number),
    });
    const handle = start(oneNode('{ id: work, type: wait, ms: 3600000, next: exit }'));
    handle.cancel('enough');
    expect(await handle.outcome).toMatchObject({ status: 'cancelled', error: { message: 'enough' } });
  });

  test('refuses what is no time', async () => {
    expect(await errorOf(oneNode("{ id: work, type: wait, until: 'tomorrow', next: exit }"))).toMatchObject({
      code: 'WRONG_VALUE',
    });
  });
});

describe('approve', () => {
  const approval = (more = '') =>
    oneTool(`      - { id: entry, type: entry, next: ask }
      - { id: ask, type: approve, message: { expr: '"Delete " & $.entry.name & "?"' }, form: { type: object, properties: { why: { type: string } } }, next: yes${more} }
      - { id: yes, type: transform, transform: { expr: '{ "did": $.ask.answers.why, "by": $.ask.by }' }, next: exit }
      - { id: no, type: transform, transform: { expr: '{ "refused": $.ask.action }' }, next: exit }
      - { id: exit, type: exit }`);

  test('asks a person and goes on with the answer', async () => {
    const handle = start(approval(), { name: 'x.txt' });
    await until(() => handle.questions().length > 0);
    const [question] = handle.questions();
    expect(question).toMatchObject({
      kind: 'approve',
      node: 'ask',
      message: 'Delete x.txt?',
      form: { type: 'object' },
    });
    expect(handle.answer('q99', { action: 'accept' })).toBe(false);
    expect(handle.answer(question?.id ?? '', { action: 'accept', content: { why: 'old' }, by: 'ann' })).toBe(true);
    expect(await handle.outcome).toMatchObject({ result: { did: 'old', by: 'ann' } });
    expect(handle.events().map((event) => event.type)).toContain('question-answered');
  });

  test('a refusal leads to `rejected`, or fails without it', async () => {
    const refused = start(approval(', rejected: no'), { name: 'x' });
    await until(() => refused.questions().length > 0);
    refused.answer('q1', { action: 'decline' });
    expect(await refused.outcome).toMatchObject({ result: { refused: 'decline' } });
    const failed = start(approval(), { name: 'x' });
    await until(() => failed.questions().length > 0);
    failed.answer('q1', { action: 'cancel' });
    expect(await failed.outcome).toMatchObject({ status: 'failed', error: { code: 'REJECTED', node: 'ask' } });
  });

  test('timeoutMs withdraws the question', async () => {
    const handle = start(approval(', timeoutMs: 10, onError: no'), { name: 'x' });
    expect(await handle.outcome).toMatchObject({ status: 'succeeded' });
    expect(handle.questions()).toEqual([]);
  });

  test("a downstream server's question takes the same way", async () => {
    const caller = fakeCaller({
      work: async (_args, { onElicit }) => ({
        answer: await onElicit?.({
          message: 'Which?',
          requestedSchema: { type: 'object', properties: { pick: { type: 'string' } } },
        }),
      }),
    });
    const handle = start(
      oneNode('{ id: work, type: mcp, server: s, tool: work, next: exit }', servers),
      {},
      { caller },
    );
    await until(() => handle.questions().length > 0);
    expect(handle.questions()).toMatchObject([{ kind: 'elicit', message: 'Which?' }]);
    handle.answer('q1', { action: 'accept', content: { pick: 'b' } });
    expect(await handle.outcome).toMatchObject({ result: { answer: { action: 'accept', content: { pick: 'b' } } } });
  });
});

describe('mocks and dry runs', () => {
  const source = oneTool(
    `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: s, tool: work, args: { n: { expr: $.entry.n } }, next: exit }
      - { id: exit, type: exit }`,
    servers,
  );

  test('a mock replaces a node, with one output, several, or an error', async () => {
    expect(await resultOf(source, {}, { mocks: { work: { output: { m: 1 } } } })).toEqual({ m: 1 });
    expect(
      await errorOf(source, {}, { mocks: { work: { error: { message: 'down', code: 'TIMEOUT' } } } }),
    ).toMatchObject({ code: 'TIMEOUT', message: 'down' });
    const each = oneTool(
      `      - { id: entry, type: entry, next: each }
      - { id: each, type: foreach, items: [1, 2, 3], nodes: [{ id: work, type: mcp, server: s, tool: work }], next: exit }
      - { id: exit, type: exit }`,
      servers,
    );
    expect(await resultOf(each, {}, { mocks: { work: { outputs: ['a', 'b'] } } })).toEqual(['a', 'b', 'b']);
  });

  test('a dry run calls nothing and shows what it would have sent', async () => {
    const caller = fakeCaller({ work: () => ({ real: true }) });
    expect(await resultOf(source, { n: 3 }, { caller, dryRun: true })).toEqual({
      dryRun: true,
      server: 's',
      tool: 'work',
      args: { n: 3 },
    });
    expect(caller.calls).toEqual([]);
  });
});
