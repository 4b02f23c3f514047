// One engine, one scenario, one process: `node worker.mjs waymark "one mcp node"`
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { graph } from './graphs.mjs';
import { scenarios } from './scenarios.mjs';

const [engine, scenario] = process.argv.slice(2);
const { McpGraphApi } = await import(engine === 'waymark' ? '../../packages/waymark/dist/graph/index.js' : engine);
const file = join(mkdtempSync(join(tmpdir(), 'waymark-bench-')), 'graph.yaml');
writeFileSync(file, JSON.stringify(graph));

const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(new StdioClientTransport(graph.mcpServers.tools));
const api = new McpGraphApi(file);
const before = process.cpuUsage();
const figures = await scenarios[scenario].work(api, { direct: (request) => client.callTool(request) });
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({ ...figures, cpuMs: (user + system) / 1000, rssMb: Math.round(process.memoryUsage.rss() / 1e6) }),
);
await client.close();
await api.close();
process.exit(0);
