// A downstream MCP server with a quick, a slow and a talkative tool.
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const items = Array.from({ length: 5000 }, (_, id) => ({
  id,
  name: `item ${id}`,
  tags: ['one', 'two'],
  text: 'x'.repeat(90),
}));
const tools = {
  add: ({ a, b }) => ({ sum: a + b }),
  slow: ({ id }) => new Promise((resolve) => setTimeout(() => resolve({ id }), 50)),
  large: () => ({ items }),
};

const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({
  tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
}));
server.setRequestHandler('tools/call', async ({ params }) => {
  const structuredContent = await tools[params.name](params.arguments ?? {});
  return {
    content: [{ type: 'text', text: params.name === 'large' ? 'large' : JSON.stringify(structuredContent) }],
    structuredContent,
  };
});
await server.connect(new StdioServerTransport());
