import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const maxDepth = 4;
const maxBooks = 200;

/** The books below some directories, as paths relative to their directory, sorted. */
export async function findBooks(directories: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const root of directories) await search(root, root, 0, found, signal);
  return [...found].toSorted();
}

async function search(root: string, directory: string, depth: number, found: Set<string>, signal?: AbortSignal) {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (found.size >= maxBooks || signal?.aborted) return;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory() && depth < maxDepth) await search(root, path, depth + 1, found, signal);
    else if (entry.isFile() && entry.name.endsWith('.hnpx')) found.add(relative(root, path).split(sep).join('/'));
  }
}
