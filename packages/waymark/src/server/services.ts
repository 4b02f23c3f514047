import { mkdir } from 'node:fs/promises';
import { createEvents, type Logger, type Roots } from '../kit/index.ts';
import type { Store } from '../store/store.ts';
import type { ToolsetServices } from './toolsets.ts';

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
}): Services {
  let store: Promise<Store> | undefined;

  async function open(): Promise<Store> {
    const { openStore } = await import('../store/index.ts');
    await mkdir(options.dataDirectory, { recursive: true });
    return openStore({ url: options.databaseUrl, dataDirectory: options.dataDirectory, log: options.log });
  }

  return {
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
    async close() {
      await (await store?.catch(() => undefined))?.close();
    },
  };
}
