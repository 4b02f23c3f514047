// Writes packages/waymark/assets/store-template.tgz: an empty database directory of the embedded engine.
// Creating one takes the engine seconds; copying this takes none. Does nothing when it is up to date.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageDirectory = fileURLToPath(new URL('../packages/waymark/', import.meta.url));
const template = join(packageDirectory, 'assets/store-template.tgz');
const stamp = `${template}.version`;

const require = createRequire(join(packageDirectory, 'package.json'));
const enginePackage = join(dirname(require.resolve('@electric-sql/pglite')), '../package.json');
const { version } = JSON.parse(readFileSync(enginePackage, 'utf8'));

if (existsSync(template) && existsSync(stamp) && readFileSync(stamp, 'utf8') === version) process.exit(0);

const { PGlite } = await import(require.resolve('@electric-sql/pglite').replace(/index\.cjs$/, 'index.js'));
const database = await PGlite.create();
// Loaded pages and statistics settle, and the log is cut short.
await database.exec('vacuum analyze');
await database.exec('checkpoint');
const dump = await database.dumpDataDir('gzip');
mkdirSync(dirname(template), { recursive: true });
writeFileSync(`${template}.new`, Buffer.from(await dump.arrayBuffer()));
renameSync(`${template}.new`, template);
writeFileSync(stamp, version);
await database.close();
