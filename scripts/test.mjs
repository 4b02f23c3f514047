// @ts-check
// `npm test`: sets up whatever the tests need and runs them all. Further arguments go to vitest.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBookTools } from './lib/book-tools.mjs';
import { buildWhatIsStale } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { repository } from './lib/files.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { requireNode } from './lib/node-version.mjs';
import { ensurePostgres } from './lib/postgres.mjs';
import { become } from './lib/processes.mjs';

const results = join(repository, '.cache/test-results.json');

requireNode();

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main() {
  await ensureInstalled('.');
  await buildWhatIsStale();
  /** Parts that could not be had, with the reason. @type {string[]} */
  const missing = [];
  const env = { ...process.env };

  await ensureInstalled('packages/waymark/test/tools', {
    announce: 'Fetching the programs that check Waymark from outside',
    scripts: false,
  }).catch((error) => missing.push(`outside programs: ${firstLine(error)}`));

  const browser = await ensureChromium();
  if ('path' in browser) env['WAYMARK_CHROMIUM'] = browser.path;
  else missing.push(`a browser: ${browser.reason}`);

  const postgres = process.env['WAYMARK_TEST_POSTGRES'] ? undefined : await ensurePostgres();
  if (postgres && 'path' in postgres) env['WAYMARK_POSTGRES_BIN'] = postgres.path;
  if (postgres && 'reason' in postgres) missing.push(`a Postgres server: ${postgres.reason}`);

  const noBookTools = await ensureBookTools();
  if (noBookTools) missing.push(`pandoc and epubcheck: ${noBookTools}`);

  mkdirSync(join(repository, '.cache'), { recursive: true });
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const code = await become(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], { env });
  return summarise(code, missing);
}

/**
 * The closing lines of the run.
 * @param {number} code of vitest
 * @param {string[]} missing
 */
function summarise(code, missing) {
  if (!existsSync(results)) {
    console.log('\nThe test run ended without results.');
    return code || 1;
  }
  /** @type {{ testResults: { name: string, status: string, assertionResults: { status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const count = (/** @type {string[]} */ ...statuses) =>
    testResults.flatMap((file) => file.assertionResults).filter((test) => statuses.includes(test.status)).length;
  // A file that could not be loaded has no tests to fail, and still is a failure.
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  console.log('');
  for (const file of broken) console.log(`failed as a whole: ${file.name.replace(repository, '')}`);
  for (const part of missing) console.log(`could not be had: ${part}`);
  const failed = count('failed') + broken.length;
  console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped', 'pending', 'todo')} skipped`);
  return code || (failed > 0 ? 1 : 0);
}

/** @param {unknown} error */
function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 3).join(' ');
}
