// @ts-check
// `npm run build`: builds what is stale.
import { buildWhatIsStale } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';

try {
  await ensureInstalled('.');
  await buildWhatIsStale();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
