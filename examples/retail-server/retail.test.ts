import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSopSession, type SopSession } from '../../packages/waymark/src/cli/sop-session.ts';

const file = fileURLToPath(new URL('retail.md', import.meta.url));
let data: string;
let session: SopSession | undefined;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'waymark-retail-'));
});
afterEach(async () => {
  await session?.close();
  session = undefined;
  await rm(data, { recursive: true, force: true });
});

async function talk(...messages: readonly string[]) {
  session ??= await openSopSession(file, { user: 'local', model: 'offline', data, conversation: 'c' });
  const turns = [];
  for (const message of messages) turns.push(await session.say(message));
  return turns;
}

const toolsOf = (turn: { calls: readonly { tool: string }[] } | undefined) =>
  turn?.calls.map(({ tool }) => tool).filter((tool) => tool !== 'goto_node' && tool !== 'todo');

describe('the corner shop, by rules alone', () => {
  test('cancels an order after a yes, and only then', async () => {
    const [, found, held, done] = await talk(
      'I want to cancel my order W1001',
      'nora.lind@example.com is my email',
      'no longer needed',
      'yes',
    );
    expect(found?.reply).toContain('status: pending');
    expect(held?.reply).toBe(
      'I am about to cancel pending order (order id: W1001; reason: no longer needed). Shall I go ahead?',
    );
    expect(toolsOf(held)).toEqual([]);
    expect(toolsOf(done)).toEqual(['cancel_pending_order']);
    expect(done?.reply).toContain('84 dollars to your credit card');
    expect(done?.node).toBe('END_CANCEL');
  });

  test('keeps to the procedure: a delivered order is not cancelled', async () => {
    const turns = await talk('cancel order W1002', 'by email', 'nora.lind@example.com');
    expect(turns.at(-1)).toMatchObject({ node: 'DENY_CANCEL' });
    expect(turns.at(-1)?.reply).toContain('Only pending orders can be cancelled');
  });

  test('does nothing on a no, and goes on with the next request', async () => {
    const turns = await talk(
      'return my order W1002',
      'email nora.lind@example.com',
      'gift card',
      'no',
      'see my profile',
    );
    expect(turns[3]?.reply).toContain('have not done that');
    expect(turns.flatMap((turn) => toolsOf(turn))).not.toContain('return_delivered_order_items');
    expect(turns[4]?.reply).toContain('Harbor Street');
  });

  test('asks for a new address although it knows the old one', async () => {
    const turns = await talk(
      'see my profile',
      'email: nora.lind@example.com',
      'change my address',
      '12 Elm Road, Salem',
      'yes',
    );
    expect(turns[2]?.reply).toBe('What is the address?');
    expect(turns[3]?.reply).toContain('address: 12 Elm Road, Salem');
    expect(toolsOf(turns[4])).toEqual(['modify_user_address']);
  });

  test('asks again after a wrong email, and lists the choices where words do not decide', async () => {
    const turns = await talk('hello', '1', 'nobody@example.com', 'tom.okafor@example.com');
    expect(turns[2]?.reply).toBe('There is no customer with that email.\nWhat is the email?');
    expect(turns[3]?.reply).toContain('1. cancel an order');
  });

  test("does not show somebody else's order", async () => {
    const turns = await talk('cancel order W1003', 'email nora.lind@example.com');
    expect(turns.at(-1)?.reply).toContain('You have no order with that number');
  });

  test('goes on where it stood after a restart, confirmation included', async () => {
    await talk('I want to cancel my order W1001', 'email nora.lind@example.com', 'ordered by mistake');
    await session?.close();
    session = undefined;
    const [done] = await talk('yes');
    expect(toolsOf(done)).toEqual(['cancel_pending_order']);
    expect(done?.node).toBe('END_CANCEL');
  });
});
