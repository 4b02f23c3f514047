// The tutor on the embedded store: a turn from packs, and a large knowledge graph.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEvents } from '../../packages/waymark/dist/kit/index.js';
import { createSage } from '../../packages/waymark/dist/sage/index.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';

const turns = Number(process.env.BENCH_TURNS ?? 200);
const nodes = Number(process.env.BENCH_NODES ?? 5000);
const packs = fileURLToPath(new URL('../../packages/waymark/assets/packs', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-sage-'));
const store = await openStore({ dataDirectory: directory });
const sage = createSage({ store: async () => store, events: createEvents(), packs });
const circumstances = (userId = 'local') => ({
  userId,
  now: new Date(),
  randomId: () => randomBytes(18).toString('base64url'),
  clientZone: 'Europe/Paris',
  requestKey: undefined,
  signal: new AbortController().signal,
});

try {
  let begin = performance.now();
  const { packs: found } = await sage.library();
  row(
    'load the packs',
    performance.now() - begin,
    `${found.length} packs, ${found.flatMap((pack) => pack.concepts).length} concepts`,
  );

  const { session } = await sage.tutor.start(circumstances(), 'price freelance services confidently');
  const messages = [
    'hello',
    'I have no idea how to do that',
    'You name a high number first, so that what comes later is compared with it and seems small.',
    'I would tell the client what the result is worth to them before I say any number at all.',
    'can you explain it differently?',
  ];
  const times = [];
  for (let turn = 0; turn < turns; turn += 1) {
    begin = performance.now();
    await sage.tutor.message(circumstances(), session.id, messages[turn % messages.length]);
    times.push(performance.now() - begin);
  }
  row('a turn from packs, p50', percentile(times, 50), 'target 15 ms');
  row('a turn from packs, p95', percentile(times, 95), '');

  await fill('big', nodes);
  const graphs = [];
  for (let round = 0; round < 20; round += 1) {
    begin = performance.now();
    const graph = await sage.graph(circumstances('big'));
    graphs.push(performance.now() - begin);
    if (graph.nodes.length < nodes) throw new Error(`${graph.nodes.length} nodes instead of ${nodes}`);
  }
  row(`sage_graph of ${nodes} nodes, p50`, percentile(graphs, 50), 'target 50 ms');
} finally {
  await store.close();
  await rm(directory, { recursive: true });
}

async function fill(userId, count) {
  await sage.tutor.start(circumstances(userId), undefined);
  await store.pool.query(
    `insert into sage_outcomes (id, user_id, goal, criteria, status, created_at, worked_on_at)
     select 'out_' || n, $1, 'Goal ' || n, '[]', 'paused', now(), now() from generate_series(1, 50) n`,
    [userId],
  );
  await store.pool.query(
    `insert into sage_concepts (id, user_id, name, display_name, summary, status, discovered_at)
     select 'con_' || n, $1, 'concept_' || n, 'Concept ' || n, 'What it is about', case when n % 3 = 0 then 'understood' else 'identified' end, now()
     from generate_series(1, $2::int) n`,
    [userId, count - 50],
  );
  await store.pool.query(
    `insert into sage_edges (user_id, from_id, to_id, type)
     select $1, 'out_' || (n % 50 + 1), 'con_' || n, 'requires' from generate_series(1, $2::int) n
     union all select $1, 'con_' || n, 'con_' || (n + 1), 'relates_to' from generate_series(1, $2::int - 1) n`,
    [userId, count - 50],
  );
  await store.pool.query('analyze');
}

function percentile(values, percent) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
}

function row(name, milliseconds, note) {
  console.log(`${name.padEnd(36)} ${milliseconds.toFixed(1).padStart(8)} ms  ${note}`);
}
