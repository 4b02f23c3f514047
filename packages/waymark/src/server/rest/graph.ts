import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type GraphEntry, showProblem } from '../../graph/library.ts';
import { outlineTool } from '../../graph/outline.ts';
import { nearest, ToolError } from '../../kit/index.ts';
import { createRoute, type GraphRouteServices } from './graph-route.ts';
import { registerRunRoutes } from './graph-runs.ts';

const text = z.string().max(2_000_000);
const check = z.strictObject({ text });
const save = z.strictObject({ text, revision: z.string().optional() });

/** The studio's view of graphs: `/api/graphs`, `/api/runs` and `/api/approvals`. See docs/graph-rest.md. */
export function registerGraphRoutes(app: FastifyInstance, services: GraphRouteServices): void {
  const route = createRoute(app, services);

  route('GET', '/api/graphs', 'graphs:run', ({ graphs }) => ({ graphs: graphs.library.list().map(summarise) }));

  route('GET', '/api/graphs/:name', 'graphs:run', async ({ graphs, params }) => {
    const entry = graphs.library.get(params['name'] ?? '');
    return { ...summarise(entry), ...(await details(entry)), text: await graphs.library.text(entry.name) };
  });

  route('PUT', '/api/graphs/:name', 'graphs:edit', async ({ graphs, params, request }) => {
    const { text: source, revision } = save.parse(request.body);
    const entry = await graphs.library.put(params['name'] ?? '', source, revision);
    return { ...summarise(entry), ...(await details(entry)) };
  });

  route('POST', '/api/graphs/:name/check', 'graphs:run', ({ graphs, params, request }) => {
    const result = graphs.library.check(params['name'] ?? '', check.parse(request.body).text);
    const problems = result.problems.map(showProblem);
    return result.ok
      ? { ok: true, problems, tools: Array.from(result.document.tools.values(), outlineTool) }
      : { ok: false, problems };
  });

  route('GET', '/api/graphs/:name/servers', 'graphs:edit', ({ graphs, params }) => {
    const servers = [...(graphs.library.get(params['name'] ?? '').document?.servers.values() ?? [])];
    return { servers: servers.map(({ name, type, source, missing }) => ({ name, type, source, missing })) };
  });

  route('GET', '/api/graphs/:name/servers/:server/tools', 'graphs:edit', async ({ graphs, params }) => {
    const servers = graphs.library.get(params['name'] ?? '').document?.servers ?? new Map<string, never>();
    const wanted = params['server'] ?? '';
    const server = servers.get(wanted);
    if (!server) {
      const suggestion = nearest(wanted, servers.keys());
      const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
      throw new ToolError('SERVER_NOT_FOUND', `There is no server "${wanted}"${hint}`);
    }
    const tools = await graphs.caller.listTools(server).catch((error: unknown) => {
      throw new ToolError('SERVER_UNAVAILABLE', error instanceof Error ? error.message : String(error));
    });
    return {
      tools: tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
        name,
        title,
        description,
        inputSchema,
        outputSchema,
      })),
    };
  });

  registerRunRoutes(app, services);
}

function summarise({ name, revision, document, problems }: GraphEntry) {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return {
    name,
    revision,
    endpoint: `/mcp/graph/${encodeURIComponent(name)}`,
    ...(document ? { server: document.server, dialect: document.dialect } : {}),
    /** With errors, what is served is older than the file. */
    stale: errors.length > 0,
    problems: problems.map(showProblem),
    tools: Array.from(document?.tools.values() ?? [], (tool) => ({
      name: tool.name,
      title: tool.title ?? tool.name,
      description: tool.description,
    })),
  };
}

async function details({ document }: GraphEntry) {
  if (!document) return {};
  return { limits: document.limits, tools: Array.from(document.tools.values(), outlineTool) };
}
