import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RunHandle } from '../../graph/engine.ts';
import type { RunEvent, RunStatus } from '../../graph/events.ts';
import { loadFork } from '../../graph/fork.ts';
import type { Graphs } from '../../graph/open-graphs.ts';
import { contextAt } from '../../graph/time-travel.ts';
import { nearest, ToolError } from '../../kit/index.ts';
import { openEventStream } from './events.ts';
import { type Call, createRoute, type GraphRouteServices } from './graph-route.ts';

const statuses = ['running', 'paused', 'succeeded', 'failed', 'cancelled', 'stopped', 'interrupted'] as const;
const data = z.record(z.string(), z.unknown());
const breakpoints = z.array(z.strictObject({ node: z.string(), condition: z.string().optional() }));
const instant = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const start = z.strictObject({
  tool: z.string(),
  arguments: data.default({}),
  breakpoints: breakpoints.optional(),
  startPaused: z.boolean().optional(),
  mocks: data.optional(),
  dryRun: z.boolean().optional(),
});
const listQuery = z.object({
  graph: z.string().optional(),
  tool: z.string().optional(),
  status: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(statuses)))
    .optional(),
  since: instant.optional(),
  until: instant.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional(),
});
const eventsQuery = z.object({ after: z.coerce.number().int().min(-1).default(-1) });
const contextQuery = z.object({ index: z.coerce.number().int().min(0).optional() });
const fork = z.strictObject({ seq: z.number().int().min(0), changes: data.default({}) });
const evaluation = z.strictObject({ expression: z.string().max(100_000), index: z.number().int().min(0).optional() });
const value = z.strictObject({ node: z.string(), value: z.unknown() });
const answer = z.strictObject({ action: z.enum(['accept', 'decline', 'cancel']), content: data.optional() });

/** Runs: start, look, follow, hold, change, fork; and the questions they ask. */
export function registerRunRoutes(app: FastifyInstance, services: GraphRouteServices): void {
  const route = createRoute(app, services);

  route('POST', '/api/graphs/:name/runs', 'graphs:run', async ({ graphs, user, params, request, reply }) => {
    const body = start.parse(request.body);
    const document = documentWith(graphs, params['name'] ?? '', body.tool);
    const mocks = Object.entries(body.mocks ?? {}).map(([node, output]) => [node, { output }]);
    const handle = await graphs.runs.start({
      document,
      tool: body.tool,
      args: body.arguments,
      user,
      debug: { breakpoints: toBreakpoints(body.breakpoints ?? []), startPaused: body.startPaused ?? false },
      ...(mocks.length > 0 ? { mocks: Object.fromEntries(mocks) as Record<string, { output: unknown }> } : {}),
      ...(body.dryRun ? { dryRun: true } : {}),
    });
    void reply.code(201);
    return showLive(handle);
  });

  route('GET', '/api/runs', 'graphs:run', ({ graphs, user, request }) => {
    const query = listQuery.parse(request.query);
    return graphs.runs.list({ ...query, status: query.status as RunStatus[] | undefined }, user);
  });

  route('GET', '/api/runs/:run', 'graphs:run', async ({ graphs, user, params }) => {
    const handle = graphs.runs.live(params['run'] ?? '', user);
    const details = await graphs.runs.get(params['run'] ?? '', user);
    return handle ? { ...details, ...showLive(handle) } : details;
  });

  route('DELETE', '/api/runs/:run', 'graphs:run', async ({ graphs, user, params, reply }) => {
    await graphs.runs.delete(params['run'] ?? '', user);
    void reply.code(204);
  });

  route('GET', '/api/runs/:run/events', 'graphs:run', (call) =>
    (call.request.headers.accept ?? '').includes('text/event-stream') ? follow(call) : listEvents(call),
  );

  route('GET', '/api/runs/:run/context', 'graphs:run', async ({ graphs, user, params, request }) => {
    const { index } = contextQuery.parse(request.query);
    return { context: contextAt(await graphs.runs.events(params['run'] ?? '', user), index) };
  });

  route('GET', '/api/runs/:run/export', 'graphs:run', ({ graphs, user, params, reply }) => {
    void reply.header('content-disposition', `attachment; filename="run-${params['run']}.json"`);
    return graphs.runs.export(params['run'] ?? '', user);
  });

  route('POST', '/api/runs/:run/fork', 'graphs:run', async ({ graphs, user, params, request, reply }) => {
    const { seq, changes } = fork.parse(request.body);
    const handle = await graphs.runs.start({
      ...(await loadFork(graphs, params['run'] ?? '', seq, changes, user)),
      user,
    });
    void reply.code(201);
    return showLive(handle);
  });

  const control = (name: string, act: (handle: RunHandle) => unknown) =>
    route('POST', `/api/runs/:run/${name}`, 'graphs:run', async (call) => {
      const handle = await liveRun(call);
      await inState(() => act(handle));
      return showLive(handle);
    });
  control('pause', (handle) => handle.debugger.pause());
  control('resume', (handle) => handle.debugger.resume());
  control('step', (handle) => handle.debugger.step());
  control('stop', (handle) => handle.debugger.stop());

  route('POST', '/api/runs/:run/run-to', 'graphs:run', async (call) => {
    const { node } = z.strictObject({ node: z.string() }).parse(call.request.body);
    const handle = await liveRun(call);
    await inState(() => handle.debugger.runTo(node));
    return showLive(handle);
  });

  route('PUT', '/api/runs/:run/breakpoints', 'graphs:run', async (call) => {
    const wanted = z.strictObject({ breakpoints }).parse(call.request.body);
    const handle = await liveRun(call);
    handle.debugger.setBreakpoints(toBreakpoints(wanted.breakpoints));
    return showLive(handle);
  });

  route('PATCH', '/api/runs/:run/values', 'graphs:run', async (call) => {
    const change = value.parse(call.request.body);
    const handle = await liveRun(call);
    await inState(() => handle.debugger.setValue(change.node, change.value));
    return showLive(handle);
  });

  route('POST', '/api/runs/:run/evaluate', 'graphs:run', async (call) => {
    const { expression, index } = evaluation.parse(call.request.body);
    const handle = await liveRun(call);
    try {
      return { value: (await handle.debugger.evaluate(expression, index)) ?? null };
    } catch (error) {
      throw new ToolError('EXPRESSION_ERROR', error instanceof Error ? error.message : String(error));
    }
  });

  route('GET', '/api/approvals', 'graphs:run', ({ graphs, user }) => ({ questions: graphs.runs.questions(user) }));

  route('POST', '/api/approvals/:run/:question', 'graphs:run', ({ graphs, user, params, request }) => {
    const { action, content } = answer.parse(request.body);
    graphs.runs.answer(
      params['run'] ?? '',
      params['question'] ?? '',
      { action, ...(content ? { content } : {}) },
      user,
    );
    return { answered: true };
  });
}

function documentWith(graphs: Graphs, name: string, tool: string) {
  const { document } = graphs.library.get(name);
  if (document?.tools.has(tool)) return document;
  const names = [...(document?.tools.keys() ?? [])];
  const suggestion = nearest(tool, names);
  const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
  throw new ToolError('TOOL_NOT_FOUND', `"${name}" has no tool "${tool}"${hint}`, { tools: names });
}

function toBreakpoints(given: readonly { node: string; condition?: string | undefined }[]) {
  return given.map(({ node, condition }) => ({ node, ...(condition === undefined ? {} : { condition }) }));
}

function showLive(handle: RunHandle) {
  const { status, current, currentNode } = handle.view();
  return {
    run: handle.id,
    graph: handle.document.server.name,
    tool: handle.tool,
    status,
    ...(currentNode === undefined ? {} : { currentNode }),
    current,
    breakpoints: handle.debugger.breakpoints(),
    questions: handle.questions(),
  };
}

async function liveRun({ graphs, user, params }: Call): Promise<RunHandle> {
  const run = params['run'] ?? '';
  const handle = graphs.runs.live(run, user);
  if (handle) return handle;
  const { status } = await graphs.runs.get(run, user);
  throw new ToolError('RUN_ENDED', `The run has ended (${status})`, { status });
}

/** The debugger says no when the run is not in the state for it. */
async function inState(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new ToolError('WRONG_STATE', error instanceof Error ? error.message : String(error));
  }
}

async function listEvents({ graphs, user, params, request }: Call) {
  const { after } = eventsQuery.parse(request.query);
  return { events: await graphs.runs.events(params['run'] ?? '', user, after) };
}

/**
 * What has happened, then what happens, until the run ends. A client that lost the stream says with
 * `Last-Event-ID` where it was, and misses nothing.
 */
async function follow({ graphs, user, params, request, reply }: Call): Promise<void> {
  const run = params['run'] ?? '';
  const lastId = Number(request.headers['last-event-id']);
  const after = Number.isInteger(lastId) ? lastId : eventsQuery.parse(request.query).after;
  const past = await graphs.runs.events(run, user, after);
  const handle = graphs.runs.live(run, user);
  const stream = openEventStream(reply);
  let seen = after;
  const send = (event: RunEvent) => {
    if (event.seq <= seen) return;
    seen = event.seq;
    stream.send(event.type, event, String(event.seq));
    if (event.type === 'run-ended') stream.close();
  };
  for (const event of past) send(event);
  if (!handle) {
    stream.close();
    return;
  }
  stream.onClose(handle.subscribe(send));
  for (const event of handle.events()) send(event);
}
