// @ts-check
// Runs a throw-away Postgres server until its input ends, so that it never outlives whoever started it.
// Says `{"url": …}` when it is ready, or `{"reason": …}` when there can be none. By hand: Ctrl-D stops it.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensurePostgres, findPostgres, serverUser } from './lib/postgres.mjs';

const mayInstall = process.argv.includes('--install');
const found = mayInstall ? await ensurePostgres() : findHere();

if ('path' in found) await serve(found.path);
else say({ reason: found.reason });

/** @returns {{ path: string } | { reason: string }} */
function findHere() {
  const path = findPostgres();
  return path ? { path } : { reason: 'no Postgres server on this machine' };
}

/** @param {string} programs */
async function serve(programs) {
  const user = serverUser();
  const home = mkdtempSync(join(tmpdir(), 'waymark-postgres-'));
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid ?? user.uid);
  const data = join(home, 'data');
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  const clean = () => rmSync(home, { recursive: true, force: true });
  const stop = () => {
    if (!server || server.exitCode !== null) return leave(0);
    server.once('exit', () => leave(0));
    // Immediate shutdown: nothing here is worth keeping.
    server.kill('SIGQUIT');
  };
  const leave = (/** @type {number} */ code) => {
    clean();
    process.exit(code);
  };
  process.stdin.resume().on('end', stop).on('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

  try {
    copyFresh(programs, data, user);
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: home,
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      max_connections: 200,
      shared_buffers: '64MB',
      log_min_messages: 'panic',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...user, cwd: home, stdio: 'ignore' });
    server.once('exit', (code) => leave(code ?? 1));
    await ready(programs, port);
    say({ url: `postgres://postgres@127.0.0.1:${port}/postgres` });
  } catch (error) {
    say({ reason: error instanceof Error ? error.message : String(error) });
    stop();
  }
}

/**
 * Creating a cluster takes seconds, so one is kept and copied.
 * @param {string} programs
 * @param {string} data
 * @param {{ uid?: number, gid?: number }} user
 */
function copyFresh(programs, data, user) {
  const version = must(join(programs, 'postgres'), ['--version'], user)
    .trim()
    .replaceAll(/[^\w.]+/g, '-');
  const kept = join(tmpdir(), `waymark-${version}-${user.uid ?? process.getuid?.() ?? basename(tmpdir())}`);
  const owner = user.uid ?? process.getuid?.();
  if (!existsSync(kept)) {
    const unfinished = mkdtempSync(`${kept}-`);
    if (user.uid !== undefined) chownSync(unfinished, user.uid, user.gid ?? user.uid);
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    must(join(programs, 'initdb'), ['-D', unfinished, ...flags], user);
    try {
      renameSync(unfinished, kept);
    } catch {
      // Another run was faster.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  const { uid, mode } = lstatSync(kept);
  if ((owner !== undefined && uid !== owner) || (mode & 0o077) !== 0) throw new Error(`${kept} is not ours: remove it`);
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid ?? user.uid);
  must('cp', ['-R', `${kept}/.`, data], user);
}

/**
 * @param {string} programs
 * @param {number} port
 */
async function ready(programs, port) {
  const { default: pg } = await import('pg');
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await new Promise((r) => setTimeout(r, 50))) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      client.end().catch(() => {});
    }
  }
  throw new Error(`the Postgres server in ${programs} did not answer within 30 s`);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ uid?: number, gid?: number }} user
 */
function must(command, args, user) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...user, cwd: tmpdir(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${basename(command)} failed: ${(error?.message ?? stderr).trim()}`);
  return stdout;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** @param {Record<string, unknown>} line */
function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
