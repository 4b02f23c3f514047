import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { type Context, defineTool, type JsonSchema, type Logger, Reply, type Tool, ToolError } from '../kit/index.ts';
import type { GateMode, McpServer, Sop } from './model.ts';
import type { SopService, ToolPermission } from './service.ts';
import type { ConnectUpstream, Upstream } from './upstream.ts';

export interface GateOptions {
  /** Procedures the operator named; only their servers are ever contacted. */
  readonly sops: readonly Sop[];
  /** Where an SOP itself does not say. */
  readonly mode: GateMode;
  readonly service: SopService;
  readonly connect: ConnectUpstream;
  readonly log: Logger;
}

/** The procedures' own tools, each behind the question whether the conversation may use it now. */
export interface Gate {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

const handleField = 'conversation_id';

export async function openGate(options: GateOptions): Promise<Gate> {
  const servers = new Map<string, { server: McpServer; sops: Sop[] }>();
  for (const sop of options.sops) {
    for (const server of sop.mcpServers) {
      const key = JSON.stringify([server.url, server.command, server.args]);
      const known = servers.get(key) ?? { server, sops: [] };
      known.sops.push(sop);
      servers.set(key, known);
    }
  }
  const opened = await Promise.all([...servers.values()].map((entry) => openServer(entry, options)));
  const tools: Tool[] = [];
  for (const { server, upstream, listed } of opened.filter((one) => one !== undefined)) {
    for (const tool of listed) {
      const isTaken = tools.some((other) => other.name === tool.name);
      const name = isTaken ? `${server.name}__${tool.name}` : tool.name;
      tools.push(proxyTool(name, tool, upstream, server, options));
    }
  }
  return {
    tools,
    async close() {
      await Promise.allSettled(opened.flatMap((one) => (one ? [one.upstream.close()] : [])));
    },
  };
}

async function openServer(
  { server }: { server: McpServer },
  { connect, log }: GateOptions,
): Promise<{ server: McpServer; upstream: Upstream; listed: ListedTool[] } | undefined> {
  try {
    const upstream = await connect(server);
    return { server, upstream, listed: await upstream.listTools() };
  } catch (error) {
    log.warn('a server of an SOP cannot be reached; its tools are not offered', { server: server.name, error });
    return undefined;
  }
}

function proxyTool(
  name: string,
  listed: ListedTool,
  upstream: Upstream,
  server: McpServer,
  { service, mode }: GateOptions,
): Tool {
  const {
    readOnlyHint = false,
    destructiveHint = true,
    idempotentHint = false,
    openWorldHint = true,
  } = listed.annotations ?? {};
  return defineTool<Record<string, unknown>, unknown>({
    name,
    title: listed.title ?? listed.annotations?.title ?? listed.name,
    description: listed.description ?? '',
    input: {
      json: withHandle(listed.inputSchema),
      parse: (value: unknown) => ({ ok: true as const, value: value as Record<string, unknown> }),
    },
    annotations: {
      readOnly: readOnlyHint,
      destructive: !readOnlyHint && destructiveHint,
      idempotent: readOnlyHint || idempotentHint,
      openWorld: openWorldHint,
    },
    scopes: ['sop:run'],
    tier: 'more',
    async run({ [handleField]: handle, ...args }, context) {
      if (handle !== undefined && typeof handle !== 'string') {
        throw new ToolError('INVALID_INPUT', `${handleField} must be text`);
      }
      const permission = await service.permitTool(listed.name, mode, handle, context);
      if (permission.verdict === 'refused') return refusal(permission);
      const result = await forward(upstream, server, listed.name, args, context);
      return permission.verdict === 'warned' ? withWarning(result, permission) : result;
    },
  });
}

/** The server's own arguments, and the conversation the call belongs to. */
function withHandle(schema: ListedTool['inputSchema']): JsonSchema {
  const { $schema: _omitted, ...rest } = schema as Record<string, unknown>;
  const properties = { ...(rest['properties'] as JsonSchema | undefined) };
  properties[handleField] = { type: 'string', description: 'From load_graph' };
  return { ...rest, type: 'object', properties };
}

async function forward(
  upstream: Upstream,
  server: McpServer,
  name: string,
  args: Record<string, unknown>,
  context: Context,
): Promise<Reply> {
  try {
    const { content, structuredContent, isError = false } = await upstream.callTool(name, args, context.signal);
    return new Reply({ content, structured: structuredContent, isError });
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn('a tool of an SOP failed', { server: server.name, tool: name, error });
    throw new ToolError('UPSTREAM_FAILED', `${server.name} did not answer the call of ${name}`);
  }
}

function refusal(permission: ToolPermission): Reply {
  return new Reply({ structured: { valid: false, ...answerOf(permission) }, isError: true });
}

function withWarning(result: Reply, permission: ToolPermission): Reply {
  const warning = {
    type: 'text' as const,
    text: JSON.stringify({ warning: permission.message, ...answerOf(permission) }),
  };
  const { structured, isError } = result;
  return new Reply({
    content: [...result.content, warning],
    isError,
    ...(structured === undefined ? {} : { structured }),
  });
}

function answerOf({ message, node, nodes, route }: ToolPermission) {
  return { error: message, current_node: node, allowed_at: nodes, ...(route ? { route } : {}) };
}
