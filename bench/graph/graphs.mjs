// The graph files of the benchmark, in the dialect that both engines read.
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('tool-server.mjs', import.meta.url));

const tool = (name, nodes) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  nodes,
});

function chain(name, length, expression) {
  const transforms = Array.from({ length }, (_, index) => ({
    id: `n${index}`,
    type: 'transform',
    transform: { expr: expression(index) },
    next: index === length - 1 ? 'exit' : `n${index + 1}`,
  }));
  return tool(name, [{ id: 'entry', type: 'entry', next: 'n0' }, ...transforms, { id: 'exit', type: 'exit' }]);
}

const loop = tool('loop', [
  { id: 'entry', type: 'entry', next: 'add' },
  {
    id: 'add',
    type: 'transform',
    transform: {
      expr: '$executionCount("add") = 0 ? { "n": 1, "sum": 1 } : { "n": $nodeExecution("add", -1).n + 1, "sum": $nodeExecution("add", -1).sum + $nodeExecution("add", -1).n + 1 }',
    },
    next: 'check',
  },
  {
    id: 'check',
    type: 'switch',
    conditions: [{ rule: { '<': [{ var: '$.add.n' }, { var: '$.entry.to' }] }, target: 'add' }, { target: 'last' }],
  },
  { id: 'last', type: 'transform', transform: { expr: '{ "sum": $.add.sum }' }, next: 'exit' },
  { id: 'exit', type: 'exit' },
]);

const call = (name, toolName, args) =>
  tool(name, [
    { id: 'entry', type: 'entry', next: 'call' },
    { id: 'call', type: 'mcp', server: 'tools', tool: toolName, args, next: 'exit' },
    { id: 'exit', type: 'exit' },
  ]);

const payload = tool('payload', [
  { id: 'entry', type: 'entry', next: 'fetch' },
  { id: 'fetch', type: 'mcp', server: 'tools', tool: 'large', args: {}, next: 't0' },
  ...Array.from({ length: 10 }, (_, index) => ({
    id: `t${index}`,
    type: 'transform',
    transform: {
      expr:
        index === 0 ? '{ "items": $.fetch.items, "step": 0 }' : `{ "items": $.t${index - 1}.items, "step": ${index} }`,
    },
    next: index === 9 ? 'count' : `t${index + 1}`,
  })),
  { id: 'count', type: 'transform', transform: { expr: '{ "count": $count($.t9.items) }' }, next: 'exit' },
  { id: 'exit', type: 'exit' },
]);

export const graph = {
  version: '1.0',
  server: { name: 'bench', version: '1.0.0' },
  executionLimits: { maxNodeExecutions: 10_000_000, maxExecutionTimeMs: 3_600_000 },
  mcpServers: { tools: { command: process.execPath, args: [server] } },
  tools: [
    tool('nothing', [
      { id: 'entry', type: 'entry', next: 'exit' },
      { id: 'exit', type: 'exit' },
    ]),
    chain('constant', 100, (index) => `{ "n": ${index} }`),
    chain('previous', 100, (index) => (index === 0 ? '{ "n": 1 }' : `{ "n": $.n${index - 1}.n + 1 }`)),
    loop,
    call('add', 'add', { a: '$.entry.a', b: 2 }),
    call('slow', 'slow', { id: '$.entry.id' }),
    payload,
  ],
};
