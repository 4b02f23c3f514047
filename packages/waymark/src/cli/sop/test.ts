import { dirname, resolve } from 'node:path';
import { type Coverage, ratio } from '../../sop/coverage.ts';
import { parseWalkTests, runWalkTests, type WalkResult } from '../../sop/walk-test.ts';
import { CliError } from '../cli-error.ts';
import { readSop, readText } from './read-file.ts';

interface TestFlags {
  readonly json?: boolean;
  readonly minCoverage?: number;
}

export async function testFiles(files: readonly string[], flags: TestFlags): Promise<void> {
  const reports: { file: string; results: WalkResult[]; coverage: Coverage }[] = [];
  for (const file of files) {
    const { file: tests, problems } = parseWalkTests(await readText(file));
    if (!tests) {
      const lines = problems.map(
        ({ line, column, code, message }) => `${file}:${line}:${column} error ${code} ${message}`,
      );
      throw new CliError(lines.join('\n'), 2);
    }
    const sop = await readSop(resolve(dirname(file), tests.sop));
    reports.push({ file, ...runWalkTests(sop, tests.tests) });
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
  else for (const report of reports) printReport(report);
  const isThin = ({ coverage: { nodes } }: { coverage: Coverage }) =>
    flags.minCoverage !== undefined && nodes.visited * 100 < flags.minCoverage * nodes.total;
  const failed = reports.some(({ results }) => results.some(({ failure }) => failure));
  const thin = reports.find(isThin);
  if (thin && !failed)
    throw new CliError(`${thin.file}: node coverage ${ratio(thin.coverage.nodes)} is below ${flags.minCoverage} %`, 1);
  if (failed) process.exitCode = 1;
}

function printReport({ file, results, coverage }: { file: string; results: WalkResult[]; coverage: Coverage }): void {
  for (const { name, failure } of results) {
    process.stdout.write(failure ? `✗ ${name}\n  ${file}:${failure.line} ${failure.message}\n` : `✓ ${name}\n`);
  }
  const passed = results.filter(({ failure }) => !failure).length;
  process.stdout.write(`${passed} of ${results.length} walks as expected\n`);
  process.stdout.write(`nodes ${ratio(coverage.nodes)}, edges ${ratio(coverage.edges)}\n`);
  if (coverage.nodes.missed.length > 0) process.stdout.write(`not visited: ${coverage.nodes.missed.join(', ')}\n`);
  if (coverage.edges.missed.length > 0) process.stdout.write(`not taken: ${coverage.edges.missed.join(', ')}\n`);
}
