// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own directory. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

const skipped = new Set(['node_modules', 'dist', '.git', '.waymark', '.cache', 'coverage']);

/** @param {string} path relative to the repository */
export function readText(path) {
  return readFileSync(join(repository, path), 'utf8');
}

/**
 * Files below the directories whose path matches, sorted, with forward slashes.
 * @param {string[]} directories relative to the repository
 * @param {RegExp} pattern
 * @returns {string[]}
 */
export function findFiles(directories, pattern) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} directory */
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(path);
      } else {
        const name = relative(repository, path).split(sep).join('/');
        if (pattern.test(name)) found.push(name);
      }
    }
  };
  for (const directory of directories) {
    if (existsSync(join(repository, directory))) walk(join(repository, directory));
  }
  return found.sort();
}
