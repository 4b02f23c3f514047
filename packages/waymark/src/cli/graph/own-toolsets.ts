import { resolve } from 'node:path';
import { connectInProcess, createCatalog, createHost, createRoots, silentLogger } from '../../kit/index.ts';
import type { ToolsetConnector } from '../../graph/connections/open-connection.ts';
import { createServices } from '../../server/services.ts';
import { isToolsetName, loadToolsets, toolsetNames } from '../../server/toolsets.ts';
import { version } from '../../server/version.ts';

/** Waymark's own toolsets for graphs run from the command line, on the data directory of this place. */
export async function openOwnToolsets(): Promise<{ connect: ToolsetConnector; close(): Promise<void> }> {
  const services = createServices({
    dataDirectory: resolve(process.env['WAYMARK_DATA'] ?? '.waymark'),
    databaseUrl: process.env['DATABASE_URL'],
    roots: await createRoots([process.cwd()]),
    log: silentLogger,
  });
  const host = createHost({ info: { name: 'waymark', version } });
  return {
    async connect(name, user, options) {
      if (!isToolsetName(name)) throw new Error(`There is no toolset "${name}"; there are ${toolsetNames.join(', ')}`);
      const toolsets = await loadToolsets([name], services);
      return connectInProcess(createCatalog(toolsets), host, { user }, options);
    },
    close: () => services.close(),
  };
}
