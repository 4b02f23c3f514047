import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const example = fileURLToPath(new URL('../../examples/sop/retail.md', import.meta.url));
const dist = new URL('../../packages/waymark/dist/', import.meta.url);
const [, flowchart = ''] = /```mermaid\n([\s\S]*?)```/.exec(readFileSync(example, 'utf8')) ?? [];

const cpuMilliseconds = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** CPU of loading a parser and of its first parse, then of one more parse when warm. */
async function measureParser(load) {
  const before = process.cpuUsage();
  const parse = await load();
  await parse(flowchart);
  const loadCpu = cpuMilliseconds(before);
  const times = 200;
  for (let index = 0; index < times; index++) await parse(flowchart);
  const warm = process.cpuUsage();
  for (let index = 0; index < times; index++) await parse(flowchart);
  return { loadCpu, againCpu: cpuMilliseconds(warm) / times };
}

async function openTools(dataDirectory) {
  const kit = await import(new URL('kit/index.js', dist));
  const { createSopToolset } = await import(new URL('sop/index.js', dist));
  const roots = await kit.createRoots([dirname(example)]);
  const toolset = await createSopToolset({
    roots,
    events: kit.createEvents(),
    dataDirectory,
    limits: { idleMilliseconds: 1e9, live: 20_000 },
  });
  const host = kit.createHost();
  const context = {
    user: { id: 'local', scopes: 'all' },
    conversation: undefined,
    signal: new AbortController().signal,
    progress() {},
    log: host.log,
    clock: host.clock,
    randomId: host.randomId,
    answers: undefined,
    meta: {},
  };
  const byName = new Map(toolset.tools().map((tool) => [tool.name, tool]));
  return (name, args) => kit.callTool(toolset, byName.get(name), args, context);
}

const cycle = ['AUTH', 'ROUTE', 'CHK_MOD', 'IS_PENDING_M', 'COLLECT_MOD_ADDR', 'DO_MOD_ADDR', 'END_MOD', 'START'];

async function timeMoves(dataDirectory) {
  const call = await openTools(dataDirectory);
  const {
    structuredContent: { conversation_id },
  } = await call('load_graph', { sop_file: 'retail.md' });
  await call('goto_node', { node_id: 'START', conversation_id });
  const rounds = 4000;
  let started = 0;
  for (let round = 0; round < rounds * 2; round++) {
    if (round === rounds) started = performance.now();
    for (const node_id of cycle) await call('goto_node', { node_id, conversation_id });
  }
  return ((performance.now() - started) * 1000) / (rounds * cycle.length);
}

const measurements = {
  parse: () => measureParser(async () => (await import(new URL('sop/flowchart/flowchart.js', dist))).readFlowchart),
  mermaid: () =>
    measureParser(async () => {
      const { default: purify } = await import('dompurify');
      purify.addHook = () => {};
      purify.sanitize = (text) => text;
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({ logLevel: 5 });
      return (text) => mermaid.mermaidAPI.getDiagramFromText(text);
    }),
  async file() {
    const call = await openTools();
    // A server that has just started has a moment before it is asked.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const cpu = process.cpuUsage();
    const before = performance.now();
    await call('load_graph', { sop_file: 'retail.md' });
    const first = performance.now() - before;
    const firstCpu = cpuMilliseconds(cpu);
    for (let index = 0; index < 50; index++) await call('load_graph', { sop_file: 'retail.md' });
    const warm = performance.now();
    for (let index = 0; index < 50; index++) await call('load_graph', { sop_file: 'retail.md' });
    return { first, firstCpu, again: (performance.now() - warm) / 50 };
  },
  async moves() {
    return { plain: await timeMoves(), recorded: await timeMoves(mkdtempSync(join(tmpdir(), 'waymark-bench-'))) };
  },
  async memory() {
    const call = await openTools();
    await call('load_graph', { sop_file: 'retail.md' });
    globalThis.gc();
    const before = process.memoryUsage().rss;
    for (let index = 0; index < 10_000; index++) {
      const {
        structuredContent: { conversation_id },
      } = await call('load_graph', { sop_file: 'retail.md' });
      await call('goto_node', {
        node_ids: [
          'START',
          'AUTH',
          'ROUTE',
          'CHK_MOD',
          'IS_PENDING_M',
          'COLLECT_MOD_ADDR',
          'DO_MOD_ADDR',
          'END_MOD',
          'ROUTE',
          'INFO',
          'END_INFO',
          'ROUTE',
          'CHK_EXCH',
          'IS_DELIVERED_E',
          'COLLECT_EXCH',
          'DO_EXCH',
          'END_EXCH',
          'ROUTE',
          'INFO',
          'END_INFO',
        ],
        conversation_id,
      });
      await call('todo', {
        todos: [{ content: 'Change the address', status: 'pending', completion_node: 'END_MOD' }],
        conversation_id,
      });
    }
    globalThis.gc();
    const resident = process.memoryUsage().rss;
    return { growth: (resident - before) / 1e6, resident: resident / 1e6 };
  },
};

console.log(JSON.stringify(await measurements[process.argv[2]]()));
