import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

const settleMs = 40;

/**
 * Calls `changed` soon after one of the files was written, replaced or created. Directories are
 * watched, not files: editors replace a file, and a watch on it would stay with the old one.
 */
export function watchFiles(paths: readonly string[], changed: () => void): { close(): void } {
  const byDirectory = groupByDirectory(paths);
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  for (const [directory, files] of byDirectory) {
    const names = new Set(files.map((file) => basename(file)));
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        if (name !== null && !names.has(name)) return;
        clearTimeout(timer);
        timer = setTimeout(changed, settleMs);
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // A directory that cannot be watched: the file is read again when it is next asked for.
    }
  }
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function groupByDirectory(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) groups.set(dirname(path), [...(groups.get(dirname(path)) ?? []), path]);
  return groups;
}
