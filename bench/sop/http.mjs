// goto_node over HTTP against a tool that only echoes, on the same server.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { cpuMicroseconds, median } from '../lib/stats.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const width = 8;
const seconds = Number(process.env.SAMPLE ?? 2);
const rounds = Number(process.env.ROUNDS ?? 5);

export async function compareHttp() {
  const child = spawn(process.execPath, [here('./server.mjs'), mkdtempSync(join(tmpdir(), 'waymark-bench-'))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const url = await new Promise((resolve) =>
    child.stdout.on('data', (chunk) => resolve(new URL('/mcp', /http\S+/.exec(chunk)[0]))),
  );
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(url));
  const {
    structuredContent: { conversation_id },
  } = await client.callTool({ name: 'load_graph', arguments: { sop_file: 'retail.md' } });
  await client.callTool({
    name: 'goto_node',
    arguments: { node_id: 'START', node_ids: ['START', 'AUTH'], conversation_id },
  });
  const asks = {
    echo: { name: 'echo', arguments: { text: 'AUTH', conversation_id } },
    goto_node: { name: 'goto_node', arguments: { node_id: 'AUTH', conversation_id } },
  };
  const samples = { echo: [], goto_node: [] };
  for (const ask of Object.values(asks)) await drive(client, ask, seconds);
  for (let round = 0; round < rounds; round++) {
    for (const [name, ask] of Object.entries(asks)) {
      const before = await cpuMicroseconds(child.pid);
      const calls = await drive(client, ask, seconds);
      samples[name].push(((await cpuMicroseconds(child.pid)) - before) / calls);
    }
  }
  const [echo, goto] = [median(samples.echo), median(samples.goto_node)];
  console.log(
    `HTTP, CPU of the server per call: echo ${echo.toFixed(0)} µs, goto_node ${goto.toFixed(0)} µs (${((goto / echo - 1) * 100).toFixed(0)} % more)`,
  );
  await client.close();
  child.kill();
}

async function drive(client, ask, duration) {
  const end = performance.now() + duration * 1000;
  let calls = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() < end) {
        await client.callTool(ask);
        calls++;
      }
    }),
  );
  return calls;
}
