// Waymark's graph engine beside npm mcpgraph: `npm ci --prefix bench && node bench/graph/run.mjs [--rounds 3] [--only loop]`
// One fresh process per engine, scenario and round, engines taking turns; the table shows medians.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';
import { measureHistory } from './history.mjs';
import { scenarios } from './scenarios.mjs';

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});
const worker = fileURLToPath(new URL('worker.mjs', import.meta.url));
const engines = ['waymark', 'mcpgraph'];

async function measure(engine, scenario) {
  const { stdout } = await promisify(execFile)(process.execPath, [worker, engine, scenario], {
    maxBuffer: 1 << 30,
    timeout: 300_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

function medians(rounds) {
  return Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]));
}

const show = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3));

for (const [name, { peer = true }] of Object.entries(scenarios)) {
  if (!name.includes(flags.only)) continue;
  const measured = new Map(engines.map((engine) => [engine, []]));
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const engine of engines)
      if (engine === 'waymark' || peer) measured.get(engine).push(await measure(engine, name));
  }
  console.log(`\n${name}`);
  const ours = medians(measured.get('waymark'));
  const theirs = peer ? medians(measured.get('mcpgraph')) : undefined;
  for (const key of Object.keys(ours)) {
    const ratio = theirs && key !== 'of' && ours[key] > 0 ? `  ${(theirs[key] / ours[key]).toFixed(1)}×` : '';
    console.log(
      `  ${key.padEnd(22)} waymark ${show(ours[key]).padStart(9)}   mcpgraph ${(theirs ? show(theirs[key]) : '-').padStart(9)}${ratio}`,
    );
  }
}
if ('history'.includes(flags.only) || flags.only === '') {
  const { runs, ms } = await measureHistory();
  console.log(`\nhistory\n  first page of ${runs} recorded runs: ${show(ms)} ms`);
}
