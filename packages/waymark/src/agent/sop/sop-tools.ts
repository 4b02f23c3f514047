import type { Client } from '@modelcontextprotocol/client';
import type { Logger } from '../../kit/index.ts';
import type { JsonObject, LoopTool } from '../loop.ts';
import type { CallRecord } from '../model.ts';
import type { Position, Procedure, ProcedureTool } from './model.ts';

/** A server of the procedure's own tools. */
export interface ToolServer {
  readonly client: Client;
  readonly tools: readonly ProcedureTool[];
}

export interface SopTools {
  readonly tools: readonly LoopTool[];
  readonly calls: readonly CallRecord[];
  position(): Position | undefined;
}

export interface SopToolsOptions {
  readonly sop: Client;
  readonly handle: string;
  readonly servers: readonly ToolServer[];
  readonly position: Position | undefined;
  readonly log: Logger;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
}

const timeoutMs = 60_000;
const navigation = ['goto_node', 'todo'];

/** Asks a server what it offers. */
export async function openToolServer(client: Client): Promise<ToolServer> {
  const { tools } = await client.listTools();
  return {
    client,
    tools: tools.map(({ name, description = '', inputSchema, annotations }) => ({
      name,
      description,
      parameters: inputSchema as JsonObject,
      readOnly: annotations?.readOnlyHint === true,
    })),
  };
}

/** Loads a procedure and tells its handle. */
export async function loadProcedure(
  sop: Client,
  file: string,
  handle: string | undefined,
): Promise<{ procedure: Procedure; handle: string }> {
  const result = await sop.callTool({
    name: 'load_graph',
    arguments: { sop_file: file, conversation_id: handle ?? 'new' },
  });
  const data = (result.structuredContent ?? {}) as Record<string, unknown>;
  if (result.isError) throw new Error(typeof data['error'] === 'string' ? data['error'] : `${file} cannot be loaded`);
  const graph = (data['graph'] ?? {}) as { terminal_nodes?: string[]; reentry_nodes?: string[] };
  return {
    handle: String(data['conversation_id']),
    procedure: {
      agent: String(data['agent']),
      entry: String(data['entry_node']),
      reentry: graph.reentry_nodes ?? [],
      terminals: graph.terminal_nodes ?? [],
      systemPrompt: String(data['system_prompt']),
    },
  };
}

/**
 * The tools a model sees at this point of the procedure: moving and planning always, and of the
 * procedure's own tools only those the current node lists. What changes something waits for a yes.
 */
export async function createSopTools(options: SopToolsOptions): Promise<SopTools> {
  let position = options.position;
  const calls: CallRecord[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  async function call(
    client: Client,
    name: string,
    args: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const own = navigation.includes(name) ? { ...args, conversation_id: options.handle } : args;
    try {
      const result = await client.callTool(
        { name, arguments: { ...own } },
        { timeout: timeoutMs, ...(signal ? { signal } : {}) },
      );
      const data = dataOf(result);
      const ok = result.isError !== true && data['valid'] !== false;
      record({ tool: name, arguments: args, ok });
      if (name === 'goto_node' && ok) position = positionOf(data) ?? position;
      return JSON.stringify(result.isError ? { error: true, ...data } : data);
    } catch (error) {
      record({ tool: name, arguments: args, ok: false });
      options.log.warn('tool call failed', { tool: name, error });
      return JSON.stringify({ error: true, code: 'UNAVAILABLE' });
    }
  }

  function record(made: CallRecord): void {
    calls.push(made);
    options.onCall?.(made);
  }

  function toolOf(client: Client, tool: ProcedureTool, isNavigation: boolean): LoopTool {
    return {
      name: tool.name,
      description: tool.description,
      parameters: isNavigation ? withoutHandle(tool.parameters) : tool.parameters,
      needsApproval: () => !isNavigation && !tool.readOnly,
      isEnabled: () => isNavigation || (position?.tools.includes(tool.name) ?? false),
      run(args, signal) {
        const made = queue.then(() => call(client, tool.name, args, signal));
        queue = made.catch(() => undefined);
        return made;
      },
    };
  }

  const own = await openToolServer(options.sop);
  return {
    tools: [
      ...own.tools.filter(({ name }) => navigation.includes(name)).map((tool) => toolOf(options.sop, tool, true)),
      ...options.servers.flatMap(({ client, tools }) => tools.map((tool) => toolOf(client, tool, false))),
    ],
    calls,
    position: () => position,
  };
}

function withoutHandle(schema: JsonObject): JsonObject {
  const { conversation_id: _hidden, ...properties } = (schema['properties'] ?? {}) as JsonObject;
  return { ...schema, properties };
}

function dataOf(result: { readonly structuredContent?: unknown; readonly content?: unknown }): Record<string, unknown> {
  if (isObject(result.structuredContent)) return result.structuredContent;
  const [first] = Array.isArray(result.content) ? (result.content as { text?: unknown }[]) : [];
  const text = typeof first?.text === 'string' ? first.text : '';
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : { result: parsed };
  } catch {
    return { result: text };
  }
}

/** The position a goto_node answer tells of. */
export function positionOf(data: Readonly<Record<string, unknown>>): Position | undefined {
  const node = data['node'];
  if (!isObject(node) || typeof node['id'] !== 'string') return undefined;
  const { id, type, description, prompt, tools } = node;
  return {
    id,
    type: String(type),
    description: String(description),
    ...(typeof prompt === 'string' ? { prompt } : {}),
    tools: Array.isArray(tools) ? tools.map(String) : [],
    edges: Array.isArray(data['edges']) ? (data['edges'] as Position['edges']) : [],
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
