import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../kit/context.ts';
import type { Broker } from './broker.ts';

const lookEvery = 15_000;
const tidyEvery = 300_000;
/** Of one megabyte each. */
const mostLogSegments = 96;

/** The engine has no background processes: nobody else cuts its log short or collects dead rows. */
export function startMaintenance(broker: Broker, dataDirectory: string, log: Logger): () => void {
  let batchesAtTidying = broker.batches;
  let batchesAtLook = broker.batches;
  let tidied = Date.now();
  const look = async (): Promise<void> => {
    if (broker.batches === batchesAtLook) return;
    batchesAtLook = broker.batches;
    const isDue = Date.now() - tidied >= tidyEvery && broker.batches !== batchesAtTidying;
    if (isDue || (await countLogSegments(dataDirectory)) > mostLogSegments) await broker.command('checkpoint');
    if (!isDue) return;
    tidied = Date.now();
    batchesAtTidying = broker.batches;
    await broker.command('vacuum analyze');
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn('maintenance of the embedded store failed', { error }));
  }, lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}

async function countLogSegments(dataDirectory: string): Promise<number> {
  const names = await readdir(join(dataDirectory, 'db', 'pg_wal'));
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
}
