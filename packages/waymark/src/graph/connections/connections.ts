import type { Implementation } from '@modelcontextprotocol/client';
import type { User } from '../../kit/index.ts';
import { defaultLimits, type ServerDefinition } from '../model.ts';
import type { Fetch } from './bounded-fetch.ts';
import type { ToolCaller } from './connection.ts';
import type { ToolsetConnector } from './open-connection.ts';
import type { SharedConnection } from './shared-connection.ts';

export interface ConnectionsOptions {
  readonly clientInfo?: Implementation;
  /** How HTTP servers are reached; a server open to others passes one that refuses private addresses. */
  readonly fetch?: Fetch;
  /** Gives access to `waymark:<toolset>`. */
  readonly connectToolset?: ToolsetConnector | undefined;
  /** The largest message a downstream server may send. */
  readonly maxResponseBytes?: number;
  /** How long a server may take to start; `npx` may have to download it first. */
  readonly startTimeoutMs?: number;
}

const localUser: User = { id: 'local', scopes: 'all' };
const maxInProcess = 256;

export interface Connections extends ToolCaller {
  /** Ends the connections to servers that nobody names any more, when their last call is answered. */
  retain(servers: Iterable<ServerDefinition>): void;
}

/** The connections of one process to downstream MCP servers. Nothing is loaded or started before the first call. */
export function createConnections(options: ConnectionsOptions = {}): Connections {
  const connections = new Map<string, SharedConnection>();
  const openOptions = {
    clientInfo: options.clientInfo ?? { name: 'waymark-graph', version: '1.0.0' },
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    maxResponseBytes: options.maxResponseBytes ?? defaultLimits.maxPayloadBytes,
    startTimeoutMs: options.startTimeoutMs ?? 60_000,
    connectToolset: options.connectToolset,
  };
  let closed = false;

  async function connectionTo(server: ServerDefinition, user: User): Promise<SharedConnection> {
    const key = server.type === 'waymark' ? `${server.key}\n${identityOf(user)}` : server.key;
    const known = connections.get(key);
    if (known) return known;
    const module = await import('./shared-connection.ts');
    const madeMeanwhile = connections.get(key);
    if (madeMeanwhile) return madeMeanwhile;
    if (closed) throw new Error('The connections are closed');
    const connection = new module.SharedConnection(server, user, openOptions);
    connections.set(key, connection);
    if (server.type === 'waymark') letGoOfIdle();
    return connection;
  }

  /** In-process connections exist per person, so their number has to be bounded. */
  function letGoOfIdle(): void {
    for (const [key, connection] of connections) {
      if (connections.size <= maxInProcess) return;
      if (!key.includes('\n') || !connection.idle) continue;
      connections.delete(key);
      void connection.close();
    }
  }

  return {
    async call(server, tool, args, callOptions) {
      const connection = await connectionTo(server, callOptions.user ?? localUser);
      return connection.call(tool, args, callOptions);
    },
    async listTools(server, signal) {
      const connection = await connectionTo(server, localUser);
      return connection.listTools(signal);
    },
    retain(servers) {
      const named = new Set(Array.from(servers, ({ key }) => key));
      for (const [key, connection] of connections) {
        if (key.includes('\n') || named.has(key)) continue;
        connections.delete(key);
        connection.retire();
      }
    },
    async close() {
      closed = true;
      await Promise.all(Array.from(connections.values(), (connection) => connection.close()));
      connections.clear();
    },
  };
}

function identityOf({ id, scopes }: User): string {
  return JSON.stringify([id, scopes === 'all' ? 'all' : [...scopes].sort()]);
}
