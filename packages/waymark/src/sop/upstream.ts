import type { CallToolResult, Client, Tool as ListedTool } from '@modelcontextprotocol/client';
import type { McpServer } from './model.ts';

/** A server that has the procedure's tools. */
export interface Upstream {
  listTools(): Promise<ListedTool[]>;
  callTool(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
  close(): Promise<void>;
}

export type ConnectUpstream = (server: McpServer) => Promise<Upstream>;

const connectTimeout = 15_000;

/** Connects to a server named in an SOP file that the operator chose; never to one an agent chose. */
export const connectUpstream: ConnectUpstream = async (server) => {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'waymark-sop', version: '1.0.0' });
  await client.connect(await transportTo(server), { timeout: connectTimeout });
  return upstreamOf(client);
};

export function upstreamOf(client: Client): Upstream {
  return {
    async listTools() {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    callTool: (name, args, signal) => client.callTool({ name, arguments: args }, { signal }) as Promise<CallToolResult>,
    close: () => client.close(),
  };
}

async function transportTo({ name, url, command, args, env }: McpServer) {
  if (command !== undefined) {
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    // Without a shell, and with only the few variables the SDK passes on besides those the file names.
    return new StdioClientTransport({
      command,
      args: [...(args ?? [])],
      ...(env ? { env: { ...env } } : {}),
      stderr: 'ignore',
    });
  }
  if (url === undefined) throw new Error(`the server ${name} has neither a url nor a command`);
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const address = new URL(url);
  return address.pathname.endsWith('/sse')
    ? new SSEClientTransport(address)
    : new StreamableHTTPClientTransport(address);
}
