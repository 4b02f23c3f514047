import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPack } from './pack-lint.ts';
import { createPackLibrary, type PackLibrary } from './pack-library.ts';

const shipped = fileURLToPath(new URL('../../assets/packs', import.meta.url));

/** The packs that ship with the product, or those of another directory. A pack with errors is left out and named. */
export async function loadPacks(
  directory: string = shipped,
  onProblem: (message: string) => void = () => {},
): Promise<PackLibrary> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const packs = await Promise.all(
    names
      .filter((name) => /\.(?:ya?ml|json)$/.test(name))
      .toSorted()
      .map(async (name) => {
        const { pack, problems } = readPack(await readFile(join(directory, name), 'utf8'), { samples: false });
        const [first] = problems.filter(({ severity }) => severity === 'error');
        if (first) onProblem(`pack ${name} has errors and is not used: ${first.path} ${first.message}`);
        return first ? undefined : pack;
      }),
  );
  return createPackLibrary(packs.filter((pack) => pack !== undefined));
}
