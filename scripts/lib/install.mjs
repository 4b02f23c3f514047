// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './files.mjs';
import { run } from './processes.mjs';

/**
 * Installs the packages of a directory when what is there differs from its lockfile.
 * @param {string} directory relative to the repository
 * @param {{ announce?: string, scripts?: boolean }} [options]
 */
export async function ensureInstalled(directory, { announce = 'Installing packages', scripts = true } = {}) {
  const path = join(repository, directory);
  if (isInstalled(path)) return;
  console.error(`${announce} …`);
  const flags = ['--loglevel=error', '--no-audit', '--no-fund', ...(scripts ? [] : ['--ignore-scripts'])];
  // Not `npm ci`: it refuses a lockfile without the optional binaries of platforms that a registry
  // may not carry. Without saving, `npm install` keeps to the lockfile just the same.
  const { code, output } = await run('npm', ['install', '--no-save', ...flags], { cwd: path, env: npmEnvironment() });
  if (code !== 0) throw new Error(`npm install failed in ${directory}:\n${output.trim()}`);
}

/**
 * npm keeps a copy of the lockfile of what it installed; comparing the two finds every difference
 * without a stamp of our own, and an install by hand counts too.
 * @param {string} path
 */
function isInstalled(path) {
  const installed = readPackages(join(path, 'node_modules/.package-lock.json'));
  const wanted = readPackages(join(path, 'package-lock.json'));
  if (!installed || !wanted) return false;
  for (const [name, entry] of Object.entries(wanted)) {
    if (!name.includes('node_modules/')) continue;
    const there = installed[name];
    if (there ? there.version !== entry.version || there.integrity !== entry.integrity : !entry.optional) return false;
  }
  return Object.keys(installed).every((name) => name in wanted);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** npm run inside npm would otherwise obey the outer run's settings, such as a workspace or a prefix. */
function npmEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?:config_(?:local_)?prefix|config_workspaces?|command|lifecycle|package)/i.test(name),
    ),
  );
}
