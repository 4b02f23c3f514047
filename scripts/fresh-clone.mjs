// @ts-check
// Proves the path of a newcomer: clone into an empty folder, `npm start`, use it, stop it, start it again.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './lib/files.mjs';
import { run } from './lib/processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'waymark-clone-'));
const clone = join(folder, 'waymark');

try {
  const cloned = await run('git', ['clone', '--quiet', repository, clone]);
  assert(cloned.code === 0, `git clone failed: ${cloned.output}`);

  const first = await start();
  const health = await first.get('/healthz');
  assert(health.status === 'ok', `/healthz answered ${JSON.stringify(health)}`);
  const added = await first.call('add_task', { user_id: 'local', title: 'buy milk' });
  assert(added.success === true, `add_task answered ${JSON.stringify(added)}`);
  await first.stop();

  const second = await start();
  assert(!/Installing|Building/.test(second.said()), `the second start did work again:\n${second.said()}`);
  const listed = await second.call('list_tasks', { user_id: 'local' });
  assert(listed.tasks?.[0]?.title === 'buy milk', `list_tasks answered ${JSON.stringify(listed)}`);
  await second.stop();

  console.log(`fresh clone: ready after ${first.seconds} s, the second time after ${second.seconds} s`);
} catch (error) {
  console.error(`fresh clone: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs `npm start` until it is ready. */
async function start() {
  const began = performance.now();
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'data')], {
    cwd: clone,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`npm start was not ready in time:\n${said}`)), 600_000);
    const listen = (/** @type {Buffer} */ chunk) => {
      said += chunk.toString();
      const ready = /Waymark ready at (\S+)/.exec(said);
      if (!ready?.[1]) return;
      clearTimeout(deadline);
      resolve(ready[1]);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void ended.then((code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
  return {
    seconds: ((performance.now() - began) / 1000).toFixed(1),
    said: () => said,
    /** @param {string} path @returns {Promise<{ status?: string }>} */
    async get(path) {
      return /** @type {{ status?: string }} */ (await (await fetch(url + path)).json());
    },
    /** @param {string} name @param {Record<string, unknown>} args */
    async call(name, args) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      const text = await response.text();
      const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      return JSON.parse(data).result?.structuredContent ?? { unexpected: text };
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      assert(code === 0, `npm start ended with ${code} after SIGTERM:\n${said}`);
      await fetch(`${url}/healthz`).then(
        () => assert(false, 'the server still answers after npm start has ended'),
        () => undefined,
      );
    },
  };
}

/** @param {boolean} condition @param {string} message @returns {asserts condition} */
function assert(condition, message) {
  if (!condition) throw new Error(message);
}
