import { mkdir } from 'node:fs/promises';
import type { Graphs } from '../graph/open-graphs.ts';
import { createEvents, type Logger, type Roots, type Selection } from '../kit/index.ts';
import type { Store } from '../store/store.ts';
import type { ToolsetServices } from './toolsets.ts';

export interface GraphSources {
  /** Graph files the operator named. */
  readonly files: readonly string[];
  readonly allowExec: boolean;
  /** What graphs may use of Waymark's own toolsets. */
  readonly selection: Selection;
}

export interface Services extends ToolsetServices {
  /** The store, if anything has opened it. */
  openedStore(): Promise<Store> | undefined;
  close(): Promise<void>;
}

export function createServices(options: {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  readonly roots: Roots;
  readonly log: Logger;
  readonly graphs?: GraphSources;
}): Services {
  let store: Promise<Store> | undefined;
  let graphs: Promise<Graphs> | undefined;

  async function open(): Promise<Store> {
    const { openStore } = await import('../store/index.ts');
    await mkdir(options.dataDirectory, { recursive: true });
    return openStore({ url: options.databaseUrl, dataDirectory: options.dataDirectory, log: options.log });
  }

  async function openGraphs(): Promise<Graphs> {
    const { files = [], allowExec = false, selection = {} } = options.graphs ?? {};
    const [{ openGraphs: openThem }, { connectOwnToolset }] = await Promise.all([
      import('../graph/open-graphs.ts'),
      import('./own-toolsets.ts'),
    ]);
    return openThem({
      files,
      allowExec,
      store: services.store,
      events: services.events,
      log: options.log,
      connectToolset: connectOwnToolset(services, selection),
    });
  }

  const services: Services = {
    roots: options.roots,
    events: createEvents(),
    dataDirectory: options.dataDirectory,
    openedStore: () => store,
    store() {
      store ??= open().catch((error: unknown) => {
        store = undefined;
        throw error;
      });
      return store;
    },
    graphs() {
      graphs ??= openGraphs().catch((error: unknown) => {
        graphs = undefined;
        throw error;
      });
      return graphs;
    },
    async close() {
      await (await graphs?.catch(() => undefined))?.close();
      await (await store?.catch(() => undefined))?.close();
    },
  };
  return services;
}
