// @ts-check
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, relative } from 'node:path';
import { readText, repository } from './files.mjs';
import { run } from './processes.mjs';

/** @typedef {{ ok: boolean, output: string }} Finding */

const tsc = 'node_modules/typescript/bin/tsc';

/** @param {...string} patterns @returns {Promise<string[]>} */
async function trackedFiles(...patterns) {
  const { code, output } = await run('git', ['ls-files', '-z', '--', ...patterns]);
  if (code !== 0) throw new Error(`git ls-files failed: ${output}`);
  return output.split('\0').filter(Boolean);
}

/**
 * Every tracked TypeScript file belongs to a project that is type-checked.
 * @param {readonly string[]} projects
 * @returns {Promise<Finding>}
 */
export async function everyFileIsTypeChecked(projects) {
  const lists = await Promise.all(
    projects.map((project) => run(process.execPath, [tsc, '-p', project, '--listFilesOnly'])),
  );
  const checked = new Set(lists.flatMap(({ output }) => output.split('\n').map((file) => relative(repository, file))));
  const unchecked = (await trackedFiles('*.ts', '*.tsx', 'scripts/*.mjs')).filter((file) => !checked.has(file));
  return {
    ok: unchecked.length === 0,
    output: unchecked.map((file) => `in no type-check project: ${file}`).join('\n'),
  };
}

/**
 * Nothing tracked tells about the machine it was written on, and lockfiles install from any registry.
 * @returns {Promise<Finding>}
 */
export async function nothingOfThisMachine() {
  const parent = dirname(repository.replace(/\/$/, ''));
  // Paths that documentation may well use as examples.
  const generic = new Set(['/', '/home', '/root', '/tmp', tmpdir(), '/usr/src', '/workspace', '/workspaces', '/app']);
  const isGeneric = (/** @type {string} */ path) => generic.has(path) || /^\/(?:home|Users)\/[^/]+$/.test(path);
  const needles = [
    repository,
    ...[parent, homedir()].filter((path) => !isGeneric(path)).map((path) => `${path}/`),
    ...(/^[a-f0-9]{8,}$/.test(hostname()) ? [hostname()] : []),
    '"resolved": "http',
  ];
  const found = [];
  const binary = /\.(?:png|jpe?g|gif|ico|woff2?|tgz|gz|zip|epub|docx|wasm)$/;
  for (const file of (await trackedFiles('.')).filter((name) => !binary.test(name))) {
    const lines = readText(file).split('\n');
    for (const [index, line] of lines.entries()) {
      const needle = needles.find((candidate) => line.includes(candidate));
      if (needle && file !== 'scripts/lib/guards.mjs') found.push(`${file}:${index + 1} contains ${needle}`);
    }
  }
  return { ok: found.length === 0, output: found.join('\n') };
}
