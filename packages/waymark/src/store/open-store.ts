import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Logger } from '../kit/context.ts';
import { silentLogger } from '../kit/context.ts';
import { type EmbeddedBackend, openEmbedded } from './embedded/open-embedded.ts';
import { migrate } from './migrate.ts';
import { createNotifications } from './notifications.ts';
import { openPostgresPool } from './postgres-pool.ts';
import type { CoreTables } from './schema.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** A Postgres server; without it the store is embedded. */
  readonly url?: string | undefined;
  /** Where the embedded store lives, in its folder `db`. */
  readonly dataDirectory: string;
  readonly log?: Logger;
  /** Off, the embedded store survives a killed process but not a power cut. For tests, which open many. */
  readonly syncToDisk?: boolean;
}

/** Opens the store and brings its schema up to date. */
export async function openStore({
  url,
  dataDirectory,
  log = silentLogger,
  syncToDisk = true,
}: StoreOptions): Promise<Store> {
  const embedded: EmbeddedBackend | undefined = url
    ? undefined
    : await openEmbedded({ dataDirectory, log, syncToDisk });
  const pool = embedded?.pool ?? (await openPostgresPool(url ?? '', 10));
  const db = new Kysely<CoreTables>({ dialect: new PostgresDialect({ pool }) });
  const notifications = createNotifications(pool, log);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await notifications.close();
      await pool.end();
      await embedded?.close();
    })());
  try {
    const names = await migrate(db as unknown as Kysely<never>);
    if (names.length > 0) log.info('schema brought up to date', { migrations: names });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: embedded ? 'embedded' : 'postgres',
    get role() {
      if (!embedded) return 'server';
      return embedded.isHolder() ? 'holder' : 'forwarder';
    },
    pool,
    db,
    transaction: <T>(run: (transaction: Transaction<CoreTables>) => Promise<T>) => db.transaction().execute(run),
    notify: notifications.notify,
    listen: notifications.listen,
    close,
  };
}
