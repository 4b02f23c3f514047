// HNPX books of 1 and 10 MB: what the tools cost, beside the raw write of the same bytes in the same run,
// and whether four writing processes lose anything.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';
import { generateBook } from './generate-book.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);
const measure = fileURLToPath(new URL('./measure.mjs', import.meta.url));
const writer = fileURLToPath(new URL('./writer.mjs', import.meta.url));
const directory = mkdtempSync(join(process.env.BENCH_DIRECTORY ?? tmpdir(), 'waymark-bench-hnpx-'));
const targets = { create: 2.5, next: 1, node: 0.1, render: 150, open: 400, rss: 300 };

try {
  for (const megabytes of [1, 10]) {
    const pristine = join(directory, 'pristine');
    writeFileSync(pristine, generateBook(megabytes * 1e6));
    const runs = Array.from({ length: rounds }, () => {
      copyFileSync(pristine, join(directory, `book-${megabytes}.hnpx`));
      const { stdout, status } = spawnSync(process.execPath, [measure, String(megabytes), directory], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (status !== 0) throw new Error(`the ${megabytes} MB run failed`);
      return JSON.parse(stdout);
    });
    const of = (pick) => median(runs.map(pick));
    console.log(`\n${megabytes} MB, ${runs[0].nodes} nodes (median of ${rounds} processes)`);
    row(
      'create_paragraph, durable',
      of((run) => run.create_paragraph_ms.median),
      'ms',
    );
    row(
      '  raw write of the same bytes',
      of((run) => run.raw_write_ms.median),
      'ms',
    );
    row(
      '  ratio of the medians',
      of((run) => run.create_paragraph_ms.median / run.raw_write_ms.median),
      '×',
      targets.create,
    );
    row(
      '  ratio of the best',
      of((run) => run.create_paragraph_ms.min / run.raw_write_ms.min),
      '×',
      targets.create,
    );
    row(
      'get_next_empty_container',
      of((run) => run.get_next_empty_ms.median),
      'ms',
      targets.next,
    );
    row(
      'get_node',
      of((run) => run.get_node_ms.median),
      'ms',
      targets.node,
    );
    row(
      'render_document',
      of((run) => run.render_document_ms.median),
      'ms',
      targets.render,
    );
    row(
      'cold open',
      of((run) => run.cold_open_ms),
      'ms',
      targets.open,
    );
    row(
      'peak memory',
      of((run) => run.rss_mb),
      'MB',
      targets.rss,
    );
  }
  for (let round = 1; round <= rounds; round++) {
    const book = join(directory, 'shared.hnpx');
    writeFileSync(book, generateBook(1e4));
    const processes = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [writer, directory], { stdio: 'inherit' }),
    );
    await Promise.all(processes.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    const kept = readFileSync(book, 'utf8').split('by a bench process').length - 1;
    console.log(`four processes × 50 creates, run ${round}: ${kept} of 200 kept${kept === 200 ? '' : '  FAILED'}`);
    if (kept !== 200) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function row(name, value, unit, limit) {
  const shown = value.toFixed(value < 10 ? 2 : 0);
  const verdict = limit === undefined ? '' : `   (at most ${limit} ${unit}${value <= limit ? '' : ', MISSED'})`;
  console.log(`  ${name.padEnd(32)} ${shown.padStart(8)} ${unit}${verdict}`);
}
