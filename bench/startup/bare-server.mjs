import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from '../../node_modules/zod/index.js';

/** The least a stdio server can be: the SDK, one tool. */
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
});
