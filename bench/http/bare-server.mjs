// The SDK alone behind node:http: low-level server with one echo tool, or the high-level server with
// the tools of a running Waymark, given as JSON in TOOLS.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { z } from '../../node_modules/zod/index.js';

const tools = process.env.TOOLS ? JSON.parse(process.env.TOOLS) : undefined;
const handle = toNodeHandler(createMcpHandler(tools ? highLevel : lowLevel));
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => void handle(request, response, JSON.parse(body)));
});
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`));

function lowLevel() {
  const mcp = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  mcp.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema }] }));
  mcp.setRequestHandler('tools/call', ({ params }) => {
    const { text } = z.object({ text: z.string() }).parse(params.arguments);
    return { content: [{ type: 'text', text: JSON.stringify({ text }) }], structuredContent: { text } };
  });
  return mcp;
}

function highLevel() {
  const mcp = new McpServer({ name: 'high-level', version: '1' });
  for (const { name, description, fields } of tools) {
    const inputSchema = z.object(
      Object.fromEntries(fields.map((field) => [field.name, z.string().optional().describe(field.description)])),
    );
    mcp.registerTool(name, { description, inputSchema }, () => ({ content: [] }));
  }
  return mcp;
}
