import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createCatalog, createMcpServer, type Host, type Selection, type Toolset, type User } from '../kit/index.ts';

export interface StdioOptions {
  readonly toolsets: readonly Toolset[];
  readonly host: Host;
  readonly selection: Selection;
  readonly user: User;
  /** The conversation of this process, for tools that keep a position. */
  readonly conversation: string;
}

/** Serves the toolsets on stdin and stdout until the client closes its end. */
export function startStdio(options: StdioOptions): { close(): Promise<void> } {
  const catalog = createCatalog(options.toolsets, options.selection);
  const caller = { user: options.user, conversation: options.conversation };
  const live = new Set<ReturnType<typeof createMcpServer>>();
  for (const toolset of options.toolsets) {
    toolset.onChange?.(() => {
      for (const server of live) server.sendToolListChanged().catch(() => live.delete(server));
    });
  }
  return serveStdio(
    () => {
      const server = createMcpServer(catalog, options.host, caller);
      live.add(server);
      return server;
    },
    { onerror: (error) => options.host.log.debug('stdio', { reason: error.message }) },
  );
}
