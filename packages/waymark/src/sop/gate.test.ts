import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  annotate,
  connectInProcess,
  createCatalog,
  createHost,
  defineTool,
  defineToolset,
  type ToolAnnotations,
  ToolError,
} from '../kit/index.ts';
import type { McpServer } from './model.ts';
import { createWorkplace, sopWith } from './sop.test-helpers.ts';
import { upstreamOf } from './upstream.ts';

const flowchart =
  'flowchart TD\n START --> AUTH --> ROUTE{what?}\n ROUTE -->|look| LOOK --> DONE([end])\n ROUTE -->|cancel| DO --> DONE';
const prompts =
  '### AUTH\n\n```yaml\ntools: [find_user]\n```\n\n### LOOK\n\n```yaml\ntools: [get_order]\n```\n\n### DO\n\n```yaml\ntools: [get_order, cancel_order]\n```\n';
const sop = (gate: string) =>
  sopWith(flowchart, {
    frontmatter: `agent: shop\ngate: ${gate}\nalways_allowed: [calculate]\nmcp_servers:\n  - {name: shop, url: 'https://shop.example/mcp'}\n  - {name: down, url: 'https://down.example/mcp'}\ntools: [find_user, get_order, cancel_order, calculate]`,
    prompts,
  });

/** A real MCP server with the shop's tools; remembers what reached it. */
async function createShop() {
  const calls: string[] = [];
  const tool = (name: string, annotations: ToolAnnotations = annotate.read) =>
    defineTool({
      name,
      title: name,
      description: `${name} of the shop`,
      input: z.strictObject({ order_id: z.string() }),
      annotations,
      scopes: [],
      run({ order_id: id }) {
        calls.push(`${name} ${id}`);
        if (id === 'broken') throw new ToolError('NO_ORDER', 'There is no such order');
        return { order_id: id };
      },
    });
  const tools = [
    tool('find_user'),
    tool('get_order'),
    tool('cancel_order', annotate.remove),
    tool('calculate'),
    tool('delete_everything', annotate.remove),
  ];
  const toolset = defineToolset({ name: 'shop', title: 'Shop', instructions: '', tools });
  const caller = { user: { id: 'waymark', scopes: 'all' as const } };
  const connect = async ({ name }: McpServer) => {
    if (name === 'down') throw new Error('connection refused');
    return upstreamOf(await connectInProcess(createCatalog([toolset]), createHost(), caller));
  };
  return { calls, connect };
}

async function openShop(gate: string) {
  const shop = await createShop();
  const { directory } = await createWorkplace({ 'shop.md': sop(gate) });
  const dataDirectory = join(directory, 'data');
  const workplace = await createWorkplace(
    {},
    { dataDirectory, sops: [join(directory, 'shop.md')], connectUpstream: shop.connect },
  );
  const { call, client } = await workplace.connect({ session: undefined });
  const { data } = await call('load_graph', { sop_file: 'shop' });
  const id = data['conversation_id'] as string;
  const goto = (...nodes: string[]) =>
    call('goto_node', { node_id: nodes.at(-1), node_ids: nodes, conversation_id: id });
  const use = (tool: string, order = 'o1') => call(tool, { order_id: order, conversation_id: id });
  return { ...shop, workplace, call, client, id, goto, use };
}

test('the tools are listed with a conversation_id, the same for every conversation', async () => {
  const { client, goto } = await openShop('enforce');
  const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
  const before = await names();
  await goto('START', 'AUTH');
  expect(await names()).toEqual(before);
  expect(before).toEqual(expect.arrayContaining(['find_user', 'get_order', 'cancel_order', 'calculate']));
  const { tools } = await client.listTools();
  expect(tools.find((tool) => tool.name === 'cancel_order')).toMatchObject({
    inputSchema: {
      properties: { order_id: { type: 'string' }, conversation_id: { type: 'string' } },
      required: ['order_id'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
  });
});

test('a tool works at the nodes that list it and is refused elsewhere, with the way there', async () => {
  const { calls, goto, use } = await openShop('enforce');
  await goto('START', 'AUTH', 'ROUTE');
  const refused = await use('cancel_order');
  expect(refused.isError).toBe(true);
  expect(refused.data).toEqual({
    valid: false,
    error: 'cancel_order may not be used at ROUTE. It may be used at DO.',
    current_node: 'ROUTE',
    allowed_at: ['DO'],
    route: ['DO'],
  });
  await goto('LOOK');
  expect((await use('cancel_order')).data).toMatchObject({ current_node: 'LOOK', route: ['ROUTE', 'DO'] });
  expect(await use('get_order')).toMatchObject({ isError: false, data: { order_id: 'o1' } });
  await goto('ROUTE', 'DO');
  expect(await use('cancel_order')).toMatchObject({ isError: false, data: { order_id: 'o1' } });
  expect(calls).toEqual(['get_order o1', 'cancel_order o1']);
});

test('before the first move and without a loaded procedure nothing works but what is always allowed', async () => {
  const { calls, call, use, workplace } = await openShop('enforce');
  expect((await use('find_user')).data).toMatchObject({ current_node: null, route: ['START', 'AUTH'] });
  expect((await use('delete_everything')).data).toMatchObject({
    error: expect.stringContaining('No node of this procedure lists it'),
  });
  expect(await use('calculate')).toMatchObject({ isError: false });
  expect((await call('get_order', { order_id: 'o1' })).data).toMatchObject({ code: 'CONVERSATION_REQUIRED' });
  const { call: other } = await workplace.connect({ user: 'other', session: 's' });
  expect((await other('calculate', { order_id: 'o1' })).data).toMatchObject({
    valid: false,
    error: expect.stringContaining('Graph not loaded'),
  });
  expect(calls).toEqual(['calculate o1']);
});

test('one conversation opens nothing for another', async () => {
  const { call, goto, use } = await openShop('enforce');
  await goto('START', 'AUTH', 'ROUTE', 'DO');
  const { data } = await call('load_graph', { sop_file: 'shop', conversation_id: 'new' });
  const refused = await call('cancel_order', { order_id: 'o2', conversation_id: data['conversation_id'] });
  expect(refused).toMatchObject({ isError: true, data: { current_node: null } });
  expect((await use('cancel_order')).isError).toBe(false);
});

test('warn lets everything through and says so; both are recorded', async () => {
  const { calls, call, goto, use, id } = await openShop('warn');
  await goto('START', 'AUTH', 'ROUTE');
  const result = await use('cancel_order');
  expect(result).toMatchObject({ isError: false, data: { order_id: 'o1' } });
  expect(calls).toEqual(['cancel_order o1']);
  const { data } = await call('replay_conversation', { conversation_id: id });
  expect(data['records']).toContainEqual(
    expect.objectContaining({ type: 'tool', name: 'cancel_order', node: 'ROUTE', verdict: 'warned' }),
  );
});

test('off lists no tools of the procedure', async () => {
  const { client } = await openShop('off');
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  expect(names).not.toContain('cancel_order');
});

test('a refusal of the server itself comes through as it is', async () => {
  const { goto, use } = await openShop('enforce');
  await goto('START', 'AUTH');
  expect(await use('find_user', 'broken')).toMatchObject({
    isError: true,
    data: { error: 'NO_ORDER', message: 'There is no such order' },
  });
});
