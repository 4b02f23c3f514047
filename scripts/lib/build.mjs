// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles, repository } from './files.mjs';
import { run } from './processes.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} inputs files and directories; a change in any makes the step stale
 * @property {readonly string[]} outputs files that must exist
 * @property {readonly [string, ...string[]]} command
 */

const toolchain = ['package-lock.json', 'tsconfig.base.json'];

/** In order: a later step may use what an earlier one made. @type {readonly Step[]} */
const steps = [
  {
    name: 'waymark',
    inputs: [...toolchain, 'packages/waymark/src', 'packages/waymark/package.json', 'packages/waymark/tsconfig.json'],
    outputs: ['packages/waymark/dist/index.js'],
    command: [process.execPath, 'node_modules/typescript/bin/tsc', '-b', 'packages/waymark'],
  },
  {
    name: 'store-template',
    inputs: ['package-lock.json', 'scripts/build-store-template.mjs'],
    outputs: ['packages/waymark/assets/store-template.tgz'],
    command: [process.execPath, 'scripts/build-store-template.mjs'],
  },
  ...webStep(
    'widgets',
    ['checkin', 'progress', 'graph', 'practice'].map((name) => `packages/waymark/assets/widgets/${name}.html`),
  ),
  ...webStep('studio', ['packages/waymark/assets/studio/index.html']),
];

/** A package built by vite, once it is there. @param {string} name @param {string[]} outputs @returns {Step[]} */
function webStep(name, outputs) {
  const folder = `packages/${name}`;
  if (!existsSync(join(repository, folder, 'package.json'))) return [];
  return [
    { name, inputs: [...toolchain, folder], outputs, command: ['npm', 'run', '--silent', 'build', '-w', folder] },
  ];
}

/** Runs the steps whose inputs changed since they last succeeded. */
export async function buildWhatIsStale() {
  for (const step of steps) {
    const stamp = join(repository, '.cache/build', step.name);
    const hash = hashOf(step.inputs);
    const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
    if (isFresh && step.outputs.every((output) => existsSync(join(repository, output)))) continue;
    console.error(`Building ${step.name} …`);
    const [command, ...args] = step.command;
    const { code, output } = await run(command, args);
    if (code !== 0) throw new Error(`Building ${step.name} failed:\n${output.trim()}`);
    mkdirSync(join(repository, '.cache/build'), { recursive: true });
    writeFileSync(stamp, hash);
  }
}

const isInput = (/** @type {string} */ path) => !/\.test\.tsx?$/.test(path);

/** @param {readonly string[]} inputs */
function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs) {
    const path = join(repository, input);
    if (!existsSync(path)) continue;
    const files = statSync(path).isDirectory() ? findFiles([input], /./).filter(isInput) : [input];
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(repository, file)));
  }
  return hash.digest('hex');
}
