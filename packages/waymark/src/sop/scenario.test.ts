import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { exampleDirectory } from './sop.test-helpers.ts';

const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const open: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.allSettled(open.map((close) => close()));
});

type Call = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

function callerOf(client: Client): Call {
  return async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return result.structuredContent as Record<string, unknown>;
  };
}

async function connectStdio(data: string): Promise<{ call: Call; transport: StdioClientTransport }> {
  const args = [waymark, 'mcp', 'sop', '--data', data, '--root', exampleDirectory];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  open.push(() => client.close());
  return { call: callerOf(client), transport };
}

async function startServer(data: string): Promise<{ url: URL; server: ChildProcess }> {
  const args = [waymark, 'serve', '--port', '0', '--data', data, '--root', exampleDirectory, '--toolsets', 'sop'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  open.push(async () => server.kill());
  let printed = '';
  for await (const chunk of server.stdout) {
    printed += String(chunk);
    const [, origin] = /Waymark ready at (\S+)/.exec(printed) ?? [];
    if (origin) return { url: new URL('/mcp/sop', origin), server };
  }
  throw new Error(`the server ended: ${printed}`);
}

async function connectHttp(url: URL, wire: 'older' | 'stateless'): Promise<Call> {
  const options = wire === 'stateless' ? { versionNegotiation: { mode: { pin: '2026-07-28' as const } } } : {};
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(url));
  open.push(() => client.close());
  return callerOf(client);
}

const temporary = () => mkdtemp(join(tmpdir(), 'waymark-scenario-'));

/** The conversation of Sophia Martin: three requests, each answer as the specification shows it. */
async function walkSophia(call: Call, handle: Record<string, unknown> = {}): Promise<void> {
  const goto = (node: string) => call('goto_node', { node_id: node, ...handle });
  const todo = (todos: unknown[]) => call('todo', { todos, ...handle });
  const address = { content: 'Change shipping address on pending order', completion_node: 'END_MOD' };
  const profile = { content: 'Update default user address', completion_node: 'END_UADDR' };
  const exchange = { content: 'Exchange tablet for cheapest option', completion_node: 'END_EXCH' };
  const note = 'Use 456 Elm Ave from luggage order #W9834521';
  const reminder = (node: string) => `Reached completion node ${node}. Update todos and proceed to next task.`;

  // Phase 1: planning.
  const planned = [address, profile, exchange].map((one) => ({ ...one, status: 'pending' }));
  expect(await todo(planned)).toEqual({ todos: planned, summary: { pending: 3, in_progress: 0, completed: 0 } });

  // Phase 2: authentication.
  expect(await goto('START')).toEqual({
    node: { id: 'START', type: 'stadium', description: 'User contacts Agent' },
    edges: [{ to: 'AUTH', condition: null }],
    path: ['START'],
    valid: true,
  });
  expect(await goto('AUTH')).toEqual({
    node: {
      id: 'AUTH',
      type: 'rectangle',
      description: 'Authenticate via email or name + zip',
      prompt: 'Authenticate the user via email OR name + zip code. Must verify even if user provides user_id directly.',
      tools: ['find_user_id_by_email', 'find_user_id_by_name_zip'],
    },
    edges: [{ to: 'ROUTE', condition: null }],
    path: ['START', 'AUTH'],
    valid: true,
  });

  // Phase 3: the address of a pending order.
  const route = await goto('ROUTE');
  expect(route).toMatchObject({ node: { type: 'rhombus' }, valid: true });
  expect((route['edges'] as unknown[]).length).toBe(7);
  expect(await goto('CHK_MOD')).toMatchObject({
    node: { description: 'Check order status', tools: ['get_order_details'] },
    edges: [{ to: 'IS_PENDING_M', condition: null }],
  });
  const started = [
    { ...address, status: 'in_progress' },
    { ...profile, status: 'pending', note },
    { ...exchange, status: 'pending' },
  ];
  expect(await todo(started)).toMatchObject({ summary: { pending: 2, in_progress: 1, completed: 0 } });
  await goto('IS_PENDING_M');
  await goto('COLLECT_MOD_ADDR');
  await goto('DO_MOD_ADDR');
  expect(await goto('END_MOD')).toMatchObject({
    node: { id: 'END_MOD', type: 'stadium', description: 'End / Restart' },
    edges: [],
    path: ['START', 'AUTH', 'ROUTE', 'CHK_MOD', 'IS_PENDING_M', 'COLLECT_MOD_ADDR', 'DO_MOD_ADDR', 'END_MOD'],
    valid: true,
    todo_reminder: reminder('END_MOD'),
  });
  const second = [
    { ...address, status: 'completed' },
    { ...profile, status: 'in_progress', note },
    { ...exchange, status: 'pending' },
  ];
  expect(await todo(second)).toEqual({ todos: second, summary: { pending: 1, in_progress: 1, completed: 1 } });

  // Phase 4: the default address.
  expect(await goto('ROUTE')).toMatchObject({ valid: true });
  expect(await goto('COLLECT_USER_ADDR')).toMatchObject({
    node: {
      description: 'Collect: user_id, new address',
      prompt: 'Collect:\n1. **user_id**\n2. **new default address**',
    },
    edges: [{ to: 'DO_USER_ADDR', condition: null }],
  });
  await goto('DO_USER_ADDR');
  expect(await goto('END_UADDR')).toMatchObject({ todo_reminder: reminder('END_UADDR') });
  await todo([
    { ...address, status: 'completed' },
    { ...profile, status: 'completed' },
    { ...exchange, status: 'in_progress' },
  ]);

  // Phase 5: the exchange.
  await goto('ROUTE');
  expect(await goto('CHK_EXCH')).toMatchObject({
    node: { description: 'Check order status', tools: ['get_order_details'] },
    edges: [{ to: 'IS_DELIVERED_E', condition: null }],
  });
  await goto('IS_DELIVERED_E');
  expect(await goto('COLLECT_EXCH')).toMatchObject({
    node: {
      description: 'Collect: order_id, all item exchanges',
      prompt: expect.stringMatching(
        /^Collect ALL items to exchange at once:\n1\. \*\*order_id\*\*\n2\. \*\*list of item_id → new_item_id\*\*[^]*- Remind user to confirm ALL items\n- No new order needed$/,
      ),
      tools: ['calculate', 'exchange_delivered_order_items'],
      examples: [
        {
          user: 'I want to swap my tablet for a different one',
          agent: expect.stringMatching(/^Sure! Which variant would you like instead\?/),
        },
      ],
    },
    edges: [{ to: 'DO_EXCH', condition: null }],
  });
  await goto('DO_EXCH');
  expect(await goto('END_EXCH')).toMatchObject({ todo_reminder: reminder('END_EXCH') });
  const done = [address, profile, exchange].map((one) => ({ ...one, status: 'completed' }));
  expect(await todo(done)).toEqual({ todos: done, summary: { pending: 0, in_progress: 0, completed: 3 } });
}

describe('the scenario of the specification', () => {
  test('over stdio [SOP-050] [SOP-051] [SOP-052] [SOP-053] [SOP-054] [SOP-055]', async () => {
    const { call } = await connectStdio(await temporary());
    await call('load_graph', { sop_file: 'retail.md' });
    await walkSophia(call);
  });

  test('over HTTP, on both wires [SOP-050] [SOP-051] [SOP-052] [SOP-053] [SOP-054] [SOP-055]', async () => {
    const { url } = await startServer(await temporary());
    const older = await connectHttp(url, 'older');
    await older('load_graph', { sop_file: 'retail.md' });
    await walkSophia(older);
    const stateless = await connectHttp(url, 'stateless');
    const { conversation_id } = await stateless('load_graph', { sop_file: 'retail.md' });
    await walkSophia(stateless, { conversation_id });
  });
});

describe('a server that is killed', () => {
  test('over stdio leaves nothing behind that cannot go on', async () => {
    const data = await temporary();
    const first = await connectStdio(data);
    const { conversation_id } = await first.call('load_graph', { sop_file: 'retail.md' });
    await first.call('todo', { todos: [{ content: 'a', status: 'pending', completion_node: 'END_INFO' }] });
    for (const node of ['START', 'AUTH', 'ROUTE']) await first.call('goto_node', { node_id: node });
    const last = first.call('goto_node', { node_id: 'INFO' });
    expect(await last).toMatchObject({ valid: true });
    process.kill(first.transport.pid ?? 0, 'SIGKILL');
    const { call } = await connectStdio(data);
    expect(await call('goto_node', { node_id: 'END_INFO', conversation_id })).toMatchObject({
      valid: true,
      path: ['START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO'],
      todo_reminder: expect.any(String),
    });
    expect(await call('get_state', {})).toMatchObject({ agent: null, path: [] });
    await call('load_graph', { sop_file: 'retail.md', conversation_id });
    expect(await call('goto_node', { node_id: 'ROUTE' })).toMatchObject({ valid: true });
  });

  test('over HTTP goes on with every conversation where it was', async () => {
    const data = await temporary();
    const first = await startServer(data);
    const before = await connectHttp(first.url, 'stateless');
    const walks = [['START'], ['START', 'AUTH'], ['START', 'AUTH', 'ROUTE', 'CHK_EXCH']];
    const ids: unknown[] = [];
    for (const walk of walks) {
      const { conversation_id } = await before('load_graph', { sop_file: 'retail.md' });
      await before('goto_node', { node_id: walk.at(-1), node_ids: walk, conversation_id });
      ids.push(conversation_id);
    }
    first.server.kill('SIGKILL');
    await once(first.server, 'exit');
    const second = await startServer(data);
    const after = await connectHttp(second.url, 'stateless');
    for (const [index, walk] of walks.entries()) {
      expect(await after('get_state', { conversation_id: ids[index] })).toMatchObject({ path: walk });
    }
    expect(await after('goto_node', { node_id: 'IS_DELIVERED_E', conversation_id: ids[2] })).toMatchObject({
      valid: true,
    });
    expect(await after('goto_node', { node_id: 'ROUTE', conversation_id: ids[0] })).toMatchObject({ valid: false });
  });
});
