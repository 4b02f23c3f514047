// A client built with the previous SDK: lists the tools, calls one, prints both as JSON.
// Usage: node v1-client.mjs http URL TOOL ARGUMENTS
//        node v1-client.mjs stdio COMMAND ARG… TOOL ARGUMENTS
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [kind, target, ...rest] = process.argv.slice(2);
const args = rest.pop() ?? '{}';
const name = rest.pop() ?? '';

const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(target ?? ''))
    : new StdioClientTransport({ command: target ?? '', args: rest, stderr: 'inherit' });
const client = new Client({ name: 'waymark-test-v1', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
const result = await client.callTool({ name, arguments: JSON.parse(args) });
process.stdout.write(`${JSON.stringify({ tools: tools.map((tool) => tool.name), result })}\n`);
await client.close();
