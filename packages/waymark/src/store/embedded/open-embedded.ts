import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import type pg from 'pg';
import type { Logger } from '../../kit/context.ts';
import { createPool } from '../pool.ts';
import { Broker } from './broker.ts';
import { openEngine } from './engine.ts';
import { SessionStream } from './session-stream.ts';
import { createFromTemplate } from './template.ts';

export interface EmbeddedBackend {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Connections cost nothing here; a few let a listener or a forgotten client not stand in everybody's way. */
const poolSize = 4;

export async function openEmbedded(dataDirectory: string, _log: Logger): Promise<EmbeddedBackend> {
  const directory = join(dataDirectory, 'db');
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  if (!existsSync(join(directory, 'PG_VERSION'))) await createFromTemplate(directory);
  const engine = await openEngine(directory);
  const broker = new Broker(engine);
  const pool = createPool({
    max: poolSize,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    stream: () => new SessionStream((peer) => Promise.resolve(broker.open(peer))),
  } as PoolConfig);
  return {
    pool,
    async close() {
      broker.end(new Error('the store was closed'));
      await engine.close();
    },
  };
}
