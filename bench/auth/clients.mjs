// A thousand clients with tokens, each on a connection of its own, calling a tool once a second for a minute.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AccessTokens } from '../../packages/waymark/dist/server/auth/access-tokens.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { percentile, residentMegabytes } from '../lib/stats.mjs';

const clients = Number(process.env.CLIENTS ?? 1000);
const seconds = Number(process.env.SECONDS ?? 60);
const people = 50;
const data = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const tokens = await prepare();
const server = await start();
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const times = [];
const failures = new Map();
const end = performance.now() + seconds * 1000;

await Promise.all(
  Array.from({ length: clients }, (_, index) => client(tokens[index % people], `user-${index % people}`)),
);
console.log(
  `${clients} clients, ${seconds} s: ${times.length} calls, ${[...failures.values()].reduce((sum, count) => sum + count, 0)} failures ${JSON.stringify([...failures])}`,
);
console.log(
  `latency p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms; server ${await residentMegabytes(server.child.pid)} MB`,
);
agent.destroy();
server.child.kill();

async function prepare() {
  const store = await openStore({ dataDirectory: data });
  const access = new AccessTokens(async () => store);
  const made = [];
  for (let index = 0; index < people; index++) {
    await store.pool.query('insert into users (id) values ($1)', [`user-${index}`]);
    made.push((await access.create(`user-${index}`, 'bench', ['tasks:read'], null)).token);
  }
  await store.close();
  return made;
}

function start() {
  const program = fileURLToPath(new URL('../../packages/waymark/bin/waymark.js', import.meta.url));
  const args = [
    program,
    'serve',
    '--port',
    '0',
    '--auth',
    'embedded',
    '--data',
    data,
    '--toolsets',
    'tasks',
    '--log-level',
    'error',
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const match = /ready at (http\S+)/.exec(chunk);
      if (match) resolve({ child, url: `${match[1]}/mcp` });
    });
  });
}

async function client(token, user) {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000));
  while (performance.now() < end) {
    const started = performance.now();
    const outcome = await call(token, user).catch((error) => error.code ?? error.message);
    if (outcome === 'ok') times.push(performance.now() - started);
    else failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - (performance.now() - started))));
  }
}

function call(token, user) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_tasks', arguments: { user_id: user, limit: 5 }, _meta: meta },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list_tasks',
    authorization: `Bearer ${token}`,
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(server.url, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve(response.statusCode === 200 && text.includes('"success":true') ? 'ok' : `HTTP ${response.statusCode}`),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
