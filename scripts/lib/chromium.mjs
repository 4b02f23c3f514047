// @ts-check
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './files.mjs';
import { ensureInstalled } from './install.mjs';
import { run } from './processes.mjs';

const names = ['chromium', 'chromium-browser', 'chromium-headless-shell', 'google-chrome-stable', 'google-chrome'];
const browserPackage = 'packages/waymark/test/tools/browser';
const unpacked = join(repository, browserPackage, 'node_modules/.unpacked');
const withLibraries = join(unpacked, 'chromium-with-libraries');

/** A browser that is already here and starts, without installing anything. @returns {string | undefined} */
export function findChromium() {
  const folders = (process.env['PATH'] ?? '').split(':');
  const candidates = [
    process.env['WAYMARK_CHROMIUM'],
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    join(unpacked, 'chromium'),
    withLibraries,
  ];
  return candidates.find((path) => path && existsSync(path) && starts(path)) ?? undefined;
}

/**
 * A browser by whatever means: the machine's, the one inside an npm package, Debian's.
 * @returns {Promise<{ path: string } | { reason: string }>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return { path: found };
  const reasons = [];
  for (const attempt of [fromNpm, fromDebian]) {
    const reason = await attempt();
    if (reason) reasons.push(reason);
    const path = findChromium();
    if (path) return { path };
  }
  return { reason: reasons.join('; ') || 'no browser found' };
}

/** @param {string} path */
function starts(path) {
  return spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** @returns {Promise<string | undefined>} why it did not work */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the npm browser is for linux x64 only';
  try {
    await ensureInstalled(browserPackage, { announce: 'Fetching a browser' });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  mkdirSync(unpacked, { recursive: true });
  // The package unpacks into TMPDIR, and adds the shared libraries a bare machine lacks only where
  // it believes it runs as a cloud function.
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  const env = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const { code, output } = await run(process.execPath, ['-e', script], { cwd: join(repository, browserPackage), env });
  if (code !== 0) return output.trim();
  const launcher = [
    '#!/bin/sh',
    'here=$(dirname "$0")',
    'export LD_LIBRARY_PATH="$here/al2023/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"',
    'exec "$here/chromium" "$@"',
    '',
  ].join('\n');
  writeFileSync(withLibraries, launcher);
  chmodSync(withLibraries, 0o755);
  return undefined;
}

/** @returns {Promise<string | undefined>} why it did not work */
async function fromDebian() {
  if (process.getuid?.() !== 0) return 'installing the Debian package needs root';
  console.error('Installing the Debian package chromium …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    env,
  });
  return code === 0 ? undefined : `apt-get could not install chromium: ${output.trim().split('\n').at(-1) ?? ''}`;
}
