import { beforeEach, describe, expect, test } from 'vitest';
import { type Call, createWorkplace, readExample, sopWith, type Workplace } from './sop.test-helpers.ts';

let workplace: Workplace;
let call: Call;
const retail = await readExample('retail.md');

async function open(files: Record<string, string> = { 'retail.md': retail }, services = {}) {
  workplace = await createWorkplace(files, services);
  ({ call } = await workplace.connect());
}

async function walk(...nodes: string[]): Promise<Record<string, unknown>> {
  let answer: Record<string, unknown> = {};
  for (const node of nodes) answer = (await call('goto_node', { node_id: node })).data;
  return answer;
}

describe('todo', () => {
  beforeEach(async () => {
    await open();
    await call('load_graph', { sop_file: 'retail.md' });
  });

  test('stores the list as given and counts it [SOP-024] [SOP-025] [SOP-027] [SOP-028]', async () => {
    const todos = [
      { content: 'a', status: 'completed', completion_node: 'END_MOD' },
      { content: 'b', status: 'in_progress', note: 'see a', completion_node: 'END_UADDR' },
      { content: 'c', status: 'pending' },
      { content: 'd', status: 'pending', completion_node: 'END_EXCH' },
    ];
    const { data } = await call('todo', { todos });
    expect(data).toEqual({ todos, summary: { pending: 2, in_progress: 1, completed: 1 } });
    expect((await call('get_state')).data['todos']).toEqual(todos);
  });

  test('replaces the whole list each time; an empty one clears it [SOP-026] [SOP-074] [SOP-077]', async () => {
    await call('todo', {
      todos: [
        { content: 'a', status: 'pending', note: 'n' },
        { content: 'b', status: 'pending' },
      ],
    });
    await call('todo', {
      todos: [
        { content: 'b', status: 'completed' },
        { content: 'a', status: 'pending' },
      ],
    });
    expect((await call('get_state')).data['todos']).toEqual([
      { content: 'b', status: 'completed' },
      { content: 'a', status: 'pending' },
    ]);
    const { data } = await call('todo', { todos: [] });
    expect(data).toEqual({ todos: [], summary: { pending: 0, in_progress: 0, completed: 0 } });
  });

  test.each([
    ['empty content', [{ content: '', status: 'pending' }]],
    ['no content', [{ status: 'pending' }]],
    ['no status', [{ content: 'a' }]],
    ['another status', [{ content: 'a', status: 'done' }]],
    ['a number as content', [{ content: 1, status: 'pending' }]],
    ['no list', 'a'],
    ['a string in the list', ['a']],
  ])('%s is refused and nothing is stored [SOP-022] [SOP-023]', async (_name, todos) => {
    await call('todo', { todos: [{ content: 'kept', status: 'pending' }] });
    const { isError, data } = await call('todo', { todos });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ valid: false, code: 'INVALID_INPUT' });
    expect((await call('get_state')).data['todos']).toEqual([{ content: 'kept', status: 'pending' }]);
  });

  test('doubts are told, not refused', async () => {
    const { data } = await call('todo', {
      todos: [
        { content: 'a', status: 'in_progress', completion_node: 'END_MOD_ITEMS' },
        { content: 'b', status: 'in_progress', completion_node: 'ROUTE' },
        { desc: 'c', status: 'pending', task_completion_node: 'END_EXCH', colour: 'red' },
      ],
    });
    expect(data['todos']).toMatchObject([{}, {}, { content: 'c', completion_node: 'END_EXCH' }]);
    expect(data['warnings']).toEqual([
      'The todo field "colour" is not known and was ignored',
      '2 todos are in progress; work on one at a time',
      '"a": completion_node END_MOD_ITEMS is not a node of this procedure',
      '"b": completion_node ROUTE is not a terminal node',
    ]);
  });
});

describe('facts', () => {
  const guarded = sopWith(
    'flowchart TD\n START --> CHECK{ok?}\n CHECK -->|yes| DO\n CHECK -->|no| STOP\n DO --> DONE([end])\n STOP --> DONE',
    {
      frontmatter: 'agent: guarded',
      prompts:
        '### CHECK\n\n```yaml\nexits:\n  DO: { status: [pending, open] }\n```\n\n### DO\n\n```yaml\nrequires: [user_id, confirmed == true]\n```\n\nDo it.',
    },
  );

  test('open what requires them, and only then', async () => {
    await open({ 'guarded.md': guarded });
    await call('load_graph', { sop_file: 'guarded.md' });
    expect(await walk('START', 'CHECK')).toMatchObject({
      edges: [{ to: 'DO', requires: ['status = pending or open', 'user_id', 'confirmed = true'] }, { to: 'STOP' }],
    });
    expect(await walk('DO')).toMatchObject({
      valid: false,
      missing_facts: ['user_id', 'confirmed = true', 'status = pending or open'],
    });
    await call('record_fact', { name: 'user_id', value: 'u1' });
    await call('record_fact', { name: 'confirmed', value: true });
    await call('record_fact', { name: 'status', value: 'closed' });
    expect(await walk('DO')).toMatchObject({ valid: false, missing_facts: ['status = pending or open'] });
    expect((await call('record_fact', { name: 'status', value: 'open' })).data).toEqual({
      facts: { user_id: 'u1', confirmed: true, status: 'open' },
    });
    expect(await walk('DO')).toMatchObject({ valid: true });
    await call('record_fact', { name: 'status', value: null });
    expect((await call('get_state')).data['facts']).toEqual({ user_id: 'u1', confirmed: true });
  });
});
