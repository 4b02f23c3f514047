import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Call, createWorkplace, sopWith, type Workplace } from './sop.test-helpers.ts';

const order = sopWith(
  'flowchart TD\n START --> AUTH\n AUTH --> ROUTE{what?}\n ROUTE -->|cancel| DO\n ROUTE -.->|"else"| DONE([over])\n DO --> DONE',
  {
    frontmatter:
      'agent: order\nversion: 1.0\nmodel: { provider: x, name: y, temperature: 0.2 }\nmcp_servers: [{ name: shop, url: https://shop.example }]\nodd: 1',
    prompts:
      '### AUTH\n\n```yaml\ntools: [find]\nexamples: [{ user: Hi, agent: Hello }]\n```\n\nAsk who it is.\n\n### DO\n\n```yaml\nrequires: [sure]\n```\n\nDo it.',
  },
);
const plain = sopWith('flowchart TD\n BEGIN --> OVER', { frontmatter: 'agent: plain' });

type CheckingClient = Workplace & { readonly use: Call; readonly refuse: Call; readonly called: Set<string> };

/** A client that knows the list of tools checks every answer against the advertised schema. */
async function openCheckingClient(): Promise<CheckingClient> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'waymark-sop-data-'));
  const workplace = await createWorkplace({ 'order.md': order, 'plain.md': plain }, { dataDirectory });
  const { call, client } = await workplace.connect();
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  const called = new Set<string>();
  const calling =
    (isError: boolean): Call =>
    async (tool, args) => {
      called.add(tool);
      const answer = await call(tool, args);
      expect(answer.isError, `${tool}: ${answer.text}`).toBe(isError);
      return answer;
    };
  return Object.assign(workplace, { use: calling(false), refuse: calling(true), called });
}

function expectFields({ data }: { data: object }, fields: string): void {
  expect(Object.keys(data).toSorted().join(' ')).toBe(fields.split(' ').toSorted().join(' '));
}

const loaded =
  'agent version entry_node model mcp_servers graph system_prompt_sections system_prompt conversation_id content_hash status';
const standing =
  'conversation_id todos summary facts agent sop_file content_hash current_node valid_next path complete unlocked';

test('every tool answers what its output schema says, to the last field', async () => {
  const workplace = await openCheckingClient();
  const { use } = workplace;

  expectFields(
    await use('get_state'),
    'conversation_id todos summary facts agent current_node valid_next path complete',
  );
  expectFields(await use('goto_node', { node_id: 'START' }), 'valid error current_node valid_next');
  expectFields(await use('load_graph', { sop_file: 'plain.md' }), loaded);
  const { data } = await use('load_graph', { sop_file: 'order.md' });
  expectFields({ data }, `${loaded} warnings`);
  expectFields(
    await use('todo', { todos: [{ content: 'a', note: 'b', status: 'pending', completion_node: 'DONE' }] }),
    'todos summary',
  );
  expectFields(
    await use('todo', { todos: [{ content: 'a', status: 'in_progress', completion_node: 'DNE' }] }),
    'todos summary warnings',
  );

  expectFields(await use('goto_node', { node_id: 'START' }), 'node edges path valid');
  expectFields(await use('goto_node', { node_id: 'START' }), 'node edges path valid repeat');
  expectFields(await use('load_graph', { sop_file: 'order.md' }), `${loaded} current_node warnings`);
  expectFields(await use('goto_node', { node_id: 'ATH' }), 'valid error current_node valid_next did_you_mean');
  expectFields(await use('goto_node', { node_id: 'DONE' }), 'valid error current_node valid_next route');
  expectFields(await use('goto_node', { node_ids: ['AUTH', 'ROUTE'] }), 'node edges path valid passed');
  expectFields(await use('goto_node', { node_id: 'DO' }), 'valid error current_node valid_next missing_facts');
  expectFields(
    await use('goto_node', { node_ids: ['START', 'DONE'] }),
    'valid error current_node valid_next route passed',
  );
  expectFields(await use('record_fact', { name: 'sure', value: true }), 'facts');
  expectFields(await use('record_fact', { name: 'times', value: 1.5 }), 'facts');
  expectFields(await use('record_fact', { name: 'times', value: null }), 'facts');
  await use('todo', { todos: [{ content: 'a', status: 'in_progress', completion_node: 'DONE' }] });
  expectFields(
    await use('goto_node', { node_ids: ['AUTH', 'ROUTE', 'DO', 'DONE'] }),
    'node edges path valid complete todo_reminder todo open_todos passed',
  );
  for (let round = 0; round < 25; round++) await use('goto_node', { node_ids: ['ROUTE', 'DO'] });
  expectFields(
    await use('goto_node', { node_id: 'DONE' }),
    'node edges path path_length valid complete todo_reminder todo open_todos',
  );
  expectFields(await use('get_state'), standing);

  expectFields(await use('list_conversations'), 'total conversations');
  const { conversation_id: id } = data;
  expectFields(await use('replay_conversation', { conversation_id: id }), 'conversation_id records');
  expectFields(
    await use('cover_sop', { sop_file: 'order.md' }),
    'agent content_hash conversations moves refusals nodes edges visits',
  );
  expectFields(await use('check_sop', { sop_file: 'order.md' }), 'ok problems');

  await workplace.write('order.md', order.replace('ROUTE -->|cancel| DO\n', 'ROUTE -->|cancel| X --> DO\n'));
  workplace.now = new Date(workplace.now.getTime() + 5000);
  expectFields(await use('get_state'), `${standing} stale`);
  expectFields(await use('goto_node', { node_id: 'START' }), 'node edges path valid stale');
  const replayed = await use('replay_conversation', { conversation_id: id, sop_file: 'order.md' });
  expectFields(replayed, 'conversation_id records replay');
  expect(replayed.data['replay']).toMatchObject({ differences: expect.arrayContaining([expect.anything()]) });
  expectFields(await use('load_graph', { sop_file: 'order.md' }), `${loaded} note warnings`);
  expectFields(await use('load_graph', { sop_file: 'order.md', reset: true }), `${loaded} warnings`);

  const names = workplace.toolset.tools().map(({ name }) => name);
  expect([...workplace.called].toSorted()).toEqual(names.toSorted());
});

test('the record of a tool behind the gate fits the schema of replay_conversation', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'waymark-sop-data-'));
  const file = await (
    await createWorkplace()
  ).write(
    'gated.md',
    sopWith('flowchart TD\n START --> A', {
      frontmatter: 'agent: gated\ngate: enforce\nmcp_servers: [{ name: shop, url: https://shop.example }]',
    }),
  );
  const upstream = {
    listTools: async () => [{ name: 'buy', inputSchema: { type: 'object' as const } }],
    callTool: async () => ({ content: [] }),
    close: async () => {},
  };
  const workplace = await createWorkplace({}, { dataDirectory, sops: [file], connectUpstream: async () => upstream });
  const { call, client } = await workplace.connect();
  await client.listTools();
  const { data } = await call('load_graph', { sop_file: 'gated' });
  expect(await call('buy')).toMatchObject({ isError: true, data: { valid: false, current_node: null } });
  const { data: replay } = await call('replay_conversation', { conversation_id: data['conversation_id'] });
  expect(replay['records']).toContainEqual(expect.objectContaining({ type: 'tool', name: 'buy', verdict: 'refused' }));
});

test.each([
  ['load_graph', { sop_file: 'nowhere.md' }, 'FILE_NOT_FOUND'],
  ['load_graph', { sop_file: 'broken.md' }, 'INVALID_SOP'],
  ['load_graph', {}, 'INVALID_INPUT'],
  ['todo', { todos: [{ content: 'a', status: 'done' }] }, 'INVALID_INPUT'],
  ['goto_node', { node_id: 'A', conversation_id: 'nobody-knows-this-one' }, 'UNKNOWN_CONVERSATION'],
  ['get_state', { conversation_id: 'nobody-knows-this-one' }, 'UNKNOWN_CONVERSATION'],
  ['record_fact', { name: 'with blanks', value: 1 }, 'INVALID_INPUT'],
  ['list_conversations', { limit: 0 }, 'INVALID_INPUT'],
  ['replay_conversation', { conversation_id: 'nobody-knows-this-one' }, 'UNKNOWN_CONVERSATION'],
  ['cover_sop', { sop_file: 'broken.md' }, 'INVALID_SOP'],
  ['check_sop', { sop_file: '../outside.md' }, 'PATH_OUTSIDE_ROOTS'],
])('a checking client reads the refusal of %s %j', async (tool, args, code) => {
  const { refuse, write } = await openCheckingClient();
  await write('broken.md', sopWith('flowchart TD\n A --> '));
  expect((await refuse(tool, args)).data).toMatchObject({ valid: false, code, error: expect.any(String) });
});

test('a file with errors is an ordinary answer of check_sop', async () => {
  const { use, write } = await openCheckingClient();
  await write('broken.md', sopWith('flowchart TD\n A --> '));
  expect((await use('check_sop', { sop_file: 'broken.md' })).data).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.objectContaining({ severity: 'error' })]),
  });
});
