// `npm run bench [name…]`: runs the benchmarks one after the other, each against its peer in the same run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(here).filter((name) => existsSync(`${here}/${name}/run.mjs`));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark named ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

run('npm', ['run', '--silent', 'build'], `${here}/..`);
if (!existsSync(`${here}/node_modules`)) run('npm', ['ci', '--silent'], here);
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`);
for (const name of names.filter((candidate) => wanted.length === 0 || wanted.includes(candidate))) {
  console.log(`── ${name}`);
  run(process.execPath, [`${here}/${name}/run.mjs`], here);
  console.log('');
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
