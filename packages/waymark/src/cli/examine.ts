import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { silentLogger } from '../kit/index.ts';
import type { Config } from '../server/config.ts';
import { isLoopback } from '../server/guard.ts';

export interface Finding {
  readonly what: string;
  /** `wrong` stops Waymark from working; `note` is worth knowing. */
  readonly state: 'fine' | 'note' | 'wrong';
  readonly found: string;
  readonly advice?: string;
}

/** Looks at everything a server needs, without changing anything but the data directory it would make anyway. */
export async function examine(config: Config): Promise<Finding[]> {
  const [data, database, roots, port] = await Promise.all([
    checkData(config),
    checkDatabase(config),
    checkRoots(config),
    checkPort(config),
  ]);
  return [checkNode(), data, database, ...roots, port, checkModel(config), checkAuth(config)];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > 20 || (major === 20 && minor >= 19);
  const found = `${process.version} on ${process.platform}`;
  return enough
    ? { what: 'node', state: 'fine', found }
    : { what: 'node', state: 'wrong', found, advice: 'Waymark needs Node 20.19 or newer.' };
}

async function checkData(config: Config): Promise<Finding> {
  const directory = resolve(config.data);
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.R_OK | constants.W_OK);
    return { what: 'data', state: 'fine', found: `${directory} is writable` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = 'Choose another directory with --data or WAYMARK_DATA, or change its permissions.';
    return { what: 'data', state: 'wrong', found: `${directory} cannot be written (${code})`, advice };
  }
}

async function checkDatabase(config: Config): Promise<Finding> {
  const what = 'database';
  try {
    const { openStore } = await import('../store/index.ts');
    const store = await openStore({ url: config.databaseUrl, dataDirectory: resolve(config.data), log: silentLogger });
    try {
      const { rows } = await store.pool.query<{ server_version: string }>('show server_version');
      const kind = store.kind === 'embedded' ? 'embedded Postgres' : 'Postgres';
      return { what, state: 'fine', found: `${kind} ${rows[0]?.server_version ?? ''} answers` };
    } finally {
      await store.close();
    }
  } catch (error) {
    const advice = config.databaseUrl
      ? 'Check DATABASE_URL: host, port, database name and password; Postgres 15 or newer must be running.'
      : 'If another program holds the data directory, stop it or use another directory with --data.';
    return { what, state: 'wrong', found: error instanceof Error ? error.message : String(error), advice };
  }
}

function checkRoots(config: Config): Promise<Finding[]> {
  return Promise.all(
    (config.roots ?? ['.']).map(async (root): Promise<Finding> => {
      const stats = await stat(root).catch(() => undefined);
      if (stats?.isDirectory()) return { what: 'root', state: 'fine', found: resolve(root) };
      return {
        what: 'root',
        state: 'wrong',
        found: `${root} is not a directory`,
        advice: 'Name an existing one with --root.',
      };
    }),
  );
}

function checkPort({ port, host }: Config): Promise<Finding> {
  const what = 'port';
  if (port === 0) return Promise.resolve({ what, state: 'fine', found: 'a free one is taken at start' });
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const advice = 'Waymark may be running already; else choose another with --port.';
      done({ what, state: 'note', found: `${host}:${port} cannot be taken (${error.code})`, advice });
    });
    probe.listen(port, host, () => probe.close(() => done({ what, state: 'fine', found: `${host}:${port} is free` })));
  });
}

const providerKeys = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
};

function checkModel({ model }: Config): Finding {
  const what = 'model';
  if (!model) {
    const advice = 'Set WAYMARK_MODEL=provider/name and the key of the provider for a language model.';
    return { what, state: 'note', found: 'offline: rules, no language model', advice };
  }
  const key = providerKeys[model.split('/')[0] as keyof typeof providerKeys];
  if (key && !process.env[key]) {
    return { what, state: 'wrong', found: `${model} is chosen, but ${key} is not set`, advice: `Set ${key}.` };
  }
  return { what, state: 'fine', found: model };
}

function checkAuth({ auth, host }: Config): Finding {
  const what = 'auth';
  if (auth.mode === 'none' && !isLoopback(host)) {
    const advice = 'Set auth.mode to embedded or external, or listen on 127.0.0.1.';
    return { what, state: 'wrong', found: `none, but listening on ${host}`, advice };
  }
  return { what, state: 'fine', found: auth.mode === 'none' ? 'none: this machine only' : auth.mode };
}
