import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import type pg from 'pg';
import type { Logger } from '../../kit/context.ts';
import { StoreOpenError } from '../errors.ts';
import { createPool } from '../pool.ts';
import { type Engine, engineMajor, openEngine } from './engine.ts';
import { Membership } from './membership.ts';
import { SessionStream } from './session-stream.ts';
import { createFromTemplate, syncTree } from './template.ts';

export interface EmbeddedBackend {
  readonly pool: pg.Pool;
  /** Whether this process has the database itself or forwards to one that does. */
  readonly isHolder: () => boolean;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** Off, a power cut may lose what was acknowledged; a killed process still loses nothing. For tests. */
  readonly syncToDisk: boolean;
}

/** Connections cost nothing here; a few let a listener or a forgotten client not stand in everybody's way. */
const poolSize = 4;

export async function openEmbedded({ dataDirectory, log, syncToDisk }: EmbeddedOptions): Promise<EmbeddedBackend> {
  const realDirectory = await prepareDirectory(dataDirectory);
  const membership = new Membership({
    dataDirectory: realDirectory,
    openEngine: () => openDatabase(join(realDirectory, 'db'), syncToDisk),
    log,
  });
  const pool = createPool({
    max: poolSize,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    stream: () => new SessionStream((peer) => membership.openSession(peer)),
  } as PoolConfig);
  return { pool, isHolder: () => membership.isHolder, close: () => membership.close() };
}

async function prepareDirectory(dataDirectory: string): Promise<string> {
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDirectory);
  } catch (error) {
    throw cannotUse(dataDirectory, error);
  }
}

async function openDatabase(directory: string, syncToDisk: boolean): Promise<Engine> {
  const versionFile = join(directory, 'PG_VERSION');
  try {
    const isNew = !existsSync(versionFile);
    if (isNew) await createFromTemplate(directory);
    else refuseOtherMajor(directory, Number(readFileSync(versionFile, 'utf8')));
    const engine = await openEngine(directory, { syncToDisk });
    if (isNew && syncToDisk) syncTree(directory).catch(() => {});
    return engine;
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw cannotUse(directory, error);
  }
}

function refuseOtherMajor(directory: string, major: number): void {
  if (major === engineMajor) return;
  const advice =
    major > engineMajor
      ? 'It was written by a newer Waymark: update this one.'
      : 'It was written by an older Waymark: run `waymark data export` with that one, then `waymark data import` with this.';
  throw new StoreOpenError(
    `${directory} is a Postgres ${major} database, this Waymark has Postgres ${engineMajor}. ${advice}`,
  );
}

function cannotUse(directory: string, error: unknown): StoreOpenError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Record<string, string> = {
    EACCES: 'no permission to write there',
    EPERM: 'no permission to write there',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'it is not a directory',
    EEXIST: 'it is not a directory',
    ENOSPC: 'the disk is full',
  };
  const reason = reasons[String(code)] ?? (error instanceof Error ? error.message : String(error));
  return new StoreOpenError(
    `Cannot use the data directory ${directory}: ${reason}. Choose another with --data or WAYMARK_DATA.`,
    { cause: error },
  );
}
