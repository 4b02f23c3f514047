// One process of the benchmark: opens a store or a bare engine and times queries. Prints JSON.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [kind, directory] = process.argv.slice(2);
const count = 1_000;
const subject = kind === 'waymark' ? await openWaymark() : await openBare();
const memory = process.memoryUsage.rss() / 1e6;
await subject.query('create table if not exists bench (id text primary key, body text)');
await subject.query('delete from bench');
const insert = await time((index) =>
  subject.query('insert into bench values ($1, $2)', [`k${index}`, 'x'.repeat(200)]),
);
const select = await time((index) => subject.query('select * from bench where id = $1', [`k${index}`]));
const kysely = await time((index) => subject.select(`k${index}`));
await subject.close();
console.log(JSON.stringify({ open: subject.opened, cpu: subject.cpu, memory, queries: { insert, select, kysely } }));

async function time(run) {
  for (let index = 0; index < 100; index++) await run(-index - 1);
  const started = performance.now();
  for (let index = 0; index < count; index++) await run(index);
  return ((performance.now() - started) * 1_000) / count;
}

async function cost(run) {
  const started = performance.now();
  const before = process.cpuUsage();
  const value = await run();
  const { user, system } = process.cpuUsage(before);
  return { value, opened: performance.now() - started, cpu: (user + system) / 1_000 };
}

async function openWaymark() {
  const { openStore } = await import('../../packages/waymark/dist/store/index.js');
  const { value: store, ...costs } = await cost(() => openStore({ dataDirectory: directory }));
  return {
    ...costs,
    query: (text, values) => store.pool.query(text, values),
    select: (id) => store.db.selectFrom('bench').selectAll().where('id', '=', id).execute(),
    close: () => store.close(),
  };
}

async function openBare() {
  const require = createRequire(new URL('../../packages/waymark/package.json', import.meta.url));
  const entry = pathToFileURL(require.resolve('@electric-sql/pglite').replace(/\.cjs$/, '.js'));
  const { PGlite } = await import(entry.href);
  mkdirSync(directory, { recursive: true });
  const { value: database, ...costs } = await cost(() => PGlite.create(directory));
  const query = (text, values) => database.query(text, values);
  return {
    ...costs,
    query,
    select: (id) => query('select * from bench where id = $1', [id]),
    close: () => database.close(),
  };
}
