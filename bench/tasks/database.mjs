// A fresh database: on BENCH_POSTGRES if that is set, else on a throw-away server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

let count = 0;

export async function withDatabase(work) {
  const { url: server, stop } = process.env.BENCH_POSTGRES
    ? { url: process.env.BENCH_POSTGRES, stop() {} }
    : await startServer();
  const name = `waymark_bench_${process.pid}_${count++}`;
  await statement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await statement(server, `drop database ${name} with (force)`);
    stop();
  }
}

async function startServer() {
  const program = fileURLToPath(new URL('../../scripts/test-postgres.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, reason } = JSON.parse(line);
  if (!url) throw new Error(reason);
  return { url, stop: () => child.stdin.end() };
}

async function statement(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
