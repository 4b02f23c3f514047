import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkplace, sopWith } from './sop.test-helpers.ts';

const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const sdk = (path: string) => JSON.stringify(import.meta.resolve(path));

/** A server of its own process with one tool, as an SOP would name it. */
const shop = `
import { McpServer } from ${sdk('@modelcontextprotocol/server')};
import { serveStdio } from ${sdk('@modelcontextprotocol/server/stdio')};
import { z } from ${sdk('zod')};
serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1' });
  server.registerTool('cancel_order', { inputSchema: z.object({ id: z.string() }) }, async ({ id }) => ({
    content: [{ type: 'text', text: 'cancelled ' + id + ' in ' + process.pid }],
  }));
  return server;
});
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a procedure named by the operator is loaded by its agent, and its server is started, gated and ended', async () => {
  const { directory, write } = await createWorkplace({ 'shop.mjs': shop });
  const script = join(directory, 'shop.mjs');
  const frontmatter = `agent: shop\ngate: enforce\nmcp_servers: [{ name: shop, command: ${process.execPath}, args: [${script}] }]`;
  const flowchart = 'flowchart TD\n START --> DO --> DONE([end])';
  await write(
    'shop.md',
    sopWith(flowchart, { frontmatter, prompts: '### DO\n\n```yaml\ntools: [cancel_order]\n```\n' }),
  );
  const { directory: elsewhere } = await createWorkplace();
  const args = [
    waymark,
    'mcp',
    'sop',
    '--data',
    join(elsewhere, 'data'),
    '--root',
    elsewhere,
    '--sop',
    join(directory, 'shop.md'),
  ];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });

  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('cancel_order');
  expect((await call('load_graph', { sop_file: 'shop' })).structuredContent).toMatchObject({ agent: 'shop' });
  const refused = await call('cancel_order', { id: '7' });
  expect(refused).toMatchObject({ isError: true, structuredContent: { allowed_at: ['DO'], route: ['START', 'DO'] } });
  await call('goto_node', { node_ids: ['START', 'DO'] });
  const done = await call('cancel_order', { id: '7' });
  const [, pid] = /cancelled 7 in (\d+)/.exec(JSON.stringify(done.content)) ?? [];
  expect(isAlive(Number(pid))).toBe(true);

  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await client.close();
  await ended;
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});
