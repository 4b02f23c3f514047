// From spawn to the first answered tools/list on stdio: a bare SDK server against Waymark's toolsets.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';

const rounds = Number(process.env.ROUNDS ?? 9);
const waymark = fileURLToPath(new URL('../../packages/waymark/bin/waymark.js', import.meta.url));
const bare = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const cases = {
  'bare SDK server': [bare],
  'waymark mcp sop': [waymark, 'mcp', 'sop', '--data', data],
  'waymark mcp hnpx': [waymark, 'mcp', 'hnpx', '--data', data],
  'waymark mcp (all, core)': [waymark, 'mcp', '--data', data],
};
const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(cases)) times[name].push(await firstAnswer(args));
}
const reference = median(times['bare SDK server']);
console.log('stdio: spawn to first tools/list answer (median of', rounds, 'rounds)');
for (const [name, values] of Object.entries(times)) {
  const value = median(values);
  console.log(`  ${name.padEnd(26)} ${value.toFixed(0).padStart(5)} ms   ${(value / reference).toFixed(2)}×`);
}

function firstAnswer(args) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'bench', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  return new Promise((resolve, reject) => {
    let buffer = '';
    child.once('error', reject);
    child.stdout.on('data', (chunk) => {
      buffer += chunk;
      for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
        const message = JSON.parse(buffer.slice(0, end));
        buffer = buffer.slice(end + 1);
        if (message.id === 1) {
          send({ method: 'notifications/initialized' });
          send({ id: 2, method: 'tools/list' });
        } else if (message.id === 2) {
          const elapsed = performance.now() - started;
          child.stdin.end();
          child.once('exit', () => resolve(elapsed));
        }
      }
    });
  });
}
