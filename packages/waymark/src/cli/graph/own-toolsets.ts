import { resolve } from 'node:path';
import type { ToolsetConnector } from '../../graph/connections/open-connection.ts';
import type { Services } from '../../server/services.ts';

export interface OwnToolsets {
  readonly connect: ToolsetConnector;
  close(): Promise<void>;
}

/** Waymark's own toolsets for graphs of the command line, on the data directory of this place. Nothing is loaded before it is used. */
export function ownToolsets(dataDirectory?: string): OwnToolsets {
  let services: Promise<Services> | undefined;
  return {
    async connect(name, user, options) {
      services ??= openServices(dataDirectory);
      const [
        { connectInProcess, createCatalog, createHost },
        { isToolsetName, loadToolsets, toolsetNames },
        { version },
      ] = await Promise.all([
        import('../../kit/index.ts'),
        import('../../server/toolsets.ts'),
        import('../../server/version.ts'),
      ]);
      if (!isToolsetName(name)) throw new Error(`There is no toolset "${name}"; there are ${toolsetNames.join(', ')}`);
      const toolsets = await loadToolsets([name], await services);
      const host = createHost({ info: { name: 'waymark', version } });
      return connectInProcess(createCatalog(toolsets), host, { user }, options);
    },
    async close() {
      await (await services)?.close();
    },
  };
}

async function openServices(dataDirectory = process.env['WAYMARK_DATA'] ?? '.waymark'): Promise<Services> {
  const [{ createRoots, silentLogger }, { createServices }] = await Promise.all([
    import('../../kit/index.ts'),
    import('../../server/services.ts'),
  ]);
  return createServices({
    dataDirectory: resolve(dataDirectory),
    databaseUrl: process.env['DATABASE_URL'],
    roots: await createRoots([process.cwd()]),
    log: silentLogger,
  });
}
