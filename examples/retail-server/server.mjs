// A small shop as an MCP server on stdin and stdout, with data of its own. The procedure in
// retail.md tells an agent how to use it:  waymark sop chat examples/retail-server/retail.md
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const initial = new URL('shop.json', import.meta.url);
const stateFile = process.env.RETAIL_STATE;
const shop = JSON.parse(readFileSync(stateFile && existsSync(stateFile) ? stateFile : initial, 'utf8'));

const orderId = z
  .string()
  .regex(/^#?W\d{4}$/)
  .describe('Order number, such as W1001');
const read = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const write = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

function answer(data) {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

function refuse(code, message) {
  return { ...answer({ error: true, code, message }), isError: true };
}

function save() {
  if (stateFile) writeFileSync(stateFile, JSON.stringify(shop, null, 2));
}

const findOrder = (id) => shop.orders.find((order) => order.order_id === id.replace(/^#/, '').toUpperCase());
const findUser = (id) => shop.users.find((user) => user.user_id === id);

function createShop() {
  const server = new McpServer({ name: 'retail', version: '1.0.0' });

  server.registerTool(
    'find_user_id_by_email',
    { description: 'Finds a customer by email.', inputSchema: z.object({ email: z.email() }), annotations: read },
    ({ email }) => {
      const user = shop.users.find((one) => one.email === email.toLowerCase());
      return user
        ? answer({ user_id: user.user_id, name: user.name })
        : refuse('NOT_FOUND', 'There is no customer with that email.');
    },
  );

  server.registerTool(
    'find_user_id_by_name_zip',
    {
      description: 'Finds a customer by name and zip code.',
      inputSchema: z.object({ full_name: z.string(), zip: z.string().regex(/^\d{5}$/) }),
      annotations: read,
    },
    ({ full_name, zip }) => {
      const user = shop.users.find((one) => one.name.toLowerCase() === full_name.toLowerCase() && one.zip === zip);
      return user
        ? answer({ user_id: user.user_id, name: user.name })
        : refuse('NOT_FOUND', 'There is no customer with that name and zip code.');
    },
  );

  server.registerTool(
    'get_order_details',
    {
      description: 'Status, items and total of an order.',
      inputSchema: z.object({ user_id: z.string(), order_id: orderId }),
      annotations: read,
    },
    ({ user_id, order_id }) => {
      const order = findOrder(order_id);
      if (!order || order.user_id !== user_id) return refuse('NOT_FOUND', 'You have no order with that number.');
      const { items, ...rest } = order;
      return answer({ ...rest, items: items.map((item) => item.name).join(' and ') });
    },
  );

  server.registerTool(
    'get_user_details',
    { description: 'Profile of a customer.', inputSchema: z.object({ user_id: z.string() }), annotations: read },
    ({ user_id }) => {
      const user = findUser(user_id);
      if (!user) return refuse('NOT_FOUND', 'There is no such customer.');
      const orders = shop.orders.filter((order) => order.user_id === user_id).map((order) => order.order_id);
      return answer({ name: user.name, address: user.address, orders: orders.join(', ') });
    },
  );

  server.registerTool(
    'cancel_pending_order',
    {
      description: 'Cancels a pending order and refunds it.',
      inputSchema: z.object({ order_id: orderId, reason: z.enum(['no longer needed', 'ordered by mistake']) }),
      annotations: write,
    },
    ({ order_id, reason }) => {
      const order = findOrder(order_id);
      if (!order) return refuse('NOT_FOUND', 'There is no such order.');
      if (order.status !== 'pending') return refuse('NOT_PENDING', 'Only pending orders can be cancelled.');
      Object.assign(order, { status: 'cancelled', cancel_reason: reason });
      save();
      return answer({ status: 'cancelled', refund: `${order.total} dollars to your ${order.payment}` });
    },
  );

  server.registerTool(
    'return_delivered_order_items',
    {
      description: 'Takes delivered items back.',
      inputSchema: z.object({ order_id: orderId, refund_method: z.enum(['gift card', 'original payment']) }),
      annotations: write,
    },
    ({ order_id, refund_method }) => {
      const order = findOrder(order_id);
      if (!order) return refuse('NOT_FOUND', 'There is no such order.');
      if (order.status !== 'delivered') return refuse('NOT_DELIVERED', 'Only delivered orders can be returned.');
      Object.assign(order, { status: 'return requested', refund_method });
      save();
      return answer({ status: 'return requested', refund: `${order.total} dollars to your ${refund_method}` });
    },
  );

  server.registerTool(
    'modify_user_address',
    {
      description: 'Changes the default address.',
      inputSchema: z.object({ user_id: z.string(), address: z.string().min(5) }),
      annotations: write,
    },
    ({ user_id, address }) => {
      const user = findUser(user_id);
      if (!user) return refuse('NOT_FOUND', 'There is no such customer.');
      user.address = address;
      save();
      return answer({ address });
    },
  );
  return server;
}

serveStdio(createShop);
