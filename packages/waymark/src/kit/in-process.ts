import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import type { Catalog } from './catalog.ts';
import type { Host } from './host.ts';
import { type Caller, createMcpServer } from './mcp-server.ts';

/** An MCP client linked to the catalog inside this process: the same code path as over a wire, without one. */
export async function connectInProcess(
  catalog: Catalog,
  host: Host,
  caller: Caller,
  options: ClientOptions = {},
): Promise<Client> {
  const { Client: McpClient, InMemoryTransport } = await import('@modelcontextprotocol/client');
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(catalog, host, caller);
  const client = new McpClient({ name: `${host.info.name}-in-process`, version: host.info.version }, options);
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}
