// The store against the bare engine it embeds: opening, memory, and what a query costs. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const program = fileURLToPath(new URL('./measure.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-store-'));

/** One child process, so that nothing is warm but the files. */
function measure(kind, directory) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, kind, directory], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const results = { waymark: [], bare: [] };
try {
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['waymark', 'bare']) {
      const directory = join(folder, `${kind}-${round}`);
      const fresh = measure(kind, directory);
      const again = measure(kind, directory);
      results[kind].push({
        fresh: fresh.open,
        freshCpu: fresh.cpu,
        existing: again.open,
        existingCpu: again.cpu,
        memory: again.memory,
        ...again.queries,
      });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const labels = {
  fresh: 'open, new directory (ms)',
  freshCpu: 'open, new directory (CPU ms)',
  existing: 'open, existing directory (ms)',
  existingCpu: 'open, existing directory (CPU ms)',
  memory: 'resident memory (MB)',
  select: 'select by key (µs)',
  kysely: 'select by key, Kysely (µs)',
  insert: 'insert, synced to disk* (µs)',
};
console.log(`store against bare PGlite (median of ${rounds} rounds)`);
for (const [key, label] of Object.entries(labels)) {
  const [own, bare] = ['waymark', 'bare'].map((kind) => median(results[kind].map((result) => result[key])));
  console.log(
    `  ${label.padEnd(36)} waymark ${own.toFixed(0).padStart(6)}   bare ${bare.toFixed(0).padStart(6)}   ${(own / bare).toFixed(2)}×`,
  );
}
console.log('  * the bare engine does not sync: it may lose a commit in a power cut');
