import type { ToolsetConnector } from '../graph/connections/open-connection.ts';
import { connectInProcess, createCatalog, createHost, nearest, type Selection, type Toolset } from '../kit/index.ts';
import { isToolsetName, loadToolsets, toolsetNames, type ToolsetServices } from './toolsets.ts';
import { version } from './version.ts';

/** How graphs reach Waymark's own toolsets: in process, as any client would, within the operator's selection. */
export function connectOwnToolset(services: ToolsetServices, selection: Selection): ToolsetConnector {
  const loaded = new Map<string, Promise<Toolset[]>>();
  const host = createHost({ info: { name: 'waymark', version } });
  return async (name, user, options) => {
    const served = toolsetNames.filter((known) => selection.toolsets?.includes(known) ?? true);
    if (!isToolsetName(name) || !served.includes(name)) {
      const suggestion = nearest(name, served);
      const hint = suggestion ? `did you mean "${suggestion}"?` : `there are ${served.join(', ')}`;
      throw new Error(`there is no toolset "${name}" here; ${hint}`);
    }
    const toolsets = loaded.get(name) ?? loadToolsets([name], services);
    loaded.set(name, toolsets);
    return connectInProcess(createCatalog(await toolsets, selection), host, { user }, options);
  };
}
