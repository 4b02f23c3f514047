import type { Store } from '../store/index.ts';
import { CliError } from './cli-error.ts';

export interface StoreFlags {
  readonly config?: string;
  readonly data?: string;
}

/** Opens the store the flags and the environment name, for one piece of work. */
export async function withStore<T>(
  flags: StoreFlags,
  work: (store: Store, dataDirectory: string) => Promise<T>,
): Promise<T> {
  const [{ resolveConfig }, { openStore }, { ToolError }, { resolve }] = await Promise.all([
    import('./resolve-config.ts'),
    import('../store/index.ts'),
    import('../kit/tool-error.ts'),
    import('node:path'),
  ]);
  const config = await resolveConfig(flags.config, flags.data ? { data: flags.data } : {});
  const explain = (error: unknown): never => {
    throw error instanceof ToolError ? new CliError(error.message) : error;
  };
  const dataDirectory = resolve(config.data);
  const store = await openStore({ url: config.databaseUrl, dataDirectory }).catch(explain);
  try {
    return await work(store, dataDirectory).catch(explain);
  } finally {
    await store.close();
  }
}
