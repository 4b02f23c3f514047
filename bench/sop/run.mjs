// SOP toolset: parsing against mermaid's own parser, moves in process and over HTTP, memory per conversation.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';
import { compareHttp } from './http.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const rounds = Number(process.env.ROUNDS ?? 5);

/** Each measurement runs in a process of its own, so that loading and warming up count. */
function measure(what, ...options) {
  const samples = Array.from({ length: rounds }, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [...options, here('./measure.mjs'), what], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  const fields = Object.keys(samples[0]);
  return Object.fromEntries(fields.map((field) => [field, median(samples.map((sample) => sample[field]))]));
}

const ours = measure('parse');
const mermaid = measure('mermaid');
console.log(`Parsing the flowchart of a 40-node SOP (medians of ${rounds} processes):`);
console.log(
  `  load and first parse, CPU     waymark ${ours.loadCpu.toFixed(1)} ms   mermaid ${mermaid.loadCpu.toFixed(0)} ms   ${(mermaid.loadCpu / ours.loadCpu).toFixed(0)}×`,
);
console.log(
  `  parse again, CPU              waymark ${ours.againCpu.toFixed(3)} ms   mermaid ${mermaid.againCpu.toFixed(2)} ms   ${(mermaid.againCpu / ours.againCpu).toFixed(0)}×`,
);
const file = measure('file');
console.log(
  `Whole SOP file: first load_graph ${file.first.toFixed(1)} ms (${file.firstCpu.toFixed(1)} ms CPU), again ${file.again.toFixed(2)} ms`,
);
const moves = measure('moves');
console.log(
  `goto_node in process: ${moves.plain.toFixed(1)} µs a move, ${moves.recorded.toFixed(1)} µs with every move recorded in a file`,
);
const memory = measure('memory', '--expose-gc');
console.log(
  `10,000 live conversations of 20 moves: ${memory.growth.toFixed(0)} MB more, ${memory.resident.toFixed(0)} MB resident`,
);
await compareHttp();
