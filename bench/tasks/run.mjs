// Adding, listing and completing tasks over MCP HTTP on a Postgres server: the whole of `waymark serve` against
// the bare SDK that runs the same SQL, in turns. Needs a build.
import { spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { cpuMicroseconds, median } from '../lib/stats.mjs';
import { withDatabase } from './database.mjs';

const sampleSeconds = Number(process.env.SAMPLE ?? 3);
const rounds = Number(process.env.ROUNDS ?? 5);
const width = Number(process.env.WIDTH ?? 16);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};

const children = [];
process.on('exit', () => children.forEach((child) => child.kill()));

await withDatabase(async (ours) => {
  await withDatabase(async (theirs) => {
    const servers = {
      'bare SDK': await start([here('./bare-server.mjs')], theirs, ''),
      waymark: await start([here('../../packages/waymark/bin/waymark.js'), 'serve', '--port', '0'], ours, '/tasks'),
    };
    const workloads = {
      add_task: (round) => ({ title: `task ${round}` }),
      list_tasks: () => ({}),
      complete_task: (_round, ids) => ({ task_id: ids.pop() }),
    };
    for (const server of Object.values(servers)) {
      for (const [tool, argumentsOf] of Object.entries(workloads)) {
        if (tool !== 'complete_task') await drive(server, tool, argumentsOf, 2);
      }
    }
    console.log(`MCP over HTTP on Postgres, ${width} at once, medians of ${rounds} rounds in turns:`);
    for (const [tool, argumentsOf] of Object.entries(workloads)) {
      const results = { 'bare SDK': [], waymark: [] };
      for (let round = 0; round < rounds; round++) {
        for (const [name, server] of Object.entries(servers)) {
          const ids = tool === 'complete_task' ? await openTasks(server.database) : [];
          const before = await cpuMicroseconds(server.pid);
          const calls = await drive(
            server,
            tool,
            (index) => argumentsOf(index, ids),
            sampleSeconds,
            () => tool !== 'complete_task' || ids.length > 0,
          );
          results[name].push({
            perSecond: calls.count / calls.seconds,
            cpu: ((await cpuMicroseconds(server.pid)) - before) / calls.count,
          });
        }
      }
      const of = (name, field) => median(results[name].map((sample) => sample[field]));
      for (const name of Object.keys(results)) {
        console.log(
          `  ${tool.padEnd(14)} ${name.padEnd(9)} ${of(name, 'perSecond').toFixed(0).padStart(6)} calls/s ${of(name, 'cpu').toFixed(0).padStart(6)} µs CPU per call`,
        );
      }
      console.log(
        `  ${tool.padEnd(14)} ${(of('waymark', 'perSecond') / of('bare SDK', 'perSecond')).toFixed(2)}× the rate of the bare SDK`,
      );
    }
    for (const { child } of Object.values(servers)) child.kill();
  });
}).catch((error) => {
  console.error(error);
  process.exit(1);
});

function start(args, database, path) {
  const environment = { ...process.env, DATABASE_URL: database, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => code && reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const match = /ready at (http[^\s]+?)\/?\s/.exec(chunk);
      if (match) resolve({ child, pid: child.pid, url: `${match[1]}/mcp${path}`, database });
    });
  });
}

async function openTasks(database) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query('select id from tasks where not completed limit 20000');
  await client.end();
  return rows.map((row) => row.id);
}

async function drive(server, tool, argumentsOf, seconds, hasMore = () => true) {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() - started < seconds * 1000 && hasMore()) {
        await call(server.url, tool, { user_id: 'local', ...argumentsOf(count) }, agent);
        count += 1;
      }
    }),
  );
  agent.destroy();
  return { count, seconds: (performance.now() - started) / 1000 };
}

function call(url, name, args, agent) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta: meta },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200 && text.includes('"success":true') ? resolve(text) : reject(new Error(text)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
