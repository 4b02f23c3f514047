import {
  type CallToolRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerCapabilities,
  type ServerContext,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { callTool } from './call.ts';
import type { Catalog } from './catalog.ts';
import type { Context, User } from './context.ts';
import type { Host } from './host.ts';
import type { PromptDefinition, ResourceDefinition } from './toolset.ts';

/** Who is calling, and in which conversation as far as the transport knows. */
export interface Caller {
  readonly user: User;
  readonly conversation?: string | undefined;
}

const oneHour = 3_600_000;

/**
 * Binds a catalog to the SDK's low-level server. Cheap on purpose: one is made for every request of
 * the stateless wire, so nothing is converted or compiled here.
 */
export function createMcpServer(catalog: Catalog, host: Host, caller: Caller): Server {
  const server = new Server(host.info, {
    capabilities: capabilitiesOf(catalog),
    ...(catalog.instructions === '' ? {} : { instructions: catalog.instructions }),
    ...(host.requestState ? { requestState: host.requestState } : {}),
    cacheHints: {
      'tools/list': { ttlMs: oneHour, cacheScope: 'private' },
      'prompts/list': { ttlMs: oneHour, cacheScope: 'private' },
      'resources/templates/list': { ttlMs: oneHour, cacheScope: 'private' },
    },
  });
  const contextOf = (request: ServerContext) => {
    const canAsk = server.getClientCapabilities()?.elicitation !== undefined;
    const context = { ...createContext(host, caller, request), canAsk };
    return host.extendContext?.(context, request) ?? context;
  };

  server.setRequestHandler('tools/list', () => ({ tools: [...catalog.listTools()] as never[] }));
  server.setRequestHandler('tools/call', (request, mcp) => handleCall(catalog, host, request, contextOf(mcp)));

  if (catalog.resources.length > 0) serveResources(server, catalog.resources, contextOf);
  if (catalog.prompts.length > 0) servePrompts(server, catalog.prompts, contextOf);
  if (catalog.resources.length + catalog.prompts.length > 0) serveCompletions(server, catalog, contextOf);
  return server;
}

function capabilitiesOf(catalog: Catalog): ServerCapabilities {
  return {
    tools: { listChanged: true },
    ...(catalog.resources.length > 0 ? { resources: { listChanged: true } } : {}),
    ...(catalog.prompts.length > 0 ? { prompts: { listChanged: true } } : {}),
    ...(catalog.resources.length + catalog.prompts.length > 0 ? { completions: {} } : {}),
  };
}

async function handleCall(catalog: Catalog, host: Host, request: CallToolRequest, context: Context) {
  const { name, arguments: args = {} } = request.params;
  const entry = catalog.find(name);
  if (!entry) {
    const suggestion = catalog.suggest(name);
    const hint = suggestion ? `; did you mean ${suggestion}?` : '';
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}${hint}`);
  }
  return host.aroundCall(entry, context, (inner) => callTool(entry.toolset, entry.tool, args, inner));
}

function serveResources(
  server: Server,
  resources: readonly ResourceDefinition[],
  contextOf: (request: ServerContext) => Context,
): void {
  const isTemplate = (resource: ResourceDefinition) => UriTemplate.isTemplate(resource.uri);
  const describe = ({ name, title, description, mimeType, meta }: ResourceDefinition) => ({
    name,
    title,
    description,
    mimeType,
    ...(meta ? { _meta: { ...meta } } : {}),
  });
  server.setRequestHandler('resources/list', async (_request, mcp) => {
    const context = contextOf(mcp);
    const listed = await Promise.all(
      resources.map(async (resource) => {
        const shared = describe(resource);
        if (!isTemplate(resource)) return [{ ...shared, uri: resource.uri }];
        return ((await resource.list?.(context)) ?? []).map((item) => ({ ...shared, ...item }));
      }),
    );
    return { resources: listed.flat() };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources
      .filter(isTemplate)
      .map((resource) => ({ ...describe(resource), uriTemplate: resource.uri })),
  }));
  server.setRequestHandler('resources/read', async (request, mcp) => {
    const { uri } = request.params;
    for (const resource of resources) {
      const variables = resource.uri === uri ? {} : isTemplate(resource) && new UriTemplate(resource.uri).match(uri);
      if (variables) return resource.read(uri, variables as Record<string, string>, contextOf(mcp));
    }
    throw new ResourceNotFoundError(uri);
  });
}

function servePrompts(
  server: Server,
  prompts: readonly PromptDefinition[],
  contextOf: (request: ServerContext) => Context,
): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: schema }) => ({
      name,
      title,
      description,
      arguments: Object.entries(schema.shape).map(([argument, field]) => ({
        name: argument,
        ...(field.description ? { description: field.description } : {}),
        required: !field.safeParse(undefined).success,
      })),
    })),
  }));
  server.setRequestHandler('prompts/get', async (request, mcp) => {
    const { name, arguments: args = {} } = request.params;
    const prompt = prompts.find((candidate) => candidate.name === name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    const parsed = prompt.arguments.safeParse(args);
    if (!parsed.success) {
      const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid arguments for prompt ${name}: ${problems}`);
    }
    return prompt.get(parsed.data as Record<string, string>, contextOf(mcp));
  });
}

function serveCompletions(server: Server, catalog: Catalog, contextOf: (request: ServerContext) => Context): void {
  server.setRequestHandler('completion/complete', async (request, mcp) => {
    const { ref, argument, context: filled } = request.params;
    const source =
      ref.type === 'ref/prompt'
        ? catalog.prompts.find((prompt) => prompt.name === ref.name)
        : catalog.resources.find((resource) => resource.uri === ref.uri);
    const given = filled?.arguments ?? {};
    const values = (await source?.complete?.(argument.name, argument.value, contextOf(mcp), given)) ?? [];
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
  });
}

function createContext(host: Host, caller: Caller, { mcpReq, sessionId }: ServerContext): Context {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    user: caller.user,
    conversation: caller.conversation ?? sessionId,
    signal: mcpReq.signal,
    log: host.log,
    clock: host.clock,
    randomId: host.randomId,
    answers: mcpReq.inputResponses,
    meta: mcpReq._meta ?? {},
    progress(done, total, message) {
      if (progressToken === undefined || mcpReq.signal.aborted) return;
      const params = {
        progressToken,
        progress: done,
        ...(total === undefined ? {} : { total }),
        ...(message ? { message } : {}),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch((error: unknown) => {
        host.log.debug('progress not delivered', { error });
      });
    },
  };
}
