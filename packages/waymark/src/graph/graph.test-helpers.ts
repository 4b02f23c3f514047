import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolCaller, ToolCallOptions } from './connections/connection.ts';
import type { RunHandle, RunOutcome, RunRequest } from './engine.ts';
import { createInlineEngine } from './inline/engine.ts';
import { loadGraph, type LoadOptions } from './load.ts';
import { formatProblem } from './load/yaml-source.ts';
import type { GraphDocument } from './model.ts';

/** A document from YAML text; a mistake in it fails the test with its problems. */
export function load(source: string, options: Partial<LoadOptions> = {}): GraphDocument {
  const result = loadGraph(source, { file: 'graph.yaml', workingDirectory: '/', ...options });
  if (!result.ok) throw new Error(result.problems.map(formatProblem).join('\n'));
  return result.document;
}

/** `code path line:column` of everything the loader reports, for short assertions. */
export function problemsOf(source: string, options: Partial<LoadOptions> = {}): string[] {
  const { problems } = loadGraph(source, { file: 'graph.yaml', workingDirectory: '/', ...options });
  return problems.map(({ code, path, position }) => `${code} ${path} ${position.line}:${position.column}`);
}

/** A file with one tool `t` that takes anything; `nodes` is its list, indented by six. */
export function oneTool(nodes: string, top = ''): string {
  return `version: "1.0"
server: { name: test, version: "1.0.0" }
${top}
tools:
  - name: t
    description: Test tool
    inputSchema: { type: object }
    nodes:
${nodes}
`;
}

/** entry → the node `work` as given → exit */
export function oneNode(work: string, top = ''): string {
  return oneTool(
    `      - { id: entry, type: entry, next: work }
      - ${work}
      - { id: exit, type: exit }`,
    top,
  );
}

type Handler = (args: Record<string, unknown>, options: ToolCallOptions) => unknown;

export interface FakeCall {
  readonly server: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly options: ToolCallOptions;
}

/** Downstream servers made of functions: what one returns is the structured content, unless it is a whole result. */
export function fakeCaller(tools: Record<string, Handler>): ToolCaller & { readonly calls: FakeCall[] } {
  const calls: FakeCall[] = [];
  return {
    calls,
    async call(server, tool, args, options) {
      calls.push({ server: server.name, tool, args: { ...args }, options });
      const handler = tools[tool];
      if (!handler) return { content: [{ type: 'text', text: `no tool ${tool}` }], isError: true };
      const value = await handler({ ...args }, options);
      if (typeof value === 'object' && value !== null && 'content' in value) return value as CallToolResult;
      return { content: [], structuredContent: value as Record<string, unknown> };
    },
    listTools: async () => [],
    close: async () => {},
  };
}

type StartOptions = Omit<Partial<RunRequest>, 'caller'> & { caller?: ToolCaller };

export function start(
  source: string | GraphDocument,
  args: Record<string, unknown> = {},
  { caller, ...request }: StartOptions = {},
): RunHandle {
  const document = typeof source === 'string' ? load(source) : source;
  const engine = createInlineEngine(caller ? { caller, random: () => 0 } : { random: () => 0 });
  return engine.start({ document, tool: 't', args, ...request });
}

export function run(
  source: string | GraphDocument,
  args: Record<string, unknown> = {},
  options: StartOptions = {},
): Promise<RunOutcome> {
  return start(source, args, options).outcome;
}

/** The result of a run that must succeed. */
export async function resultOf(
  source: string | GraphDocument,
  args: Record<string, unknown> = {},
  options: StartOptions = {},
): Promise<unknown> {
  const outcome = await run(source, args, options);
  if (outcome.status !== 'succeeded') throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.result;
}

/** The error of a run that must fail. */
export async function errorOf(
  source: string | GraphDocument,
  args: Record<string, unknown> = {},
  options: StartOptions = {},
) {
  const outcome = await run(source, args, options);
  if (outcome.status === 'succeeded') throw new Error(`It succeeded with ${JSON.stringify(outcome.result)}`);
  return outcome.error;
}
