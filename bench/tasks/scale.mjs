// What a page of tasks and a search cost with 1,000 to 1,000,000 tasks in the table, on a Postgres server.
// Half of the tasks belong to one person, who asks. Needs a build. SIZES=1000,10000 for a short run.
import { percentile } from '../lib/stats.mjs';
import { insertTasks } from '../../packages/waymark/dist/tasks/task-store.js';
import { dueBound, listTasks } from '../../packages/waymark/dist/tasks/list-query.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { withDatabase } from './database.mjs';

const sizes = (process.env.SIZES ?? '1000,10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env.ROUNDS ?? 200);
const words =
  'buy call write read pay visit plan fix clean send book check order cook water paint move sort print sign'.split(' ');
const things =
  'milk rent letter report garden dentist flight invoice kitchen window bicycle passport camera lamp carpet ticket'.split(
    ' ',
  );
const pick = (list, seed) => {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return list[((mixed ^ (mixed >>> 12)) >>> 0) % list.length];
};

await withDatabase(async (url) => {
  const store = await openStore({ url, dataDirectory: '/nonexistent' });
  const db = { query: async (text, values) => (await store.pool.query(text, values)).rows };
  await db.query(`insert into users (id) values ('ada'), ('others')`, []);
  console.log('Milliseconds on a Postgres server, p50 / p95 of', rounds);
  const questions = {
    'first page': () => [{}],
    'page of open, high': () => [{ completed: false, priority: 'high' }],
    'page after a cursor': (_round, cursor) => [{}, cursor],
    'search, common word': () => [{ search: 'milk' }],
    'search, one match': (round, _cursor, size) => [{ search: `number ${(round * 7919) % size} ` }],
    'search, no match': (round) => [{ search: `xylophone${round}` }],
    'search, two letters': () => [{ search: 'zq' }],
    'due this week': () => [
      { dueBefore: dueBound(new Date('2026-11-25'), 'UTC'), dueAfter: dueBound(new Date('2026-11-18'), 'UTC') },
    ],
  };
  console.log(['tasks'.padStart(9), ...Object.keys(questions).map((name) => name.padStart(20))].join(' '));
  let filled = 0;
  for (const size of sizes) {
    await fill(db, filled, size);
    filled = size;
    await db.query('vacuum analyze tasks', []);
    const { next } = await listTasks(db, 'ada', {}, 50);
    const cells = [];
    for (const question of Object.values(questions)) {
      const samples = [];
      for (let round = -20; round < rounds; round++) {
        const [filter, cursor] = question(Math.abs(round), next, size);
        const started = performance.now();
        await listTasks(db, 'ada', filter, 50, cursor);
        if (round >= 0) samples.push(performance.now() - started);
      }
      cells.push(`${percentile(samples, 0.5).toFixed(2)} / ${percentile(samples, 0.95).toFixed(2)}`.padStart(20));
    }
    console.log([String(size).padStart(9), ...cells].join(' '));
  }
  if (process.env.EXPLAIN) await explain(store);
  await store.close();
});

async function fill(db, from, to) {
  const at = new Date('2026-11-18T12:00:00Z');
  for (let start = from; start < to; start += 1000) {
    const rows = { ada: [], others: [] };
    for (let index = start; index < Math.min(to, start + 1000); index++) {
      const day = new Date(at.getTime() + (index % 3000) * 86_400_000).toISOString().slice(0, 10);
      rows[index % 2 ? 'others' : 'ada'].push({
        id: `task_${index}`,
        content: {
          title: `${pick(words, index)} the ${pick(things, index * 7)} number ${index} `.trim(),
          description: index % 5 ? null : `about the ${pick(things, index * 3)} for ${pick(words, index * 5)}`,
          dueDate: index % 3 ? null : day,
          priority: ['low', 'medium', 'high'][index % 3],
          completed: index % 4 === 0,
          completedAt: index % 4 === 0 ? at : null,
          labels: [],
          recurrence: null,
        },
      });
    }
    for (const [userId, tasks] of Object.entries(rows)) {
      if (tasks.length > 0) await insertTasks(db, tasks, { userId, at, batch: 'fill' });
    }
  }
}

async function explain(store) {
  const queries = [];
  const spy = { query: async (text, values) => (queries.push([text, values]), []) };
  await listTasks(spy, 'ada', {}, 50);
  await listTasks(spy, 'ada', { search: 'number 4242' }, 50);
  await listTasks(spy, 'ada', { search: 'milk' }, 50);
  for (const [text, values] of queries) {
    const { rows } = await store.pool.query(`explain (analyze, buffers off, timing off) ${text}`, values);
    console.log(rows.map((row) => row['QUERY PLAN']).join('\n'), '\n');
  }
}
