// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from './processes.mjs';

/** Programs that read exported books: pandoc, and epubcheck with the Java it runs on. */
function areHere() {
  const starts = (/** @type {string} */ program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return starts('pandoc') && starts('java') && existsSync('/usr/share/java/epubcheck.jar');
}

/** Installs them from Debian where that is possible. @returns {Promise<string | undefined>} why they cannot be had */
export async function ensureBookTools() {
  if (areHere()) return undefined;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'installing the Debian packages needs root';
  console.error('Installing the Debian packages pandoc and epubcheck …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const packages = ['pandoc', 'epubcheck', 'default-jre-headless'];
  const { code, output } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
  });
  if (code === 0 && areHere()) return undefined;
  return `apt-get could not install them: ${output.trim().split('\n').at(-1) ?? ''}`;
}
