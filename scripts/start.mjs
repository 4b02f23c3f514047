// @ts-check
// `npm start`: from a fresh clone to a running server. Does nothing that is already done.
import { join } from 'node:path';
import { buildWhatIsStale } from './lib/build.mjs';
import { repository } from './lib/files.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { requireNode } from './lib/node-version.mjs';
import { become } from './lib/processes.mjs';

requireNode();

try {
  await ensureInstalled('.', { announce: 'Installing packages (the first start takes a minute)' });
  await buildWhatIsStale();
  const args = process.argv.slice(2);
  const waymark = join(repository, 'packages/waymark/bin/waymark.js');
  process.exitCode = await become(process.execPath, [waymark, 'serve', ...args], { cwd: process.cwd() });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
