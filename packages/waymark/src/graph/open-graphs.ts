import { type Events, silentLogger } from '../kit/index.ts';
import type { Store } from '../store/store.ts';
import type { ToolCaller } from './connections/connection.ts';
import { type ConnectionsOptions, createConnections } from './connections/connections.ts';
import { guardedFetch } from './connections/guarded-fetch.ts';
import { createInlineEngine } from './inline/engine.ts';
import { type GraphLibrary, type GraphLibraryOptions, openGraphLibrary } from './library.ts';
import { createGraphRuns, type GraphRuns } from './runs.ts';
import { type ServedGraph, serveGraph } from './serving.ts';

export interface GraphsOptions extends GraphLibraryOptions, Pick<ConnectionsOptions, 'connectToolset' | 'fetch'> {
  /** Where the history of runs is kept; without it runs are remembered only for a while. */
  readonly store?: (() => Promise<Store>) | undefined;
  readonly events?: Events | undefined;
  /** How long ended runs are kept. */
  readonly maxRunAgeDays?: number;
}

/** Everything graphs need in one process: the files, the connections, the runs. */
export interface Graphs {
  readonly library: GraphLibrary;
  readonly runs: GraphRuns;
  readonly caller: ToolCaller;
  /** A graph as an MCP server of its own; the same one for the same name. */
  served(name: string): ServedGraph;
  close(): Promise<void>;
}

const pruneEveryMs = 3_600_000;

export async function openGraphs(options: GraphsOptions): Promise<Graphs> {
  const { store, log = silentLogger, maxRunAgeDays = 90 } = options;
  const library = await openGraphLibrary(options);
  const caller = createConnections({
    fetch: options.fetch ?? guardedFetch({ isTrusted: (url) => library.trusts(url) }),
    connectToolset: options.connectToolset,
  });
  library.onChange(() => caller.retain(library.servers()));
  let pruning: NodeJS.Timeout | undefined;

  async function openHistory(open: () => Promise<Store>) {
    const { openHistory: start } = await import('./history-store.ts');
    const history = await start(await open(), { log });
    const prune = () =>
      history
        .prune({ maxAgeDays: maxRunAgeDays })
        .catch((error: unknown) => log.warn('old runs were not deleted', { error }));
    pruning = setInterval(() => void prune(), pruneEveryMs).unref();
    return history;
  }

  const runs = createGraphRuns({
    engine: createInlineEngine({ caller }),
    ...(store ? { history: () => openHistory(store) } : {}),
    events: options.events,
    log,
  });
  const served = new Map<string, ServedGraph>();

  return {
    library,
    runs,
    caller,
    served(name) {
      const known = served.get(name) ?? serveGraph(name, { library, runs });
      served.set(name, known);
      return known;
    },
    async close() {
      clearInterval(pruning);
      library.close();
      await runs.close();
      await caller.close();
    },
  };
}
