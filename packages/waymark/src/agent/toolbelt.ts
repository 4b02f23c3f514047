import type { Client } from '@modelcontextprotocol/client';
import type { Logger } from '../kit/index.ts';
import type { JsonObject, LoopTool } from './loop.ts';
import type { CallRecord, TaskReference } from './model.ts';

export interface ToolbeltOptions {
  readonly client: Client;
  readonly user: string;
  readonly zone: string;
  readonly log: Logger;
  /** Tools a model may see; all others are as if they did not exist. */
  readonly allow: readonly string[];
  /** Tasks that tools returned earlier in the conversation. */
  readonly known: readonly TaskReference[];
  readonly onCall?: ((call: CallRecord) => void) | undefined;
}

export interface Toolbelt {
  readonly tools: readonly LoopTool[];
  /** The calls made so far, in order. */
  readonly calls: readonly CallRecord[];
  titleOf(id: string): string | undefined;
  known(): readonly TaskReference[];
  /** Ids a model made up. They never reach a tool. */
  readonly invented: readonly string[];
}

const timeoutMs = 30_000;
const maxKnown = 500;

/**
 * The tools of an MCP server as a model may use them. The person's id is filled in here and never
 * shown; destructive calls wait for approval whatever the model says; an id that no tool returned
 * is refused; a failing call is answered with a code, once, and never with its technical reason.
 */
export async function createToolbelt(options: ToolbeltOptions): Promise<Toolbelt> {
  const { client, user, zone, log } = options;
  const listed = await toolsOf(client);
  const known = new Map(options.known.map((task) => [task.id, task.title]));
  const calls: CallRecord[] = [];
  const invented: string[] = [];
  // One call after the other, in the order the model asked for them.
  let queue: Promise<unknown> = Promise.resolve();

  function isInvented(args: JsonObject): boolean {
    const ids = [args['task_id'], ...(Array.isArray(args['task_ids']) ? args['task_ids'] : [])];
    return ids.some((id) => id !== undefined && !known.has(String(id)));
  }

  async function call(name: string, args: JsonObject, signal: AbortSignal | undefined): Promise<string> {
    if (isInvented(args)) {
      invented.push(String(args['task_id'] ?? args['task_ids']));
      return JSON.stringify({
        success: false,
        error: { code: 'UNKNOWN_TASK_ID', message: 'No tool returned this id. Find the task with list_tasks.' },
      });
    }
    const { user_id: _ignored, ...own } = args;
    try {
      const result = await client.callTool(
        { name, arguments: { ...own, user_id: user }, _meta: { 'waymark/timeZone': zone } },
        { timeout: timeoutMs, ...(signal ? { signal } : {}) },
      );
      const data = dataOf(result);
      const ok = result.isError !== true && data !== undefined && data['success'] !== false;
      record({ tool: name, arguments: own, ok });
      if (data === undefined) return failure('MALFORMED');
      remember(data);
      return JSON.stringify(data);
    } catch (error) {
      record({ tool: name, arguments: own, ok: false });
      log.warn('tool call failed', { tool: name, error });
      return failure('UNAVAILABLE');
    }
  }

  function record(made: CallRecord): void {
    calls.push(made);
    options.onCall?.(made);
  }

  function remember(data: JsonObject): void {
    for (const task of tasksIn(data)) {
      known.delete(task.id);
      known.set(task.id, task.title);
    }
  }

  const tools = listed
    .filter(({ name }) => options.allow.includes(name))
    .map((listedTool): LoopTool => {
      const isDestructive =
        listedTool.annotations?.destructiveHint === true && listedTool.annotations.readOnlyHint !== true;
      return {
        name: listedTool.name,
        description: listedTool.description ?? '',
        parameters: withoutUser(listedTool.inputSchema as JsonObject),
        needsApproval: (args) => isDestructive && !isInvented(args),
        run(args, signal) {
          const made = queue.then(() => call(listedTool.name, args, signal));
          queue = made.catch(() => undefined);
          return made;
        },
      };
    });

  return {
    tools,
    calls,
    invented,
    titleOf: (id) => known.get(id),
    known: () => [...known].slice(-maxKnown).map(([id, title]) => ({ id, title })),
  };
}

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

const listings = new WeakMap<Client, Promise<readonly ListedTool[]>>();

/** Asked for once per connection: the client compiles every output schema anew with each listing. */
function toolsOf(client: Client): Promise<readonly ListedTool[]> {
  const known = listings.get(client);
  if (known) return known;
  const listing = client.listTools().then(({ tools }) => tools);
  listings.set(client, listing);
  listing.catch(() => listings.delete(client));
  return listing;
}

function failure(code: string): string {
  return JSON.stringify({ success: false, error: { code } });
}

/** The JSON a tool answered with, from its structured content or else its text. */
function dataOf(result: { readonly structuredContent?: unknown; readonly content?: unknown }): JsonObject | undefined {
  if (isObject(result.structuredContent)) return result.structuredContent;
  const [first] = Array.isArray(result.content) ? (result.content as { text?: unknown }[]) : [];
  try {
    const parsed: unknown = JSON.parse(typeof first?.text === 'string' ? first.text : '');
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function tasksIn(data: JsonObject): TaskReference[] {
  const candidates = [
    data['task'],
    data['next_task'],
    ...['tasks', 'overdue', 'today', 'upcoming', 'completed'].flatMap((name) =>
      Array.isArray(data[name]) ? data[name] : [],
    ),
  ];
  return candidates
    .filter(isObject)
    .flatMap((task) =>
      typeof task['id'] === 'string' && typeof task['title'] === 'string'
        ? [{ id: task['id'], title: task['title'] }]
        : [],
    );
}

function withoutUser(schema: JsonObject): JsonObject {
  const { properties, required, ...rest } = schema;
  const { user_id: _hidden, ...own } = (isObject(properties) ? properties : {}) as JsonObject;
  const needed = Array.isArray(required) ? required.filter((name) => name !== 'user_id') : [];
  return { ...rest, properties: own, required: needed };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
