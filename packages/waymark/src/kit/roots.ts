import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from './tool-error.ts';

/** The directories file tools may reach. Every path is checked after links are resolved. */
export interface Roots {
  readonly directories: readonly string[];
  /** The real path of an existing file, or of one about to be created in an existing directory. */
  resolve(path: string): Promise<string>;
  /** A path as it may be shown to a client: relative to its root, never the host's own. */
  display(realPath: string): string;
}

export async function createRoots(directories: readonly string[]): Promise<Roots> {
  const real = await Promise.all(directories.map((directory) => realpath(directory)));
  const [first = process.cwd()] = real;
  const rootOf = (path: string) =>
    real.find((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));

  return {
    directories: real,
    async resolve(path) {
      if (path.length === 0) throw new ToolError('INVALID_PATH', 'The path is empty');
      if (path.includes('\0')) throw new ToolError('INVALID_PATH', 'The path contains a NUL character');
      const candidates = isAbsolute(path)
        ? [resolve(path)]
        : [...new Set([first, ...real])].map((root) => resolve(root, path));
      let outside = false;
      let creatable: string | undefined;
      for (const candidate of candidates) {
        const existing = await realpath(candidate).catch(() => undefined);
        const found = existing ?? (await realpathOfNew(candidate));
        if (found === undefined) continue;
        if (!rootOf(found)) outside = true;
        // What exists below a later root goes before what could be created below an earlier one.
        else if (existing === undefined) creatable ??= found;
        else return found;
      }
      if (creatable !== undefined) return creatable;
      if (outside || candidates.every((candidate) => !rootOf(candidate))) {
        throw new ToolError('PATH_OUTSIDE_ROOTS', `"${path}" is outside the directories this server may use`, { path });
      }
      throw new ToolError('FILE_NOT_FOUND', `"${path}" does not exist`, { path });
    },
    display(realPath) {
      const root = rootOf(realPath);
      return root === undefined ? basename(realPath) : relative(root, realPath) || '.';
    },
  };
}

async function realpathOfNew(path: string): Promise<string | undefined> {
  const parent = await realpath(dirname(path)).catch(() => undefined);
  return parent === undefined ? undefined : join(parent, basename(path));
}
