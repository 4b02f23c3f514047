import type { Implementation, InputRequiredResult } from '@modelcontextprotocol/server';
import {
  type Context,
  defineTool,
  defineToolset,
  type Reply,
  type Tool,
  ToolError,
  type Toolset,
} from '../kit/index.ts';
import type { RunHandle } from './engine.ts';
import type { GraphEntry, GraphLibrary } from './library.ts';
import type { GraphDocument, GraphTool } from './model.ts';
import { answersIn, askClient } from './questions.ts';
import type { GraphRuns } from './runs.ts';
import { advertisedInput, advertisedOutput, replyWith } from './tool-result.ts';

/** A graph as an MCP server of its own: its tools under its name, kept up to date with its file. */
export interface ServedGraph {
  readonly toolset: Toolset;
  /** What the file says of the server, for `initialize`. */
  info(): Implementation;
}

export interface ServingServices {
  readonly library: GraphLibrary;
  readonly runs: GraphRuns;
}

/** Serves one graph of the library. Its tools change with its file; a broken file leaves them as they were. */
export function serveGraph(name: string, services: ServingServices): ServedGraph {
  const { library, runs } = services;
  let from: GraphDocument | undefined;
  let tools: readonly Tool[] = [];

  /** The same list as long as the document is the same: whoever lists tools keeps what it was given. */
  function currentTools(): readonly Tool[] {
    const { document } = library.get(name);
    if (document !== from) {
      from = document;
      tools = document ? Array.from(document.tools.values(), (tool) => toMcpTool(tool, document, runs)) : [];
    }
    return tools;
  }

  const toolset: Toolset = {
    ...defineToolset({
      name,
      title: name,
      instructions: '',
      tools: currentTools,
      onChange: (listener) =>
        library.onChange((entry) => {
          if (entry.name === name) listener();
        }),
    }),
    get title() {
      return library.get(name).document?.server.title ?? name;
    },
    get instructions() {
      return library.get(name).document?.server.instructions ?? '';
    },
  };
  return { toolset, info: () => serverInfo(library.get(name)) };
}

function serverInfo({ name, document }: GraphEntry): Implementation {
  if (!document) return { name, version: '0.0.0' };
  const { server } = document;
  return { name: server.name, version: server.version, title: server.title };
}

function toMcpTool(tool: GraphTool, document: GraphDocument, runs: GraphRuns): Tool {
  const output = advertisedOutput(tool);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
  const reachesOut = [...tool.body.nodes.values()].some(({ type }) => type === 'mcp' || type === 'call');
  return defineTool<Record<string, unknown>, unknown>({
    name: tool.name,
    title: tool.title ?? tool.name,
    description: tool.description,
    // The engine checks arguments and results, with the node and the run in what it says.
    input: { json: advertisedInput(tool.inputSchema), parse: acceptAnything },
    ...(output ? { output: { json: output, parse: acceptAnything } } : {}),
    annotations: {
      readOnly: readOnlyHint ?? !reachesOut,
      destructive: destructiveHint ?? reachesOut,
      idempotent: idempotentHint ?? !reachesOut,
      openWorld: openWorldHint ?? reachesOut,
    },
    scopes: ['graphs:run'],
    run: (args, context) => callGraphTool(tool, document, args, runs, context),
  });
}

function acceptAnything(value: unknown) {
  return { ok: true as const, value: value as Record<string, unknown> };
}

/** Runs a tool and waits for it; a question in between goes to the client, where it can ask the person. */
export async function callGraphTool(
  tool: GraphTool,
  document: GraphDocument,
  args: Record<string, unknown>,
  runs: GraphRuns,
  context: Context,
): Promise<Reply | InputRequiredResult> {
  const handle = resumed(runs, context) ?? (await start(tool, document, args, runs, context));
  const cancel = () => handle.cancel('The client cancelled the call');
  context.signal.addEventListener('abort', cancel, { once: true });
  if (context.signal.aborted) cancel();
  const stopProgress = reportProgress(handle, context);
  try {
    const outcome = await Promise.race([handle.outcome, ...(context.canAsk ? [untilAsked(handle)] : [])]);
    return outcome === 'asked' ? askClient(handle) : replyWith(outcome, tool);
  } finally {
    stopProgress();
    context.signal.removeEventListener('abort', cancel);
  }
}

async function start(
  tool: GraphTool,
  document: GraphDocument,
  args: Record<string, unknown>,
  runs: GraphRuns,
  { user, meta }: Context,
): Promise<RunHandle> {
  const { progressToken: _own, ...passedOn } = meta;
  return runs.start({ document, tool: tool.name, args, user, meta: passedOn });
}

/** The run that the client's answers are for, with the answers given to it. */
function resumed(runs: GraphRuns, context: Context): RunHandle | undefined {
  const [first, ...rest] = answersIn(context);
  if (!first) return undefined;
  const handle = runs.live(first.run, context.user);
  if (!handle) throw new ToolError('RUN_NOT_FOUND', 'The run that asked has ended', { run: first.run });
  for (const { question, answer } of [first, ...rest]) handle.answer(question, { ...answer, by: context.user.id });
  return handle;
}

function untilAsked(handle: RunHandle): Promise<'asked'> {
  if (handle.questions().length > 0) return Promise.resolve('asked');
  return new Promise((resolve) => {
    const stop = handle.subscribe((event) => {
      if (event.type === 'run-ended') stop();
      if (event.type !== 'question-asked') return;
      stop();
      resolve('asked');
    });
  });
}

/** Progress may only grow, also where several nodes report at once. */
function reportProgress(handle: RunHandle, context: Context): () => void {
  let done = 0;
  let told = 0;
  const tell = (progress: number, message: string) => {
    if (progress <= told) return;
    told = progress;
    context.progress(progress, undefined, message);
  };
  return handle.subscribe((event) => {
    if (event.type === 'node-ended') tell(++done, `${event.node} done`);
    else if (event.type === 'node-progressed') {
      const share = event.total ? Math.min(event.progress / event.total, 0.99) : 0.5;
      tell(done + share, `${event.node}: ${event.message ?? event.progress}`);
    }
  });
}
