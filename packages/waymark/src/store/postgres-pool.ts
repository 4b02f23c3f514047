import type pg from 'pg';
import type { PoolConfig } from 'pg';
import { StoreOpenError, StoreUnavailableError } from './errors.ts';
import { createPool } from './pool.ts';

const oldestServer = 15;

/** A pool on a real Postgres server, checked to be there and new enough. */
export async function openPostgresPool(url: string, size: number): Promise<pg.Pool> {
  const where = describeServer(url);
  const pool = createPool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'waymark',
    // The pool waits for what this returns, though its types do not say so.
    onConnect: ((client) => client.query(`set time zone 'UTC'`)) as PoolConfig['onConnect'],
  });
  try {
    const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`);
    const major = Math.floor(Number(rows[0]?.version) / 10_000);
    if (major < oldestServer) {
      throw new StoreOpenError(`${where} is Postgres ${major}; Waymark needs ${oldestServer} or newer.`);
    }
    return pool;
  } catch (error) {
    await pool.end().catch(() => {});
    throw explain(error, where);
  }
}

/** Host, port and database of a URL, without the credentials. */
function describeServer(url: string): string {
  if (!URL.canParse(url)) throw new StoreOpenError('DATABASE_URL is not a URL such as postgres://user@host:5432/name.');
  const { protocol, host, pathname, searchParams } = new URL(url);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new StoreOpenError(`DATABASE_URL must start with postgres:// or postgresql://, not ${protocol}//`);
  }
  return `the database ${pathname.slice(1) || 'postgres'} at ${searchParams.get('host') ?? (host || 'localhost')}`;
}

function explain(error: unknown, where: string): unknown {
  if (error instanceof StoreUnavailableError) {
    return new StoreUnavailableError(`Cannot reach ${where}: ${reason(error.cause)}. Is the server running?`, {
      cause: error.cause,
    });
  }
  if (error instanceof StoreOpenError || !(error instanceof Error)) return error;
  return new StoreOpenError(`Cannot use ${where}: ${error.message}. Check DATABASE_URL.`, { cause: error });
}

function reason(cause: unknown): string {
  if (cause instanceof AggregateError) return reason(cause.errors[0]);
  return cause instanceof Error ? cause.message : 'no answer';
}
