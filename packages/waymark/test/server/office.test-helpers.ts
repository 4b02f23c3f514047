import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { annotate, createHost, defineTool, defineToolset, type Toolset } from '../../src/kit/index.ts';
import { createCallPolicy } from '../../src/server/call-policy.ts';
import { createGuard } from '../../src/server/guard.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/server/http-server.ts';

/** A small toolset whose calls can be held open and released by the test. */
export function createOffice(): { toolset: Toolset; release(): void; started: Promise<void>; aborted: Promise<void> } {
  let release = () => {};
  let markStarted = () => {};
  let markAborted = () => {};
  const started = new Promise<void>((resolve) => (markStarted = resolve));
  const aborted = new Promise<void>((resolve) => (markAborted = resolve));
  const text = z.object({ text: z.string() });
  const tools = [
    defineTool({
      name: 'echo',
      title: 'Echo',
      description: 'Says it again.',
      input: z.strictObject({ text: z.string() }),
      output: text,
      annotations: annotate.read,
      scopes: ['sop:run'],
      run: (input) => input,
    }),
    defineTool({
      name: 'write',
      title: 'Write',
      description: 'Changes something.',
      input: z.strictObject({}),
      output: text,
      annotations: annotate.change,
      scopes: ['sop:run'],
      tier: 'more',
      run: (_input, context) => ({ text: context.conversation ?? 'none' }),
    }),
    defineTool({
      name: 'hold',
      title: 'Hold',
      description: 'Answers when released.',
      input: z.strictObject({}),
      output: text,
      annotations: annotate.read,
      scopes: ['sop:run'],
      async run(_input, context) {
        context.signal.addEventListener('abort', () => markAborted());
        const released = new Promise<void>((resolve) => (release = resolve));
        markStarted();
        await released;
        return { text: 'released' };
      },
    }),
  ];
  const toolset = defineToolset({ name: 'office', title: 'Office', instructions: 'Echo.', tools });
  return { toolset, started, aborted, release: () => release() };
}

/** The real HTTP server on a free port. */
export async function startOffice(
  toolset: Toolset,
  changes: Partial<HttpServerOptions> & { callTimeoutMs?: number } = {},
) {
  const policy = { callTimeoutMs: changes.callTimeoutMs ?? 10_000, maxConcurrentCalls: 4, now: () => Date.now() };
  const server = await createHttpServer({
    toolsets: [toolset],
    host: createHost({ aroundCall: createCallPolicy(policy) }),
    guard: createGuard({ host: '127.0.0.1' }),
    selection: {},
    maxBodyBytes: 64 * 1024,
    maxBatch: 3,
    sessionIdleMs: 60_000,
    maxSessions: 100,
    shutdownMs: 5_000,
    ...changes,
  });
  return { server, url: await server.listen(0, '127.0.0.1') };
}

export const wires = [
  ['2025-11-25 (sessions)', undefined],
  ['2026-07-28 (stateless)', { mode: { pin: '2026-07-28' } }],
] as const;

export async function connectClient(
  url: URL,
  path: string,
  negotiation: (typeof wires)[number][1],
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    negotiation ? { versionNegotiation: negotiation } : undefined,
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }));
  return client;
}

/** One raw JSON-RPC request of the older wire, without a session. */
export function post(url: URL, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
