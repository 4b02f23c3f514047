import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { ApiError, signIn } from './http.ts';

export type { CallToolResult, Tool };

/** One exchange with the server, as it went over the wire. */
export interface WireEntry {
  readonly id: number;
  readonly at: Date;
  readonly endpoint: string;
  readonly method: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly status: number;
  readonly milliseconds: number;
}

const clients = new Map<string, Promise<Client>>();
const watchers = new Set<(entry: WireEntry) => void>();
let count = 0;

/** Tells every exchange to whoever watches, for the wire log. */
export function watchWire(watcher: (entry: WireEntry) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export async function listTools(endpoint: string): Promise<Tool[]> {
  return (await (await connect(endpoint)).listTools()).tools;
}

export async function callTool(endpoint: string, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await (await connect(endpoint)).callTool({ name, arguments: args })) as CallToolResult;
}

export async function listResources(endpoint: string): Promise<{ uri: string; name: string }[]> {
  return (await (await connect(endpoint)).listResources()).resources;
}

/** The text of a resource. */
export async function readResource(endpoint: string, uri: string): Promise<string> {
  const { contents } = await (await connect(endpoint)).readResource({ uri });
  return contents.flatMap((content) => ('text' in content ? [content.text] : [])).join('\n');
}

/** A tool's structured answer; a refusal becomes an error with its own words. */
export async function callForData<T>(endpoint: string, name: string, args: Record<string, unknown>): Promise<T> {
  const result = await callTool(endpoint, name, args);
  if (!result.isError) return result.structuredContent as T;
  const { code, error, message } = (result.structuredContent ?? {}) as {
    code?: string;
    error?: unknown;
    message?: string;
  };
  throw new ApiError(400, code ?? (typeof error === 'string' ? error : 'REFUSED'), message ?? 'The tool refused.', {});
}

function connect(endpoint: string): Promise<Client> {
  let client = clients.get(endpoint);
  if (!client) {
    client = open(endpoint);
    clients.set(endpoint, client);
    client.catch(() => clients.delete(endpoint));
  }
  return client;
}

async function open(endpoint: string): Promise<Client> {
  const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new McpClient({ name: 'waymark-studio', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint, location.origin), {
    fetch: (url, init) => recordedFetch(endpoint, url, init),
  });
  await client.connect(transport);
  return client;
}

async function recordedFetch(endpoint: string, url: string | URL, init: RequestInit = {}): Promise<Response> {
  const started = performance.now();
  const at = new Date();
  const response = await fetch(url, init);
  if (response.status === 401) signIn();
  if (init.method !== 'POST') return response;
  const request = parse(typeof init.body === 'string' ? init.body : '');
  const text = await response.clone().text();
  count += 1;
  const entry: WireEntry = {
    id: count,
    at,
    endpoint,
    method: (request as { method?: string } | undefined)?.method ?? '(answer)',
    request,
    response: parse(text.startsWith('event:') || text.startsWith('data:') ? dataOf(text) : text),
    status: response.status,
    milliseconds: performance.now() - started,
  };
  for (const watcher of watchers) watcher(entry);
  return response;
}

function dataOf(stream: string): string {
  return (
    stream
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .at(-1) ?? ''
  );
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
