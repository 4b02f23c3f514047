import { fileURLToPath } from 'node:url';
import { dirname } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  createRoots,
  silentLogger,
} from '../../kit/index.ts';
import { createSopToolset } from '../../sop/index.ts';
import type { Store } from '../../store/index.ts';
import { emptyStore, openTestStore } from '../../store/store.test-helpers.ts';
import { scriptedModel } from '../agent.test-helpers.ts';
import { edgeByFacts, pickOption } from './choose.ts';
import { SopAgent } from './sop-agent.ts';
import { openToolServer, type ToolServer } from './sop-tools.ts';

const file = fileURLToPath(new URL('../../../../../examples/retail-server/retail.md', import.meta.url));
const user = { id: 'local', scopes: 'all' as const };
let store: Store;
let sop: Client;
let server: ToolServer;

beforeAll(async () => {
  store = await openTestStore();
  const toolset = await createSopToolset({ roots: await createRoots([dirname(file)]), events: createEvents() });
  sop = await connectInProcess(createCatalog([toolset]), createHost(), { user });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['server.mjs'], cwd: dirname(file) }),
  );
  server = await openToolServer(client);
});
beforeEach(() => emptyStore(store));
afterAll(async () => {
  await sop.close();
  await server.client.close();
  await store.close();
});

function agentOf(model: ReturnType<typeof scriptedModel>): SopAgent {
  const { randomId, clock } = createHost();
  return new SopAgent({
    store: () => Promise.resolve(store),
    sop,
    file,
    servers: [server],
    model,
    randomId,
    clock,
    log: silentLogger,
  });
}

const toolNames = (step: { tools: readonly { name: string }[] } | undefined) => step?.tools.map(({ name }) => name);
const goto = (node: string) => ({ call: 'goto_node', with: { node_id: node } });

describe('a language model on an SOP', () => {
  test('sees only the tools of the node it stands on', async () => {
    const model = scriptedModel(
      goto('START'),
      goto('AUTH'),
      { call: 'find_user_id_by_email', with: { email: 'nora.lind@example.com' } },
      goto('ROUTE'),
      goto('CHK_CANCEL'),
      'What is your order number?',
    );
    const turn = await agentOf(model).turn({ user, message: 'cancel my order', conversation: 'c' });
    expect(turn).toMatchObject({ reply: 'What is your order number?', node: 'CHK_CANCEL' });
    expect(toolNames(model.steps[0])).toEqual(['todo', 'goto_node']);
    expect(toolNames(model.steps[2])).toEqual([
      'todo',
      'goto_node',
      'find_user_id_by_email',
      'find_user_id_by_name_zip',
    ]);
    expect(toolNames(model.steps[5])).toEqual(['todo', 'goto_node', 'get_order_details']);
    expect(model.steps[0]?.instructions).toContain('You help customers of a small shop');
    expect(JSON.stringify(model.steps[0]?.tools)).not.toContain('conversation_id');
  });

  test('cannot use a tool ahead of its node', async () => {
    const model = scriptedModel(goto('START'), {
      call: 'cancel_pending_order',
      with: { order_id: 'W1001', reason: 'no longer needed' },
    });
    const turn = await agentOf(model).turn({ user, message: 'cancel it now', conversation: 'c' });
    expect(turn.calls.map(({ tool }) => tool)).toEqual(['goto_node']);
    expect(turn.reply).toContain('trouble');
  });

  test('is refused a move the flowchart does not have, and reads where it may go', async () => {
    const model = scriptedModel(goto('START'), goto('DO_CANCEL'), 'I must do this in order.');
    const turn = await agentOf(model).turn({ user, message: 'cancel', conversation: 'c' });
    expect(turn.calls.map(({ ok }) => ok)).toEqual([true, false]);
    expect(turn.node).toBe('START');
    expect(JSON.stringify(model.steps[2]?.items)).toContain('valid_next');
  });

  test('is held before it changes something, whatever it thinks', async () => {
    const walk = ['START', 'AUTH', 'ROUTE', 'COLLECT_ADDRESS', 'DO_ADDRESS'].map(goto);
    const model = scriptedModel(...walk, {
      call: 'modify_user_address',
      with: { user_id: 'nora_lind', address: '1 Elm Road' },
    });
    const held = await agentOf(model).turn({ user, message: 'move me', conversation: 'c' });
    expect(held.reply).toBe(
      'I am about to modify user address (user id: nora_lind; address: 1 Elm Road). Shall I go ahead?',
    );
    const done = await agentOf(scriptedModel('Your address is changed.')).turn({
      user,
      message: 'yes',
      conversation: 'c',
    });
    expect(done).toMatchObject({
      reply: 'Your address is changed.',
      calls: [{ tool: 'modify_user_address', ok: true }],
    });
  });
});

describe('choosing a branch', () => {
  const edges = [
    { to: 'A', condition: 'yes' },
    { to: 'B', condition: 'no' },
  ];

  test.each([
    ['status == pending?', { status: 'pending' }, 'A'],
    ['status == pending?', { status: 'delivered' }, 'B'],
    ['gift card balance >= amount?', { gift_card_balance: 20, amount: 30 }, 'B'],
    ['order status is not cancelled', { orderStatus: 'pending' }, 'A'],
    ['status == pending?', {}, undefined],
    ['Is the customer happy?', { status: 'pending' }, undefined],
  ])('%s', (description, facts, to) => {
    expect(edgeByFacts({ description, edges }, facts)?.to).toBe(to);
  });

  test.each([
    ['2', 'return an order'],
    ['the first one', 'cancel an order'],
    ['I would like to return something', 'return an order'],
    ['an order', undefined],
  ])('"%s" picks %s', (answer, label) => {
    expect(pickOption(answer, [{ label: 'cancel an order' }, { label: 'return an order' }])?.label).toBe(label);
  });
});
