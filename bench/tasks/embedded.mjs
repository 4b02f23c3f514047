// What the tools cost in process on the embedded store, as the agent calls them. Needs a build.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInProcess, createCatalog, createEvents, createHost } from '../../packages/waymark/dist/kit/index.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { createTasksToolset } from '../../packages/waymark/dist/tasks/index.js';
import { percentile } from '../lib/stats.mjs';

const rounds = Number(process.env.ROUNDS ?? 500);
const dataDirectory = mkdtempSync(join(tmpdir(), 'waymark-bench-tasks-'));
const store = await openStore({ dataDirectory });
const toolset = createTasksToolset({ store: async () => store, events: createEvents() });
const client = await connectInProcess(createCatalog([toolset]), createHost(), { user: { id: 'local', scopes: 'all' } });
const call = async (name, args) =>
  (await client.callTool({ name, arguments: { user_id: 'local', ...args } })).structuredContent;
const ids = [];
const workloads = {
  add_task: async (round) => ids.push((await call('add_task', { title: `buy milk number ${round}` })).task.id),
  'add_task with a date': (round) => call('add_task', { title: `call mom ${round}`, due_date: 'tomorrow at 5pm' }),
  list_tasks: () => call('list_tasks', {}),
  'list_tasks, search': (round) => call('list_tasks', { search: `number ${round} ` }),
  update_task: (round) => call('update_task', { task_id: ids[round], priority: 'high' }),
  complete_task: (round) => call('complete_task', { task_id: ids[round] }),
};
console.log(`In process on the embedded store, ${rounds} calls each:`);
for (const [name, run] of Object.entries(workloads)) {
  const samples = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run(round);
    samples.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / rounds / 1000).toFixed(2);
  console.log(
    `  ${name.padEnd(22)} ${cpu} ms CPU  p50 ${percentile(samples, 0.5).toFixed(2)} ms  p95 ${percentile(samples, 0.95).toFixed(2)} ms`,
  );
}
await client.close();
await store.close();
rmSync(dataDirectory, { recursive: true, force: true });
