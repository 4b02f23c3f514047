import type pg from 'pg';
import type { Logger } from '../kit/context.ts';
import { quoteIdentifier } from './embedded/wire.ts';
import { StoreClient } from './store-client.ts';

type Listener = (payload: string) => void;

const longestPayload = 7_999;

export interface Notifications {
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** LISTEN and NOTIFY over one connection of its own, made with the first listener and made again when it breaks. */
export function createNotifications(pool: pg.Pool, log: Logger): Notifications {
  const listeners = new Map<string, Set<Listener>>();
  let client: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<pg.Client> => {
    const fresh = new StoreClient(pool.options);
    let gone = false;
    const reconnect = (error?: Error): void => {
      if (gone) return;
      gone = true;
      client = undefined;
      fresh.end().catch(() => {});
      if (closed || listeners.size === 0) return;
      log.debug('notifications interrupted', { error });
      retry = setTimeout(() => void connected().catch(() => {}), 200);
      retry.unref();
    };
    fresh.on('error', reconnect);
    fresh.on('end', reconnect);
    fresh.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of listeners.keys()) await fresh.query(`listen ${quoteIdentifier(channel)}`);
    } catch (error) {
      reconnect(error instanceof Error ? error : undefined);
      throw error;
    }
    return fresh;
  };
  const connected = (): Promise<pg.Client> => (client ??= connect());

  return {
    async notify(channel, payload) {
      if (Buffer.byteLength(payload) > longestPayload) {
        throw new RangeError(
          `a notification holds at most ${longestPayload} bytes; send an id and let listeners look it up`,
        );
      }
      await pool.query('select pg_notify($1, $2)', [channel, payload]);
    },
    async listen(channel, listener) {
      const known = listeners.get(channel);
      const own = known ?? new Set();
      listeners.set(channel, own.add(listener));
      const forget = (): boolean => own.delete(listener) && own.size === 0 && listeners.delete(channel);
      try {
        const connection = await connected();
        if (!known) await connection.query(`listen ${quoteIdentifier(channel)}`);
      } catch (error) {
        forget();
        throw error;
      }
      return async () => {
        if (!forget()) return;
        await client?.then((current) => current.query(`unlisten ${quoteIdentifier(channel)}`)).catch(() => {});
      };
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      const current = await client?.catch(() => undefined);
      client = undefined;
      await current?.end();
    },
  };
}
