// 10,000 runs recorded in the embedded store, then the first page of the list.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../packages/waymark/dist/graph/history-store.js';
import { createInlineEngine, loadGraph } from '../../packages/waymark/dist/graph/index.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { median } from '../lib/stats.mjs';
import { graph } from './graphs.mjs';

export async function measureHistory(runs = 10_000) {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-bench-'));
  const store = await openStore({ dataDirectory: directory });
  const history = await openHistory(store);
  const { document } = loadGraph(JSON.stringify(graph), { file: 'bench.yaml' });
  const engine = createInlineEngine();
  for (let done = 0; done < runs; done += 500) {
    const recorder = history.recorder(document);
    const batch = Array.from(
      { length: 500 },
      () => engine.start({ document, tool: 'nothing', args: { done }, recorder }).outcome,
    );
    await Promise.all(batch);
    await history.flush();
  }
  const times = [];
  for (let round = 0; round < 20; round++) {
    const start = performance.now();
    const page = await history.list({ limit: 50 });
    times.push(performance.now() - start);
    if (page.runs.length !== 50) throw new Error(`${page.runs.length} runs on the page`);
  }
  await history.close();
  await store.close();
  await rm(directory, { recursive: true });
  return { runs, ms: median(times) };
}
