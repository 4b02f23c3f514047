import {
  Client,
  type ClientOptions,
  type Implementation,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { User } from '../../kit/index.ts';
import type { ServerDefinition } from '../model.ts';
import { boundedFetch, type Fetch } from './bounded-fetch.ts';
import { ToolCallFailure } from './connection.ts';
import { OutputTail } from './output-tail.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface OpenOptions {
  readonly clientInfo: Implementation;
  readonly fetch: Fetch;
  readonly maxResponseBytes: number;
  readonly startTimeoutMs: number;
  readonly connectToolset: ToolsetConnector | undefined;
}

/** An MCP client on one of Waymark's own toolsets, in this process, acting for the user. */
export type ToolsetConnector = (toolset: string, user: User, options: ClientOptions) => Promise<Client>;

/** A connected client with what is needed to explain its end. */
export interface OpenConnection {
  readonly client: Client;
  readonly stderr: OutputTail;
  /** How the server's process ended, where it has one and it has. */
  ending(): string | undefined;
}

const clientOptions: ClientOptions = { capabilities: { elicitation: { form: {}, url: {} } } };

export async function openConnection(
  server: ServerDefinition,
  user: User,
  options: OpenOptions,
  prepare: (client: Client) => void,
): Promise<OpenConnection> {
  const stderr = new OutputTail();
  if (server.type === 'waymark') {
    if (!options.connectToolset) {
      const message = `Waymark's own toolsets are not reachable here, so "${server.name}" cannot be used`;
      throw new ToolCallFailure('SERVER_UNAVAILABLE', message, { rpcCode: -32_000 });
    }
    const client = await options.connectToolset(server.toolset, user, clientOptions);
    prepare(client);
    return { client, stderr, ending: () => undefined };
  }
  // Asking a stdio server for its era costs an unknown request first, which some answer by exiting.
  const client = new Client(options.clientInfo, {
    ...clientOptions,
    versionNegotiation: { mode: server.type === 'http' ? 'auto' : 'legacy' },
  });
  prepare(client);
  const transport = createTransport(server, options, stderr);
  try {
    await client.connect(transport, { timeout: options.startTimeoutMs });
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    if (transport instanceof StdioTransport) throw new StartError(error, stderr.since(), transport.ending);
    throw error;
  }
  return { client, stderr, ending: () => (transport instanceof StdioTransport ? transport.ending : undefined) };
}

/** What a stdio server left behind when its start failed. */
export class StartError extends Error {
  readonly stderr: readonly string[];
  readonly ending: string | undefined;

  constructor(cause: unknown, stderr: readonly string[], ending: string | undefined) {
    super('the server did not start', { cause });
    this.stderr = stderr;
    this.ending = ending;
  }
}

function createTransport(
  server: Exclude<ServerDefinition, { type: 'waymark' }>,
  options: OpenOptions,
  stderr: OutputTail,
): Transport {
  const { maxResponseBytes } = options;
  if (server.type === 'stdio') {
    const { command, args, env, cwd } = server;
    return new StdioTransport({ command, args, env, cwd, maxResponseBytes, stderr });
  }
  const http = {
    fetch: boundedFetch(options.fetch, maxResponseBytes),
    requestInit: { headers: { ...server.headers } },
  };
  const url = new URL(server.url);
  if (server.type === 'http') return new StreamableHTTPClientTransport(url, http);
  const eventSourceFetch: Fetch = (target, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(server.headers)) headers.set(name, value);
    return http.fetch(target, { ...init, headers });
  };
  return new SSEClientTransport(url, { ...http, eventSourceInit: { fetch: eventSourceFetch } });
}
