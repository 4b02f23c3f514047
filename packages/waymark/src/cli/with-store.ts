import { resolve } from 'node:path';
import type { Store } from '../store/store.ts';
import { CliError } from './cli-error.ts';

/** Opens the store a command works on, and closes it whatever happens. */
export async function withStore<T>(flags: { data?: string }, run: (store: Store) => Promise<T>): Promise<T> {
  const [{ openStore, StoreOpenError, StoreUnavailableError }, { ToolError }] = await Promise.all([
    import('../store/index.ts'),
    import('../kit/tool-error.ts'),
  ]);
  const dataDirectory = resolve(flags.data ?? process.env['WAYMARK_DATA'] ?? '.waymark');
  const store = await openStore({ url: process.env['DATABASE_URL'], dataDirectory }).catch((error: unknown) => {
    const known = error instanceof StoreOpenError || error instanceof StoreUnavailableError;
    throw known ? new CliError(error.message) : error;
  });
  try {
    return await run(store);
  } catch (error) {
    throw error instanceof ToolError ? new CliError(error.message) : error;
  } finally {
    await store.close();
  }
}
