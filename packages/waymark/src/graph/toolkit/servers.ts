import { nearest, ToolError } from '../../kit/index.ts';
import type { ServerDefinition } from '../model.ts';
import type { GraphFile } from './graph-file.ts';
import type { ToolkitServices } from './services.ts';

export function serversOf(file: GraphFile, { hasMcpFile }: ToolkitServices): ServerDefinition[] {
  if (!hasMcpFile) throw new ToolError('NO_MCP_FILE', 'MCP file not provided (use -m/--mcp to name one)');
  return [...file.document.servers.values()];
}

export function findServer(file: GraphFile, services: ToolkitServices, name: string): ServerDefinition {
  const servers = serversOf(file, services);
  return (
    servers.find((server) => server.name === name) ??
    missingServer(
      name,
      servers.map((server) => server.name),
    )
  );
}

export function missingServer(name: string, names: readonly string[]): never {
  const suggestion = nearest(name, names);
  const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
  throw new ToolError('SERVER_NOT_FOUND', `Server "${name}" not found${hint}`, { servers: names });
}

export function unavailable(error: unknown): never {
  throw new ToolError('SERVER_UNAVAILABLE', error instanceof Error ? error.message : String(error));
}

export async function listServerTools(
  file: GraphFile,
  services: ToolkitServices,
  serverName: string | undefined,
  signal: AbortSignal,
) {
  const servers = serverName === undefined ? serversOf(file, services) : [findServer(file, services, serverName)];
  const listed = await Promise.all(
    servers.map(async (server) => {
      try {
        const tools = await services.caller.listTools(server, signal);
        return { items: tools.map(({ name, description = '' }) => ({ name, description, server: server.name })) };
      } catch (error) {
        return {
          unavailable: { server: server.name, message: error instanceof Error ? error.message : String(error) },
        };
      }
    }),
  );
  const failed = listed.flatMap((one) => (one.unavailable ? [one.unavailable] : []));
  const [first] = failed;
  if (serverName !== undefined && first) throw new ToolError('SERVER_UNAVAILABLE', first.message);
  return {
    items: listed.flatMap((one) => one.items ?? []),
    ...(failed.length > 0 ? { unavailable: failed } : {}),
  };
}
