import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const shippedTemplate = fileURLToPath(new URL('../../../assets/store-template.tgz', import.meta.url));

/**
 * Makes a new database directory from the template that ships with the package: a fifth of the time and of
 * the memory of creating one from nothing. Without a template (a checkout not built yet) the engine does that itself.
 * The template has no tables: a migration may make a secret, and that must not be the same for everybody.
 */
export async function createFromTemplate(directory: string, template = shippedTemplate): Promise<boolean> {
  if (!existsSync(template)) return false;
  const unfinished = `${directory}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  // A thousand small files: written one after the other they take a third of the time that promises take.
  for (const entry of entriesOf(await promisify(gunzip)(await readFile(template)))) {
    const path = join(unfinished, entry.name);
    if (entry.kind === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, entry.content, { mode: 0o600 });
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(unfinished, directory);
  return true;
}

/** Files copied from the template reach the disk before long, whatever happens: the engine syncs only what it changes. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name), 'r').catch(() => undefined);
    await file?.sync();
    await file?.close();
  }
}

interface TarEntry {
  readonly kind: 'file' | 'directory';
  readonly name: string;
  readonly content: Buffer;
}

const blockSize = 512;

function* entriesOf(tar: Buffer): Generator<TarEntry> {
  for (let offset = 0; offset + blockSize <= tar.length;) {
    const text = (start: number, length: number): string => {
      const field = tar.toString('utf8', offset + start, offset + start + length);
      const end = field.indexOf('\0');
      return end < 0 ? field : field.slice(0, end);
    };
    const name = text(0, 100);
    if (!name) return;
    const prefix = text(345, 155);
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    const start = offset + blockSize;
    const type = text(156, 1);
    if (type === '5' || type === '0' || type === '') {
      yield {
        kind: type === '5' ? 'directory' : 'file',
        name: prefix ? `${prefix}/${name}` : name,
        content: tar.subarray(start, start + size),
      };
    }
    offset = start + Math.ceil(size / blockSize) * blockSize;
  }
}
