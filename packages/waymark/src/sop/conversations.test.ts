import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../kit/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import type { Store } from '../store/store.ts';
import { createStoreLog } from './conversation-store.ts';
import { type Call, createWorkplace, readExample, sopWith, type Workplace } from './sop.test-helpers.ts';

const retail = await readExample('retail.md');
const small = sopWith('flowchart TD\n A --> B --> C([end])\n A --> C', { frontmatter: 'agent: small' });

async function load(call: Call, args: Record<string, unknown> = {}): Promise<string> {
  const { data } = await call('load_graph', { sop_file: 'retail.md', ...args });
  return data['conversation_id'] as string;
}

describe('which conversation a call means', () => {
  let workplace: Workplace;
  beforeEach(async () => {
    workplace = await createWorkplace({ 'retail.md': retail, 'small.md': small });
  });

  test('on the stateless wire the one it names, and none without a name', async () => {
    const { call } = await workplace.connect({ session: undefined });
    const first = await load(call);
    const second = await load(call);
    expect(first).not.toBe(second);
    expect(first.length).toBeGreaterThanOrEqual(22);
    for (const tool of ['goto_node', 'todo', 'get_state']) {
      const args = { goto_node: { node_id: 'START' }, todo: { todos: [] }, get_state: {} }[tool];
      const { isError, data } = await call(tool, args);
      expect(isError).toBe(true);
      expect(data).toMatchObject({
        code: 'CONVERSATION_REQUIRED',
        error: 'Pass the conversation_id that load_graph returned',
      });
    }
    await call('goto_node', { node_id: 'START', conversation_id: first });
    const { data } = await call('goto_node', { node_id: 'AUTH', conversation_id: second });
    expect(data).toMatchObject({ valid: false, current_node: null });
    expect((await call('get_state', { conversation_id: first })).data).toMatchObject({ path: ['START'] });
  });

  test('on a session the one of the session; a named one wins', async () => {
    const one = (await workplace.connect({ session: 'one' })).call;
    const other = (await workplace.connect({ session: 'other' })).call;
    const id = await load(one);
    await load(other);
    await one('goto_node', { node_id: 'START' });
    expect((await other('get_state')).data).toMatchObject({ path: [] });
    expect((await other('goto_node', { node_id: 'AUTH', conversation_id: id })).data).toMatchObject({
      path: ['START', 'AUTH'],
    });
    expect((await other('get_state')).data).toMatchObject({ path: [] });
    const fresh = await load(one, { conversation_id: 'new' });
    expect(fresh).not.toBe(id);
    expect((await one('get_state')).data).toMatchObject({ conversation_id: id });
  });

  test('never that of somebody else', async () => {
    const mine = (await workplace.connect({ user: 'anna', session: undefined })).call;
    const theirs = (await workplace.connect({ user: 'bert', session: undefined })).call;
    const id = await load(mine);
    for (const [tool, args] of [
      ['goto_node', { node_id: 'START' }],
      ['todo', { todos: [] }],
      ['get_state', {}],
      ['load_graph', { sop_file: 'retail.md' }],
      ['replay_conversation', {}],
    ] as const) {
      const { isError, data } = await theirs(tool, { ...args, conversation_id: id });
      expect(isError, tool).toBe(true);
      expect(data).toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
    }
    const sameSession = (await workplace.connect({ user: 'anna', session: 's' })).call;
    const otherUser = (await workplace.connect({ user: 'bert', session: 's' })).call;
    await load(sameSession);
    await sameSession('goto_node', { node_id: 'START' });
    expect((await otherUser('get_state')).data).toMatchObject({ agent: null, path: [] });
  });

  test('not one that has expired, and no invented one', async () => {
    const { call } = await workplace.connect({ session: undefined });
    const id = await load(call);
    workplace.now = new Date(workplace.now.getTime() + 25 * 3_600_000);
    expect((await call('get_state', { conversation_id: id })).data).toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
    for (const invented of ['x', '../../etc/passwd', 'A'.repeat(24)]) {
      expect((await call('get_state', { conversation_id: invented })).data).toMatchObject({
        code: 'UNKNOWN_CONVERSATION',
      });
    }
  });

  test('interleaved conversations are each as if alone [SOP-056] [SOP-057] [SOP-058] [SOP-059]', async () => {
    const { call } = await workplace.connect({ session: undefined });
    const walks = [
      ['START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO'],
      ['START', 'AUTH', 'ROUTE', 'CHK_EXCH', 'IS_DELIVERED_E', 'COLLECT_EXCH', 'DO_EXCH', 'END_EXCH'],
      ['START', 'ROUTE', 'AUTH', 'DO_EXCH', 'ROUTE', 'START', 'ROUTE'],
      ['A', 'C', 'A', 'B'],
    ];
    const run = async (id: string, walk: readonly string[], index: number) => {
      const answers = [];
      await call('todo', {
        conversation_id: id,
        todos: [{ content: `task ${index}`, status: 'pending', completion_node: 'END_EXCH' }],
      });
      for (const node of walk) answers.push((await call('goto_node', { conversation_id: id, node_id: node })).data);
      answers.push(
        (await call('todo', { conversation_id: id, todos: [{ content: `task ${index}`, status: 'completed' }] })).data,
      );
      return answers;
    };
    const file = (index: number) => ({ sop_file: index === 3 ? 'small.md' : 'retail.md' });
    const alone = [];
    for (const [index, walk] of walks.entries()) alone.push(await run(await load(call, file(index)), walk, index));
    const ids = await Promise.all(walks.map((_walk, index) => load(call, file(index))));
    const together = await Promise.all(walks.map((walk, index) => run(ids[index] ?? '', walk, index)));
    expect(together).toEqual(alone);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('recorded in files', () => {
  test('a conversation goes on in another process where it was, even if its SOP file is gone', async () => {
    const before = await createWorkplace({ 'retail.md': retail });
    const dataDirectory = join(before.directory, 'data');
    const first = await createWorkplace({ 'retail.md': retail }, { dataDirectory });
    const { call } = await first.connect({ session: undefined });
    const id = await load(call);
    await call('todo', {
      conversation_id: id,
      todos: [{ content: 'a', status: 'pending', completion_node: 'END_INFO' }],
    });
    await call('goto_node', { conversation_id: id, node_ids: ['START', 'AUTH', 'ROUTE', 'INFO'] });
    await call('record_fact', { conversation_id: id, name: 'user_id', value: 'u1' });
    // Nothing is closed: the process is as good as killed.
    const second = await createWorkplace({}, { dataDirectory });
    const again = (await second.connect({ session: undefined })).call;
    expect((await again('get_state', { conversation_id: id })).data).toMatchObject({
      path: ['START', 'AUTH', 'ROUTE', 'INFO'],
      todos: [{ content: 'a' }],
      facts: { user_id: 'u1' },
      unlocked: ['ROUTE'],
    });
    expect((await again('goto_node', { conversation_id: id, node_id: 'END_INFO' })).data).toMatchObject({
      valid: true,
      todo_reminder: expect.any(String),
    });
    // The first process notices what the second one did.
    expect((await call('goto_node', { conversation_id: id, node_id: 'ROUTE' })).data).toMatchObject({
      valid: true,
      path: ['START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO', 'ROUTE'],
    });
    const stranger = (await second.connect({ user: 'eve', session: undefined })).call;
    expect((await stranger('get_state', { conversation_id: id })).data).toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
  });

  test('a record cut off by a crash is dropped, what came before and after it stays', async () => {
    const { directory } = await createWorkplace();
    const dataDirectory = join(directory, 'data');
    const first = await createWorkplace({ 'retail.md': retail }, { dataDirectory });
    const { call } = await first.connect({ session: undefined });
    const id = await load(call);
    await call('goto_node', { conversation_id: id, node_id: 'START' });
    const file = join(dataDirectory, 'sop', 'conversations', `${id}.jsonl`);
    await appendFile(file, '{"type":"moved","from":"START","to":"AU');
    const { call: again } = await (await createWorkplace({}, { dataDirectory })).connect({ session: undefined });
    expect((await again('goto_node', { conversation_id: id, node_id: 'AUTH' })).data).toMatchObject({
      path: ['START', 'AUTH'],
    });
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      'started',
      'loaded',
      'moved',
      'moved',
    ]);
  });

  test('more conversations than are held in memory or open files', async () => {
    const { directory } = await createWorkplace();
    const dataDirectory = join(directory, 'data');
    const workplace = await createWorkplace(
      { 'small.md': small },
      { dataDirectory, limits: { idleMilliseconds: 1e9, live: 3 } },
    );
    const { call } = await workplace.connect({ session: undefined });
    const ids: string[] = [];
    for (let index = 0; index < 80; index++) ids.push(await load(call, { sop_file: 'small.md' }));
    for (const id of ids) await call('goto_node', { conversation_id: id, node_id: 'A' });
    for (const [index, id] of ids.entries()) {
      const { data } = await call('goto_node', { conversation_id: id, node_id: index % 2 ? 'B' : 'C' });
      expect(data['path']).toEqual(['A', index % 2 ? 'B' : 'C']);
    }
    expect(await readdir(join(dataDirectory, 'sop', 'sources'))).toHaveLength(1);
  });

  test('are listed, replayed and covered, each person their own', async () => {
    const { directory } = await createWorkplace();
    const dataDirectory = join(directory, 'data');
    const workplace = await createWorkplace({ 'small.md': small }, { dataDirectory });
    const anna = (await workplace.connect({ user: 'anna', session: undefined })).call;
    const bert = (await workplace.connect({ user: 'bert', session: undefined })).call;
    const id = await load(anna, { sop_file: 'small.md' });
    for (const node of ['A', 'B', 'A', 'C']) await anna('goto_node', { conversation_id: id, node_id: node });
    await anna('goto_node', { conversation_id: id, node_id: 'B' });
    expect((await anna('list_conversations')).data).toMatchObject({
      total: 1,
      conversations: [{ conversation_id: id, agent: 'small', current_node: 'C', complete: true }],
    });
    expect((await bert('list_conversations')).data).toEqual({ total: 0, conversations: [] });
    expect((await anna('cover_sop', { sop_file: 'small.md' })).data).toMatchObject({
      conversations: 1,
      moves: 4,
      refusals: 1,
      nodes: { visited: 3, total: 3, missed: [] },
      edges: { visited: 2, total: 3, missed: ['B → C'] },
      visits: { A: 2, B: 1, C: 1 },
    });
    await workplace.write('changed.md', small.replace('\n A --> C', '\n C --> B'));
    const { data } = await anna('replay_conversation', { conversation_id: id, sop_file: 'changed.md' });
    expect(data['replay']).toEqual({
      moves: 5,
      differences: [
        { move: 4, from: 'A', to: 'C', before: 'allowed', after: 'refused', reason: 'Cannot reach C from A' },
        { move: 5, from: 'C', to: 'B', before: 'refused', after: 'allowed' },
      ],
    });
  });
});

describeStores('recorded in a shared store', (open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(() => emptyStore(store));

  test('a conversation goes on at another server, which notices what the first one does', async () => {
    const services = { store: async () => store, recordIn: 'both' as const };
    const one = await createWorkplace({ 'retail.md': retail }, services);
    const two = await createWorkplace({}, services);
    const first = (await one.connect({ session: undefined })).call;
    const second = (await two.connect({ session: undefined })).call;
    const id = await load(first);
    await first('goto_node', { conversation_id: id, node_ids: ['START', 'AUTH'] });
    await one.toolset.close?.();
    expect((await second('goto_node', { conversation_id: id, node_id: 'ROUTE' })).data).toMatchObject({
      valid: true,
      path: ['START', 'AUTH', 'ROUTE'],
    });
    expect((await second('list_conversations')).data).toMatchObject({
      total: 1,
      conversations: [{ conversation_id: id, current_node: 'ROUTE' }],
    });
    await two.toolset.close?.();
  });

  test('of two servers that write at once, the slower one is told to read again', async () => {
    const slow = createStoreLog(async () => store, silentLogger, 'slow');
    const fast = createStoreLog(async () => store, silentLogger, 'fast');
    const at = '2026-03-01T10:00:00.000Z';
    const id = 'conversation-of-two-servers';
    fast.append(id, { type: 'started', user: 'local', at });
    await fast.flush();
    expect(await slow.resume(id)).toHaveLength(1);
    fast.append(id, { type: 'fact', name: 'who', value: 'fast', at });
    await fast.flush();
    slow.append(id, { type: 'fact', name: 'who', value: 'slow', at });
    await slow.flush();
    expect(slow.changedElsewhere(id)).toBe(true);
    expect(await slow.resume(id)).toMatchObject([{ type: 'started' }, { type: 'fact', value: 'fast' }]);
    expect(slow.changedElsewhere(id)).toBe(false);
    await Promise.all([slow.close(), fast.close()]);
  });
});
