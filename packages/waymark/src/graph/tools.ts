import { z } from 'zod';
import {
  annotate,
  type Context,
  defineTool,
  defineToolset,
  nearest,
  type Tool,
  ToolError,
  type Toolset,
} from '../kit/index.ts';
import type { RunStatus } from './events.ts';
import { type GraphEntry, showProblem } from './library.ts';
import type { Graphs } from './open-graphs.ts';
import { toToolError } from './tool-result.ts';
import { historyIn, shorten } from './toolkit/describe-run.ts';

export interface GraphToolsetServices {
  /** Opened with the first call, so that a list of tools costs nothing. */
  readonly graphs: () => Promise<Graphs>;
}

const statuses = ['running', 'paused', 'succeeded', 'failed', 'cancelled', 'stopped', 'interrupted'] as const;
const graph = z.string().min(1).describe('Name of a graph, from list_graphs');
const run = z.string().min(1).describe('Id of a run');
const data = z.record(z.string(), z.unknown());
const summary = z.looseObject({ run: z.string(), graph: z.string(), tool: z.string(), status: z.enum(statuses) });

/** Graphs and runs for agents: what there is, running it, and what became of it. */
export function createGraphToolset(services: GraphToolsetServices): Toolset {
  return defineToolset({
    name: 'graph',
    title: 'Graphs',
    instructions:
      'Graphs are tools composed of other MCP tools. list_graphs shows them, run_graph runs one. ' +
      'A run that waits for a person is listed by list_questions.',
    tools: [...graphTools(services), ...runTools(services), ...questionTools(services)],
  });
}

function graphTools({ graphs }: GraphToolsetServices): Tool[] {
  return [
    defineTool({
      name: 'list_graphs',
      title: 'List graphs',
      description: 'The graphs served here with their tools: name, description and input schema of each.',
      input: z.strictObject({}),
      output: z.object({ graphs: z.array(z.looseObject({ graph: z.string() })) }),
      annotations: annotate.read,
      scopes: ['graphs:run'],
      async run() {
        return { graphs: (await graphs()).library.list().map(describeGraph) };
      },
    }),
    defineTool({
      name: 'run_graph',
      title: 'Run a graph',
      description:
        'Runs a tool of a graph and gives its result. With wait: false it answers at once; then ask get_run.',
      input: z.strictObject({
        graph,
        tool: z.string().min(1).describe('Name of its tool'),
        arguments: data.default({}),
        wait: z.boolean().default(true),
      }),
      output: z.object({ run: z.string(), status: z.enum(statuses), result: z.unknown() }),
      annotations: { ...annotate.add, destructive: true, openWorld: true },
      scopes: ['graphs:run'],
      run: async (input, context) => runGraph(await graphs(), input, context),
    }),
    defineTool({
      name: 'get_graph',
      title: 'Get a graph',
      description: 'The YAML text of a graph, its revision and its problems.',
      input: z.strictObject({ graph }),
      output: z.looseObject({ graph: z.string(), revision: z.string(), text: z.string() }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      tier: 'more',
      async run(input) {
        const { library } = await graphs();
        const entry = library.get(input.graph);
        return { ...describeGraph(entry), text: await library.text(entry.name) };
      },
    }),
    defineTool({
      name: 'check_graph',
      title: 'Check a graph',
      description: 'What would be wrong with a text as this graph. Nothing is written.',
      input: z.strictObject({ graph, text: z.string() }),
      output: z.object({ ok: z.boolean(), problems: z.array(z.looseObject({ message: z.string() })) }),
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      tier: 'more',
      async run(input) {
        const { ok, problems } = (await graphs()).library.check(input.graph, input.text);
        return { ok, problems: problems.map(showProblem) };
      },
    }),
    defineTool({
      name: 'save_graph',
      title: 'Save a graph',
      description: 'Checks a text and, if it is right, makes it the graph. `revision` is the one from get_graph.',
      input: z.strictObject({ graph, text: z.string(), revision: z.string().optional() }),
      output: z.looseObject({ graph: z.string(), revision: z.string() }),
      annotations: { ...annotate.change, destructive: true },
      scopes: ['graphs:edit'],
      tier: 'more',
      async run(input) {
        const { library } = await graphs();
        return describeGraph(await library.put(input.graph, input.text, input.revision));
      },
    }),
  ];
}

function describeGraph({ name, revision, document, problems }: GraphEntry) {
  const tools = Array.from(document?.tools.values() ?? [], (tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }));
  return {
    graph: name,
    ...(document ? { title: document.server.title, version: document.server.version } : {}),
    revision,
    tools,
    ...(problems.length > 0 ? { problems: problems.map(showProblem) } : {}),
  };
}

async function runGraph(
  { library, runs }: Graphs,
  input: { graph: string; tool: string; arguments: Record<string, unknown>; wait: boolean },
  context: Context,
) {
  const { document } = library.get(input.graph);
  if (!document?.tools.has(input.tool)) {
    const names = [...(document?.tools.keys() ?? [])];
    const suggestion = nearest(input.tool, names);
    const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
    throw new ToolError('TOOL_NOT_FOUND', `"${input.graph}" has no tool "${input.tool}"${hint}`, { tools: names });
  }
  const { user, signal, meta } = context;
  const { progressToken: _own, ...passedOn } = meta;
  const handle = await runs.start({
    document,
    tool: input.tool,
    args: input.arguments,
    user,
    meta: passedOn,
    ...(input.wait ? { signal } : {}),
  });
  if (!input.wait) return { run: handle.id, status: handle.view().status, result: null };
  const outcome = await handle.outcome;
  if (outcome.status !== 'succeeded') throw toToolError(outcome);
  return { run: outcome.run, status: outcome.status, result: outcome.result ?? null };
}

function runTools({ graphs }: GraphToolsetServices): Tool[] {
  return [
    defineTool({
      name: 'list_runs',
      title: 'List runs',
      description: 'Runs of graphs, newest first, by graph, tool or status. `next` is the cursor of the next page.',
      input: z.strictObject({
        graph: graph.optional(),
        tool: z.string().optional(),
        status: z.array(z.enum(statuses)).optional(),
        limit: z.int().min(1).max(200).default(20),
        cursor: z.string().optional(),
      }),
      output: z.object({ runs: z.array(summary), next: z.string().optional() }),
      annotations: annotate.read,
      scopes: ['graphs:run'],
      tier: 'more',
      async run(input, { user }) {
        const page = await (
          await graphs()
        ).runs.list({ ...input, status: input.status as RunStatus[] | undefined }, user);
        return { ...page, runs: page.runs.map((one) => ({ ...one })) };
      },
    }),
    defineTool({
      name: 'get_run',
      title: 'Get a run',
      description: 'A run: arguments, status, result or error and, with history: true, what every node put out.',
      input: z.strictObject({ run, history: z.boolean().default(false) }),
      output: summary,
      annotations: annotate.read,
      scopes: ['graphs:run'],
      tier: 'more',
      async run(input, { user }) {
        const { runs } = await graphs();
        const found = await runs.get(input.run, user);
        const history = input.history ? { history: historyIn(await runs.events(input.run, user)) } : {};
        return { ...found, ...(found.result === undefined ? {} : { result: shorten(found.result) }), ...history };
      },
    }),
    defineTool({
      name: 'stop_run',
      title: 'Stop a run',
      description: 'Stops a run that is under way, and the calls it waits for.',
      input: z.strictObject({ run }),
      output: z.object({ run: z.string(), status: z.enum(statuses) }),
      annotations: annotate.remove,
      scopes: ['graphs:run'],
      tier: 'more',
      async run(input, { user }) {
        const { runs } = await graphs();
        const handle = runs.live(input.run, user);
        if (!handle) return { run: input.run, status: (await runs.get(input.run, user)).status };
        handle.debugger.stop();
        const { status } = await handle.outcome;
        return { run: input.run, status };
      },
    }),
  ];
}

function questionTools({ graphs }: GraphToolsetServices): Tool[] {
  return [
    defineTool({
      name: 'list_questions',
      title: 'List questions',
      description: 'What runs ask a person and wait for: approvals, and questions of the servers they call.',
      input: z.strictObject({}),
      output: z.object({ questions: z.array(z.looseObject({ id: z.string(), run: z.string(), message: z.string() })) }),
      annotations: annotate.read,
      scopes: ['graphs:run'],
      tier: 'more',
      async run(_input, { user }) {
        return { questions: (await graphs()).runs.questions(user).map((question) => ({ ...question })) };
      },
    }),
    defineTool({
      name: 'answer_question',
      title: 'Answer a question',
      description: 'Passes on what the person decided. Never decide yourself: ask the person first.',
      input: z.strictObject({
        run,
        question: z.string().min(1).describe('Id from list_questions'),
        action: z.enum(['accept', 'decline', 'cancel']),
        content: data.optional().describe('The filled-in form'),
      }),
      output: z.object({ answered: z.literal(true) }),
      annotations: { ...annotate.add, destructive: true },
      scopes: ['graphs:run'],
      tier: 'more',
      async run({ run: id, question, action, content }, { user }) {
        (await graphs()).runs.answer(id, question, { action, ...(content ? { content } : {}) }, user);
        return { answered: true as const };
      },
    }),
  ];
}
