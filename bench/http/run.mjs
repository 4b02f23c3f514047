// Calls per second and CPU per call over HTTP, the stateless wire: Waymark's full server against the bare
// SDK; and tools/list of everything Waymark serves against the SDK's high-level server with as many tools.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMicroseconds, median, residentMegabytes } from '../lib/stats.mjs';

const warmSeconds = Number(process.env.WARM ?? 6);
const sampleSeconds = Number(process.env.SAMPLE ?? 2);
const rounds = Number(process.env.ROUNDS ?? 3);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};
const callEcho = message('tools/call', { name: 'echo', arguments: { text: 'hello' } }, 'echo');
const listTools = message('tools/list', {});

const waymark = await start([
  here('../../packages/waymark/bin/waymark.js'),
  'serve',
  '--port',
  '0',
  '--data',
  mkdtempSync(join(tmpdir(), 'waymark-bench-')),
]);
const idleMegabytes = await residentMegabytes(waymark.pid);
const tools = await toolsOf(waymark.url);
const servers = {
  'bare SDK, low-level, echo': { ...(await start([here('./bare-server.mjs')])), ask: callEcho },
  'waymark, echo': { ...(await start([here('./echo-server.mjs')])), ask: callEcho },
  [`SDK high-level, tools/list of ${tools.length}`]: {
    ...(await start([here('./bare-server.mjs')], { TOOLS: JSON.stringify(tools) })),
    ask: listTools,
  },
  [`waymark, tools/list of ${tools.length}`]: { ...waymark, ask: listTools },
};
const results = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
for (const { url, ask } of Object.values(servers)) await drive(url, ask, warmSeconds);
for (let round = 0; round < rounds; round++) {
  for (const [name, { url, pid, ask }] of Object.entries(servers)) {
    const before = await cpuMicroseconds(pid);
    const calls = await drive(url, ask, sampleSeconds);
    results[name].push({ perSecond: calls / sampleSeconds, cpu: ((await cpuMicroseconds(pid)) - before) / calls });
  }
}
console.log(`HTTP, stateless wire, 16 at once (medians of ${rounds}):`);
for (const [name, samples] of Object.entries(results)) {
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const cpu = median(samples.map((sample) => sample.cpu));
  console.log(
    `  ${name.padEnd(36)} ${perSecond.toFixed(0).padStart(6)} calls/s  ${cpu.toFixed(0).padStart(6)} µs CPU per call`,
  );
}
const [bare, ours, highLevel, list] = Object.values(results).map((samples) =>
  median(samples.map((sample) => sample.cpu)),
);
console.log(
  `  calls: ${(bare / ours).toFixed(2)}× the bare SDK; tools/list: ${(highLevel / list).toFixed(1)}× cheaper than the high-level server`,
);
console.log(`  waymark serve, idle: ${idleMegabytes} MB resident`);
for (const { child } of Object.values(servers)) child.kill();

function message(method, params, name) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name ? { 'mcp-name': name } : {}),
    'content-length': Buffer.byteLength(body),
  };
  return { body, headers };
}

function start(args, environment = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment, NODE_ENV: 'production' },
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const match = /ready at (http\S+)/.exec(chunk);
      if (match) resolve({ child, pid: child.pid, url: `${match[1]}/mcp` });
    });
  });
}

async function drive(url, ask, seconds, width = 16) {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const end = performance.now() + seconds * 1000;
  let calls = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() < end) {
        await send(url, ask, agent);
        calls += 1;
      }
    }),
  );
  agent.destroy();
  return calls;
}

function send(url, { body, headers }, agent) {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200 && !text.includes('"error":{"code"') ? resolve(text) : reject(new Error(text)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function toolsOf(url) {
  const { result } = JSON.parse(await send(url, listTools, new Agent()));
  return result.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    fields: Object.entries(tool.inputSchema.properties ?? {}).map(([name, { description = '' }]) => ({
      name,
      description,
    })),
  }));
}
