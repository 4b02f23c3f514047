import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How each client spells "start this program" and "connect to this address". */
const clients = {
  claude: { file: 'claude_desktop_config.json', render: mcpServers },
  'claude-code': { file: '.mcp.json', render: mcpServers },
  cursor: { file: '.cursor/mcp.json', render: mcpServers },
  windsurf: { file: 'mcp_config.json', render: mcpServers },
  gemini: { file: '.gemini/settings.json', render: mcpServers },
  vscode: { file: '.vscode/mcp.json', render: (server: ServerEntry) => json({ servers: { waymark: typed(server) } }) },
  zed: { file: 'settings.json', render: (server: ServerEntry) => json({ context_servers: { waymark: server } }) },
  codex: { file: '~/.codex/config.toml', render: toml },
} as const;

export const clientNames = Object.keys(clients);

type ServerEntry = { command: string; args: string[] } | { url: string };

export interface ClientConfigOptions {
  readonly client: string;
  readonly url?: string;
  readonly toolsets?: readonly string[];
  readonly data: string;
  readonly root: readonly string[];
}

/** Clients start programs from a directory of their own choosing, so every path is written out. */
export function renderClientConfig(options: ClientConfigOptions): string {
  const client = clients[options.client as keyof typeof clients];
  if (options.url) return client.render({ url: options.url });
  const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
  const roots = options.root.map((root) => resolve(root));
  const args = [program, 'mcp', ...(options.toolsets ?? []), '--data', resolve(options.data), '--root', ...roots];
  return client.render({ command: process.execPath, args });
}

/** Where the client keeps it, for the hint beside the snippet. */
export function configFileOf(client: string): string {
  return clients[client as keyof typeof clients].file;
}

function typed(server: ServerEntry): Record<string, unknown> {
  return { type: 'url' in server ? 'http' : 'stdio', ...server };
}

function mcpServers(server: ServerEntry): string {
  return json({ mcpServers: { waymark: 'url' in server ? typed(server) : server } });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toml(server: ServerEntry): string {
  const lines = Object.entries(server).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[mcp_servers.waymark]\n${lines.join('\n')}\n`;
}
