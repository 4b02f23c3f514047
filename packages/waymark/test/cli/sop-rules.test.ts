import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServe, temporaryDirectory } from './waymark.test-helpers.ts';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const sdk = (path: string) => JSON.stringify(import.meta.resolve(path));

const procedure = (frontmatter: string) =>
  `---\n${frontmatter}\n---\n\n## SOP Flowchart\n\n\`\`\`mermaid\nflowchart TD\n START --> AUTH --> ROUTE{what?}\n ROUTE --> DONE([end])\n\`\`\`\n`;

const shop = `
import { McpServer } from ${sdk('@modelcontextprotocol/server')};
import { serveStdio } from ${sdk('@modelcontextprotocol/server/stdio')};
serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1' });
  server.registerTool('buy', {}, async () => ({ content: [{ type: 'text', text: 'bought' }] }));
  return server;
});
`;

let web: Server;
let url: string;
let directory: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  web = createServer((_request, response) => response.end(procedure('agent: fetched')));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(web.address() as { port: number }).port}/sop.md`;
  await writeFile(join(directory, 'shop.mjs'), shop);
  const server = `{ name: shop, command: ${process.execPath}, args: [${join(directory, 'shop.mjs')}] }`;
  await writeFile(join(directory, 'shop.md'), procedure(`agent: shop\nmcp_servers: [${server}]`));
});
afterAll(() => web.close());

type Call = (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call: Call = async (name, args = {}) =>
    (await client.callTool({ name, arguments: args })) as unknown as Record<string, unknown>;
  return { client, call };
}

async function onStdio(flags: readonly string[], work: (call: Call) => Promise<void>): Promise<void> {
  const data = await temporaryDirectory();
  const args = [program, 'mcp', 'sop', '--data', data, '--root', directory, ...flags];
  const { client, call } = await connected(new StdioClientTransport({ command: process.execPath, args }));
  try {
    await work(call);
  } finally {
    await client.close();
  }
}

/** A server whose `waymark.yaml` says `rules` about procedures. */
async function onServer(rules: string, flags: readonly string[], work: (call: Call) => Promise<void>): Promise<void> {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'waymark.yaml'), `roots: [${directory}]\ntoolsets: [sop]\nlogLevel: silent\n${rules}`);
  const { url: address, child, ended } = await startServe(flags, { cwd });
  const { client, call } = await connected(new StreamableHTTPClientTransport(new URL('/mcp/sop', address)));
  try {
    await work(call);
  } finally {
    await client.close();
    child.kill('SIGTERM');
    await ended;
  }
}

describe('procedures from URLs', () => {
  test.each([
    [[], { valid: false, code: 'URL_NOT_ALLOWED' }],
    [['--sop-urls', 'off'], { valid: false, code: 'URLS_NOT_ALLOWED' }],
    [['--sop-urls', 'loopback'], { agent: 'fetched' }],
  ])('with mcp %j', async (flags, answer) => {
    await onStdio(flags, async (call) => {
      expect((await call('load_graph', { sop_file: url }))['structuredContent']).toMatchObject(answer);
    });
  });

  test.each([
    ['', [], { valid: false, code: 'URL_NOT_ALLOWED' }],
    ['sop: { urls: off }', [], { valid: false, code: 'URLS_NOT_ALLOWED' }],
    ['sop: { urls: loopback }', [], { agent: 'fetched' }],
    ['sop: { urls: loopback }', ['--sop-urls', 'off'], { valid: false, code: 'URLS_NOT_ALLOWED' }],
  ])('with serve and %j, %j', async (rules, flags, answer) => {
    await onServer(rules, flags, async (call) => {
      expect((await call('load_graph', { sop_file: url }))['structuredContent']).toMatchObject(answer);
    });
  });
});

test('the operator sets the gate and the rules of moves for procedures that do not say', async () => {
  const file = join(directory, 'shop.md');
  const expectRules = async (call: Call) => {
    const { structuredContent } = await call('load_graph', { sop_file: 'shop', conversation_id: 'new' });
    const { conversation_id: id } = structuredContent as { conversation_id: string };
    expect(await call('buy', { conversation_id: id })).toMatchObject({ isError: true });
    const moved = await call('goto_node', { node_id: 'ROUTE', conversation_id: id });
    expect(moved['structuredContent']).toMatchObject({ valid: true, path: ['ROUTE'] });
  };
  await onStdio(['--sop', file, '--gate', 'enforce', '--navigation', 'spec'], expectRules);
  await onServer(`sops: [${file}]\nsop: { gate: enforce, navigation: spec }`, [], expectRules);
  await onServer(`sops: [${file}]\nsop: { gate: enforce, navigation: strict }`, ['--navigation', 'spec'], expectRules);
});
