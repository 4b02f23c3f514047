// What is measured. Each scenario checks its results before it believes its times.
import assert from 'node:assert/strict';
import { median } from '../lib/stats.mjs';

const run = async (api, tool, args) => (await api.executeTool(tool, args).promise).result;

async function time(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Milliseconds of work until the code is warm. */
async function warm(work, ms = 400) {
  const end = performance.now() + ms;
  do await work();
  while (performance.now() < end);
}

const chain = (tool) => async (api) => {
  assert.deepEqual({ ...(await run(api, tool, {})) }, { n: tool === 'constant' ? 99 : 100 });
  await warm(() => run(api, tool, {}));
  return { 'µs per node': (1000 * (await time(30, () => run(api, tool, {})))) / 102 };
};

const loop = (to, rounds) => async (api) => {
  assert.equal((await run(api, 'loop', { to: 10 })).sum, 55);
  await warm(() => run(api, 'loop', { to: 50 }));
  const ms = await time(rounds, () => run(api, 'loop', { to }));
  return { ms, 'µs per iteration': (1000 * ms) / to };
};

const parallel = (count) => async (api) => {
  await run(api, 'slow', { id: -1 });
  const start = performance.now();
  const results = await Promise.allSettled(Array.from({ length: count }, (_, id) => run(api, 'slow', { id })));
  const right = results.filter(({ status, value }, id) => status === 'fulfilled' && value.id === id).length;
  return { correct: right, of: count, ms: performance.now() - start };
};

async function oneCall(api, { direct }) {
  assert.equal((await run(api, 'add', { a: 40 })).sum, 42);
  const call = () => direct({ name: 'add', arguments: { a: 1, b: 2 } });
  await warm(() => run(api, 'add', { a: 1 }));
  await warm(call);
  // One after the other, so that a bad moment of the machine meets both.
  const [through, straight] = [[], []];
  for (let round = 0; round < 600; round++) {
    through.push(await time(1, () => run(api, 'add', { a: 1 })));
    straight.push(await time(1, call));
  }
  return {
    'ms through the graph': median(through),
    'ms direct': median(straight),
    'ms added': median(through) - median(straight),
  };
}

async function payload(api, { direct }) {
  assert.equal((await run(api, 'payload', {})).count, 5000);
  await warm(() => run(api, 'payload', {}), 1500);
  const call = () => direct({ name: 'large', arguments: {} });
  await warm(call);
  return { ms: await time(15, () => run(api, 'payload', {})), 'ms direct call': await time(15, call) };
}

/** `peer: false`: too slow there, or broken in a way another scenario shows. */
export const scenarios = {
  'entry to exit': {
    work: async (api) => (
      await warm(() => run(api, 'nothing', {})),
      { µs: 1000 * (await time(200, () => run(api, 'nothing', {}))) }
    ),
  },
  'chain of 100, constant': { work: chain('constant') },
  'chain of 100, reads previous': { work: chain('previous') },
  'loop, 100 iterations': { work: loop(100, 15) },
  'loop, 500 iterations (1000 nodes)': { work: loop(500, 9) },
  'loop, 1000 iterations': { work: loop(1000, 5) },
  'loop, 10000 iterations': { work: loop(10_000, 3), peer: false },
  'one mcp node': { work: oneCall },
  'large payload, 10 transforms': { work: payload },
  '10 runs at once': { work: parallel(10) },
  '1000 runs at once': { work: parallel(1000) },
};
