// @ts-check
// Writes packages/waymark/assets/store-template.tgz: an empty database directory of the embedded engine.
// Creating one takes the engine seconds; copying this takes none. Does nothing when it is up to date.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packageDirectory = fileURLToPath(new URL('../packages/waymark/', import.meta.url));
const template = join(packageDirectory, 'assets/store-template.tgz');
const stamp = `${template}.version`;
/** Raise when the template itself changes. */
const revision = 2;

const engine = dirname(createRequire(join(packageDirectory, 'package.json')).resolve('@electric-sql/pglite'));
const { version } = JSON.parse(readFileSync(join(engine, '../package.json'), 'utf8'));
const wanted = `${version} ${revision}`;

if (!existsSync(template) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) await build();

async function build() {
  const { PGlite } = await import(pathToFileURL(join(engine, 'index.js')).href);
  // The log in small pieces: an idle store does not need 16 MB of it.
  const database = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
  // Two of the three databases of a new cluster only serve to create more; there is one here for ever.
  for (const name of ['template0', 'template1']) {
    await database.exec(`update pg_database set datistemplate = false where datname = '${name}'`);
    await database.exec(`drop database ${name}`);
  }
  await database.exec('vacuum analyze');
  await database.exec('checkpoint');
  const dump = await database.dumpDataDir('gzip');
  mkdirSync(dirname(template), { recursive: true });
  writeFileSync(`${template}.new`, Buffer.from(await dump.arrayBuffer()));
  renameSync(`${template}.new`, template);
  writeFileSync(stamp, wanted);
  await database.close();
}
