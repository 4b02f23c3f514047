import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { RunEvent } from '../../graph/events.ts';
import type { TestResult } from '../../graph/run-tests.ts';
import { CliError } from '../cli-error.ts';
import { ownToolsets } from './own-toolsets.ts';
import { openGraph, type OpenFlags } from './open.ts';

interface TestFlags extends OpenFlags {
  replay: string[];
  json?: boolean;
}

export function createTestCommand(): Command {
  return new Command('test')
    .description('Run the "tests" of a graph file, and recorded runs against it. Exits with 1 when one fails.')
    .argument('<file>', 'the graph file')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .option('--replay <file...>', 'runs recorded with "graph run --record"', [])
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waymark graph test flow.yaml\n  $ waymark graph test flow.yaml --replay run.json\n',
    )
    .action(test);
}

async function test(file: string, flags: TestFlags): Promise<void> {
  const document = await openGraph(file, flags);
  const recordings = flags.replay.map((path) => ({ path, events: readRecording(path) }));
  if (document.tests.length + recordings.length === 0) throw new CliError(`There are no tests in ${file}`, 1);
  const [{ createInlineEngine }, { createConnections }, { runGraphTests }, { replayRun }] = await Promise.all([
    import('../../graph/inline/engine.ts'),
    import('../../graph/connections/connections.ts'),
    import('../../graph/run-tests.ts'),
    import('../../graph/replay.ts'),
  ]);
  const own = ownToolsets();
  const caller = createConnections({ connectToolset: own.connect });
  const engine = createInlineEngine({ caller });
  const results: TestResult[] = await runGraphTests(engine, document);
  for (const { path, events } of recordings) {
    const started = performance.now();
    const { ok, differences } = await replayRun(engine, document, events);
    const [first] = differences;
    const problem =
      first && `${first.node || 'the run'} was ${JSON.stringify(first.recorded)}, is ${JSON.stringify(first.replayed)}`;
    results.push({
      name: `replay ${path}`,
      ok,
      ...(problem ? { problem } : {}),
      durationMs: performance.now() - started,
    });
  }
  await caller.close();
  await own.close();
  report(results, flags.json ?? false);
}

function report(results: readonly TestResult[], json: boolean): void {
  const failed = results.filter((result) => !result.ok).length;
  if (json) {
    process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  } else {
    for (const { name, ok, problem } of results)
      process.stdout.write(`${ok ? 'ok' : 'not ok'} ${name}${problem ? `: ${problem}` : ''}\n`);
    process.stdout.write(`${results.length - failed} of ${results.length} passed\n`);
  }
  if (failed > 0) process.exitCode = 1;
}

function readRecording(path: string): readonly RunEvent[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CliError(`${path} cannot be read as a recorded run: ${(error as Error).message}`, 2);
  }
  const events = Array.isArray(parsed) ? parsed : (parsed as { events?: unknown } | null)?.events;
  if (!Array.isArray(events)) throw new CliError(`${path} is no recorded run`, 2);
  return events as RunEvent[];
}
