import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';

/** One Postgres session in this process. Calls are synchronous: whoever shares it takes turns. */
export interface Engine {
  readonly serverVersion: string;
  execute(messages: Buffer): Buffer;
  close(): Promise<void>;
}

/** What of the engine's insides is used, none of it public: the version is pinned and a test holds the effect. */
interface EngineInternals {
  readonly Module: {
    readonly FS: {
      lookupPath(path: string): { readonly node: { readonly stream_ops: Record<string, unknown> } };
    };
  };
}

/** The Postgres inside the engine. A directory belongs to one major version. */
export const engineMajor = 18;

export async function openEngine(directory: string, { syncToDisk = true } = {}): Promise<Engine> {
  const { PGlite } = await import('@electric-sql/pglite');
  const parameters = [
    // `-F` turns fsync off.
    ...PGlite.defaultStartParams.filter((parameter) => !(syncToDisk && parameter === '-F')),
    ...settings({
      shared_buffers: '16MB',
      max_wal_size: '64MB',
      min_wal_size: '32MB',
      // Else a timer of the recovery keeps the process alive for ever.
      log_startup_progress_interval: '0',
      ...(syncToDisk ? { wal_sync_method: 'fsync' } : {}),
    }),
  ];
  const database = await PGlite.create(directory, {
    startParams: parameters,
    initDbStartParams: ['--wal-segsize=1'],
  });
  if (syncToDisk) syncFilesToDisk(database, PGlite.paths.PGDATA);
  return new PgliteEngine(database, await readServerVersion(database));
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The engine's file system has no fsync; without this a commit would survive a kill, but not a power cut. */
function syncFilesToDisk(database: PGlite, directory: string): void {
  const { Module } = database as unknown as EngineInternals;
  // Every file of the directory shares this table.
  Module.FS.lookupPath(`${directory}/PG_VERSION`).node.stream_ops['fsync'] = ({ nfd }: { nfd?: number }): number => {
    if (nfd !== undefined) fs.fdatasyncSync(nfd);
    return 0;
  };
}

async function readServerVersion(database: PGlite): Promise<string> {
  const { rows } = await database.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? '';
}

class PgliteEngine implements Engine {
  readonly serverVersion: string;
  readonly #database: PGlite;

  constructor(database: PGlite, serverVersion: string) {
    this.#database = database;
    this.serverVersion = serverVersion;
  }

  execute(messages: Buffer): Buffer {
    const answer = this.#database.execProtocolRawSync(messages);
    return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
