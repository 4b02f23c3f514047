import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Mock } from '../../graph/engine.ts';
import type { RunEvent } from '../../graph/events.ts';
import { CliError } from '../cli-error.ts';
import { answerQuestions, type ApprovalFlag } from './answer.ts';
import { ownToolsets } from './own-toolsets.ts';
import { chooseTool, openGraph, type OpenFlags } from './open.ts';
import { followProgress } from './progress.ts';
import { formatTrace } from './trace.ts';

interface RunFlags extends OpenFlags {
  args?: string;
  trace?: boolean;
  mock: string[];
  dryRun?: boolean;
  approve?: ApprovalFlag;
  record?: string;
}

const examples = `
Examples:
  $ waymark graph run flow.yaml count_files --args '{"directory": "."}'
  $ waymark graph run flow.yaml count_files --args @arguments.json --trace
  $ waymark graph run flow.yaml count_files --mock 'list={"content": "a"}' --record run.json
`;

export function createRunCommand(): Command {
  return new Command('run')
    .description('Run one tool of a graph and print its result as JSON. Exits with 1 when the run fails.')
    .argument('<file>', 'the graph file')
    .argument('[tool]', 'the tool (may be left out when there is only one)')
    .option('--args <json>', 'the arguments as JSON, or @file')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .option('--trace', 'print the history of the run to stderr')
    .option('--mock <node=json>', 'replace a node by a fixed output (repeatable)', collect, [])
    .option('--dry-run', 'call no server: mcp nodes answer with what they would have sent')
    .option('--approve <answer>', 'answer every approval with yes or no instead of asking')
    .option('--record <file>', 'keep the events of the run, for "graph test --replay"')
    .addHelpText('after', examples)
    .action(run);
}

function collect(value: string, list: string[]): string[] {
  return [...list, value];
}

async function run(file: string, toolName: string | undefined, flags: RunFlags): Promise<void> {
  const document = await openGraph(file, flags);
  const tool = chooseTool(document, toolName);
  const args = parseArguments(flags.args);
  const mocks = parseMocks(flags.mock);
  if (flags.approve !== undefined && flags.approve !== 'yes' && flags.approve !== 'no') {
    throw new CliError(`--approve takes "yes" or "no", not "${String(flags.approve)}"`, 2);
  }
  const [{ createInlineEngine }, { createConnections }] = await Promise.all([
    import('../../graph/inline/engine.ts'),
    import('../../graph/connections/connections.ts'),
  ]);
  const own = ownToolsets();
  const caller = createConnections({ connectToolset: own.connect });
  const engine = createInlineEngine({ caller });
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = followProgress(process.stderr);
  const handle = engine.start({
    document,
    tool: tool.name,
    args,
    mocks,
    dryRun: flags.dryRun ?? false,
    signal: controller.signal,
    onEvent: progress.show,
  });
  const answering = answerQuestions(handle, flags.approve);
  const outcome = await handle.outcome;
  answering.stop();
  progress.clear();
  await caller.close();
  await own.close();
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (flags.record !== undefined) await record(flags.record, handle.events());
  if (flags.trace) process.stderr.write(formatTrace(handle.events()));
  if (outcome.status !== 'succeeded') {
    const { code, node, message } = outcome.error;
    const where = node === undefined ? '' : ` at node "${node}"`;
    throw new CliError(`${tool.name} ${outcome.status}${where} (${code}): ${message}`, 1);
  }
  process.stdout.write(`${JSON.stringify(outcome.result ?? null, null, 2)}\n`);
}

function parseArguments(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  const json = text.startsWith('@') ? readFile(text.slice(1)) : text;
  const value = parseJson(json, '--args');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError('--args must be a JSON object', 2);
  }
  return value as Record<string, unknown>;
}

function parseMocks(texts: readonly string[]): Record<string, Mock> {
  const mocks: Record<string, Mock> = {};
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new CliError(`--mock takes NODE=JSON, not "${text}"`, 2);
    mocks[text.slice(0, equals)] = { output: parseJson(text.slice(equals + 1), '--mock') };
  }
  return mocks;
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CliError(`${what} is not JSON: ${(error as Error).message}`, 2);
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(`${path} cannot be read`, 2);
  }
}

async function record(path: string, events: readonly RunEvent[]): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(path, `${JSON.stringify({ events }, null, 2)}\n`);
}
