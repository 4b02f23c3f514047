// @ts-check
// `npm run check`: everything that can be known without running the product. Runs all of it, then says what failed.
import { findFiles } from './lib/files.mjs';
import { everyFileIsTypeChecked, nothingOfThisMachine } from './lib/guards.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run } from './lib/processes.mjs';

const node = process.execPath;
const tsc = 'node_modules/typescript/bin/tsc';
const webProjects = findFiles(['packages/studio', 'packages/widgets'], /^packages\/[^/]+\/tsconfig.*\.json$/);
const projects = ['packages/waymark/tsconfig.json', 'tsconfig.test.json', 'tsconfig.scripts.json', ...webProjects];

/** @param {string} command @param {...string} args */
function program(command, ...args) {
  return async () => {
    const { code, output } = await run(command, args);
    return { ok: code === 0, output };
  };
}

/** @type {Record<string, () => Promise<{ ok: boolean, output: string }>>} */
const checks = {
  // First: publint and knip look at what the build made.
  'types: product': program(node, tsc, '-b'),
  'types: tests': program(node, tsc, '-p', 'tsconfig.test.json'),
  'types: scripts': program(node, tsc, '-p', 'tsconfig.scripts.json'),
  ...Object.fromEntries(
    webProjects.map((project) => [`types: ${project.split('/')[1]}`, program(node, tsc, '-p', project)]),
  ),
  'types: studio': program(node, tsc, '-p', 'packages/studio'),
  lint: program('node_modules/.bin/oxlint', '--type-aware', '--deny-warnings'),
  format: program('node_modules/.bin/oxfmt', '--check', '.'),
  'dead code': program('node_modules/.bin/knip', '--no-progress'),
  'package exports': program('node_modules/.bin/publint', 'run', 'packages/waymark', '--strict'),
  'coverage page': program(node, 'scripts/coverage-doc.mjs', '--check'),
  'every file type-checked': () => everyFileIsTypeChecked(projects),
  'nothing of this machine': nothingOfThisMachine,
};

await ensureInstalled('.');
const results = [];
for (const [name, check] of Object.entries(checks)) {
  const started = performance.now();
  const { ok, output } = await check().catch((error) => ({ ok: false, output: String(error) }));
  results.push({ name, ok, output, seconds: ((performance.now() - started) / 1000).toFixed(1) });
}

for (const { name, ok, output } of results) if (!ok) console.log(`── ${name}\n${output.trim()}\n`);
const width = Math.max(...results.map(({ name }) => name.length));
for (const { name, ok, seconds } of results)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${seconds} s`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
