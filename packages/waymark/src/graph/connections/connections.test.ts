import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { createMcpHandler, inputRequired } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  annotate,
  connectInProcess,
  createCatalog,
  createHost,
  createMcpServer,
  defineTool,
  defineToolset,
  type User,
} from '../../kit/index.ts';
import type { HttpServer, ServerDefinition, StdioServer, WaymarkServer } from '../model.ts';
import { type ToolCaller, ToolCallFailure, type ToolCallOptions } from './connection.ts';
import { type ConnectionsOptions, createConnections } from './connections.ts';

const faultServer = fileURLToPath(new URL('./fault-server.mjs', import.meta.url));
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function connections(options: ConnectionsOptions = {}): ToolCaller {
  const made = createConnections(options);
  cleanups.push(() => made.close());
  return made;
}

function stdio(parts: Partial<StdioServer> = {}, ...flags: string[]): StdioServer {
  return {
    type: 'stdio',
    name: 'fault',
    key: JSON.stringify(['fault', flags, parts]),
    source: 'graph',
    missing: [],
    secrets: [],
    command: process.execPath,
    args: [faultServer, ...flags],
    env: {},
    cwd: tmpdir(),
    ...parts,
  };
}

const anyTime = new AbortController().signal;

async function call(
  caller: ToolCaller,
  server: ServerDefinition,
  tool: string,
  args: Record<string, unknown> = {},
  options: Partial<ToolCallOptions> = {},
): Promise<CallToolResult> {
  return caller.call(server, tool, args, { signal: anyTime, ...options });
}

async function valueOf<T>(result: Promise<CallToolResult>): Promise<T> {
  const [first] = (await result).content;
  return JSON.parse((first as { text: string }).text) as T;
}

async function failureOf(promise: Promise<unknown>): Promise<ToolCallFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolCallFailure);
  return error as ToolCallFailure;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('calls to a stdio server', () => {
  test('start the server lazily, once, however many calls come first', async () => {
    const caller = connections();
    const pids = await Promise.all(
      Array.from({ length: 20 }, () => valueOf<{ pid: number }>(call(caller, stdio(), 'pid'))),
    );
    expect(new Set(pids.map(({ pid }) => pid)).size).toBe(1);
  });

  test('keep structured content, images and links', async () => {
    const caller = connections();
    const sum = await call(caller, stdio(), 'add', { a: 2, b: 3 });
    expect(sum.structuredContent).toEqual({ sum: 5 });
    const media = await call(caller, stdio(), 'media');
    expect(media.content.map((item) => item.type)).toEqual(['image', 'text', 'resource_link']);
  });

  test('give every call its own answer when a hundred run at once', async () => {
    const caller = connections();
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((value) => valueOf<{ value: number }>(call(caller, stdio(), 'echo', { value }))),
    );
    expect(answers.map(({ value }) => value)).toEqual(numbers);
  });

  test('list the tools of every page', async () => {
    const tools = await connections().listTools(stdio());
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['add', 'ask', 'slow']));
  });

  test('pass env and cwd, and nothing else of our environment', async () => {
    process.env['WAYMARK_TEST_SECRET'] = 'not for you';
    cleanups.push(async () => delete process.env['WAYMARK_TEST_SECRET']);
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'waymark-cwd-')));
    cleanups.push(() => rm(directory, { recursive: true }));
    const caller = connections();
    const server = stdio({ env: { GREETING: 'hello there' }, cwd: directory });
    expect(await valueOf(call(caller, server, 'env', { name: 'GREETING' }))).toEqual({ value: 'hello there' });
    expect(await valueOf(call(caller, server, 'env', { name: 'WAYMARK_TEST_SECRET' }))).toEqual({ value: null });
    expect(await valueOf(call(caller, server, 'cwd'))).toEqual({ cwd: directory });
    const { names } = await valueOf<{ names: string[] }>(call(caller, server, 'environment'));
    expect(names).not.toContain('NODE_ENV');
  });

  test('hand the arguments over as they are: no shell reads them', async () => {
    const caller = connections();
    const server = stdio({}, '$(touch /tmp/never)', '; exit 1', '`id`');
    expect(await valueOf(call(caller, server, 'echo', { value: 1 }))).toEqual({ value: 1 });
  });

  test('forward progress and _meta', async () => {
    const seen: unknown[] = [];
    const caller = connections();
    await call(caller, stdio(), 'slow', { ms: 100 }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    const { meta } = await valueOf<{ meta: unknown }>(
      call(caller, stdio(), 'meta', {}, { meta: { traceparent: '00-1' } }),
    );
    expect(meta).toMatchObject({ traceparent: '00-1' });
  });

  test('forward a question and its answer', async () => {
    const asked: string[] = [];
    const answer = await valueOf(
      call(
        connections(),
        stdio(),
        'ask',
        {},
        {
          onElicit: async (request) => {
            asked.push(request.message);
            return { action: 'accept', content: { colour: 'red' } };
          },
        },
      ),
    );
    expect(asked).toEqual(['Which colour?']);
    expect(answer).toEqual({ answer: { action: 'accept', content: { colour: 'red' } } });
  });

  test('do not put a question to somebody who may not be meant', async () => {
    const caller = connections();
    const asked: string[] = [];
    const elicit = (who: string) => async () => {
      asked.push(who);
      return { action: 'accept' as const, content: { colour: who } };
    };
    const as = (id: string): Partial<ToolCallOptions> => ({ user: { id, scopes: 'all' }, onElicit: elicit(id) });
    const waiting = call(caller, stdio(), 'slow', { ms: 60_000 }, { ...as('bob'), timeoutMs: 500 });
    const answer = await valueOf(call(caller, stdio(), 'ask', {}, as('alice')));
    expect(answer).toEqual({ answer: { action: 'cancel' } });
    expect(asked).toEqual([]);
    await failureOf(waiting);
  });

  test('end the server and what it started', async () => {
    const caller = createConnections();
    const { pid } = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    const { pid: grandchild } = await valueOf<{ pid: number }>(call(caller, stdio(), 'child'));
    expect([pid, grandchild].map(isAlive)).toEqual([true, true]);
    await caller.close();
    await expect.poll(() => [pid, grandchild].map(isAlive), { timeout: 5000 }).toEqual([false, false]);
  });

  test('end a server that ignores both the end of its input and SIGTERM', async () => {
    const caller = createConnections();
    const { pid } = await valueOf<{ pid: number }>(call(caller, stdio({}, '--stubborn'), 'pid'));
    await caller.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe('faults of a stdio server', () => {
  test('an error result is an answer, not a failure', async () => {
    const result = await call(connections(), stdio(), 'fail');
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'the disk is full' }] });
  });

  test('a protocol error keeps its code and data', async () => {
    const failure = await failureOf(call(connections(), stdio(), 'refuse'));
    expect(failure).toMatchObject({ code: 'PROTOCOL_ERROR', rpcCode: -32_602, data: { field: 'x' } });
    expect(failure.message).toContain('Tool "refuse" of server "fault"');
    expect(failure.message).toContain('no such thing');
  });

  test('a hung tool ends with the timeout, and the server is told', async () => {
    const caller = connections();
    const failure = await failureOf(call(caller, stdio(), 'hang', {}, { timeoutMs: 50 }));
    expect(failure).toMatchObject({
      code: 'TIMEOUT',
      message: 'Tool "hang" of server "fault" did not answer within 50 ms',
    });
    expect(await valueOf(call(caller, stdio(), 'cancelled'))).toEqual({ cancelled: 1 });
  });

  test('a cancelled caller gets away at once, and the server is told', async () => {
    const caller = connections();
    const stop = new AbortController();
    const options = { signal: stop.signal, onProgress: () => stop.abort() };
    const running = failureOf(call(caller, stdio(), 'slow', { ms: 600_000 }, options));
    expect(await running).toMatchObject({ code: 'CANCELLED' });
    expect(await valueOf(call(caller, stdio(), 'cancelled'))).toEqual({ cancelled: 1 });
  });

  test('cancelling while the server starts does not disturb the others', async () => {
    const caller = connections();
    const stop = new AbortController();
    const cancelled = failureOf(call(caller, stdio(), 'pid', {}, { signal: stop.signal }));
    const other = valueOf<{ value: number }>(call(caller, stdio(), 'echo', { value: 7 }));
    stop.abort();
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    expect(await other).toEqual({ value: 7 });
  });

  test('a server that dies fails its calls with its last words, and is started again', async () => {
    const caller = connections();
    const first = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    const [beside, failure] = await Promise.all([
      failureOf(call(caller, stdio(), 'hang')),
      failureOf(call(caller, stdio(), 'die')),
    ]);
    expect(failure).toMatchObject({ code: 'CONNECTION_LOST', rpcCode: -32_000, stderr: ['out of cheese'] });
    expect(failure.message).toContain('exited with code 3');
    expect(beside.code).toBe('CONNECTION_LOST');
    const second = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    expect(second.pid).not.toBe(first.pid);
  });

  test('a server killed between calls is started again without a failed call', async () => {
    const caller = connections();
    const { pid } = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    const next = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    expect(next.pid).not.toBe(pid);
  });

  test('a server stuck in a loop is replaced', async () => {
    const caller = connections();
    const { pid } = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    await failureOf(call(caller, stdio(), 'busy', {}, { timeoutMs: 100 }));
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
    expect(await valueOf(call(caller, stdio(), 'echo', { value: 1 }))).toEqual({ value: 1 });
  });

  test('garbage instead of a result is said to be that', async () => {
    const failure = await failureOf(call(connections(), stdio(), 'garbage'));
    expect(failure.code).toBe('INVALID_RESPONSE');
  });

  test('noise on stdout is skipped', async () => {
    expect(await valueOf(call(connections(), stdio(), 'noise'))).toEqual({ ok: true });
  });

  test('a response of 100 MB is refused without being held, and the connection lives on', async () => {
    const caller = connections();
    const { pid } = await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'));
    const failure = await failureOf(call(caller, stdio(), 'huge', { bytes: 100_000_000 }));
    expect(failure).toMatchObject({ code: 'INVALID_RESPONSE' });
    expect(failure.message).toContain('larger than the limit of 67108864 bytes');
    expect(await valueOf<{ pid: number }>(call(caller, stdio(), 'pid'))).toEqual({ pid });
  });

  test('a server that will not start says why', async () => {
    const failure = await failureOf(call(connections(), stdio({}, '--refuse-start'), 'add'));
    expect(failure).toMatchObject({ code: 'SERVER_UNAVAILABLE', rpcCode: -32_000, stderr: ['cannot open the config'] });
    expect(failure.message).toContain('Connection closed (the process exited with code 1)');
  });

  test('a command that does not exist is named', async () => {
    const failure = await failureOf(call(connections(), stdio({ command: 'no-such-command' }), 'add'));
    expect(failure.code).toBe('SERVER_UNAVAILABLE');
    expect(failure.message).toContain('the command "no-such-command" or its directory was not found');
  });

  test('a server that never answers the handshake is given up and ended', async () => {
    const caller = connections({ startTimeoutMs: 300 });
    const failure = await failureOf(call(caller, stdio({}, '--silent'), 'add'));
    expect(failure.message).toContain('did not answer the handshake in time');
  });

  test('a variable that is not set is named and nothing is started', async () => {
    const failure = await failureOf(call(connections(), stdio({ missing: ['API_KEY'] }), 'add'));
    expect(failure.message).toContain('API_KEY');
  });

  test('secrets of the environment do not come back through stderr', async () => {
    const server = stdio({
      args: ['-e', 'console.error("token is", process.env.TOKEN); process.exit(1)'],
      env: { TOKEN: 's3cr3t-value' },
    });
    const failure = await failureOf(call(connections(), server, 'add'));
    expect(failure.stderr).toEqual(['token is ***']);
  });
});

interface RpcMessage {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly protocolVersion: string };
}

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  input: z.strictObject({ name: z.string() }),
  annotations: annotate.read,
  scopes: ['tasks:read'],
  run: ({ name }, context) => ({ greeting: `Hello ${name}`, by: context.user.id }),
});
const large = defineTool({
  name: 'large',
  title: 'Large',
  description: 'Answers at length.',
  input: z.strictObject({ bytes: z.number() }),
  annotations: annotate.read,
  scopes: [],
  run: ({ bytes }, context) => {
    context.progress(1, 1, 'writing');
    return { text: 'x'.repeat(bytes) };
  },
});
const ask = defineTool({
  name: 'ask',
  title: 'Ask',
  description: 'Asks back.',
  input: z.strictObject({}),
  annotations: annotate.read,
  scopes: [],
  run: (_input, context) =>
    context.answers?.['colour']
      ? { answer: context.answers['colour'] }
      : inputRequired({
          inputRequests: {
            colour: inputRequired.elicit({
              message: 'Which colour?',
              requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
            }),
          },
        }),
});
const toolset = defineToolset({ name: 'hall', title: 'Hall', instructions: 'Greets.', tools: [greet, large, ask] });

describe('calls to an HTTP server', () => {
  async function serve(): Promise<{ server: HttpServer; http: Server; seen: Headers[] }> {
    const seen: Headers[] = [];
    const catalog = createCatalog([toolset]);
    const handler = createMcpHandler(({ requestInfo }) => {
      if (requestInfo) seen.push(requestInfo.headers);
      return createMcpServer(catalog, createHost(), { user: { id: 'http', scopes: 'all' } });
    });
    const node = toNodeHandler(handler) as (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    const http = createServer((request, response) => void node(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    cleanups.push(async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const server: HttpServer = {
      type: 'http',
      name: 'hall',
      key: url,
      source: 'graph',
      missing: [],
      secrets: [],
      url,
      headers: { Authorization: 'Bearer t0ken', 'X-Team': 'blue' },
    };
    return { server, http, seen };
  }

  test('send the headers and read the answer', async () => {
    const { server, seen } = await serve();
    const result = await call(connections(), server, 'greet', { name: 'Ada' });
    expect(result.structuredContent).toEqual({ greeting: 'Hello Ada', by: 'http' });
    expect(seen.every((headers) => headers.get('authorization') === 'Bearer t0ken')).toBe(true);
    expect(seen[0]?.get('x-team')).toBe('blue');
  });

  test('bound the size of an answer, as JSON and as a stream', async () => {
    const { server } = await serve();
    const caller = connections({ maxResponseBytes: 100_000 });
    const plain = await failureOf(call(caller, server, 'large', { bytes: 300_000 }));
    expect(plain).toMatchObject({ code: 'INVALID_RESPONSE' });
    const streamed = await failureOf(call(caller, server, 'large', { bytes: 300_000 }, { onProgress: () => {} }));
    expect(streamed).toMatchObject({ code: 'INVALID_RESPONSE' });
    expect((await call(caller, server, 'greet', { name: 'Bob' })).isError).toBeUndefined();
  });

  test('forward a question', async () => {
    const { server } = await serve();
    const result = await call(
      connections(),
      server,
      'ask',
      {},
      {
        onElicit: async () => ({ action: 'accept', content: { colour: 'blue' } }),
      },
    );
    expect(result.structuredContent).toEqual({ answer: { action: 'accept', content: { colour: 'blue' } } });
  });

  test('say that nobody listens', async () => {
    const { server, http } = await serve();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    const failure = await failureOf(call(connections(), server, 'greet', { name: 'Ada' }));
    expect(failure).toMatchObject({ code: 'SERVER_UNAVAILABLE' });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  test('go through the fetch they are given', async () => {
    const { server } = await serve();
    const caller = connections({ fetch: () => Promise.reject(new Error('private addresses are refused')) });
    const failure = await failureOf(call(caller, server, 'greet', { name: 'Ada' }));
    expect(failure.message).toContain('private addresses are refused');
  });
});

describe('an HTTP server that forgets its sessions', () => {
  test('is connected to anew, and the call is made once', async () => {
    const sessions = new Set<string>();
    const calls: string[] = [];
    let made = 0;
    const answer = (message: RpcMessage, session: string | undefined, response: ServerResponse) => {
      const json = (status: number, body: object, headers: Record<string, string> = {}) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      const { id, method, params } = message;
      if (method === 'initialize') {
        const name = `session-${++made}`;
        sessions.add(name);
        const { protocolVersion } = params;
        const result = {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'forgetful', version: '1' },
        };
        return json(200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': name });
      }
      if (session === undefined) {
        return json(400, { jsonrpc: '2.0', id: id ?? null, error: { code: -32_000, message: 'No session' } });
      }
      if (!sessions.has(session)) {
        return json(404, { jsonrpc: '2.0', id: id ?? null, error: { code: -32_001, message: 'Session not found' } });
      }
      if (id === undefined) return response.writeHead(202).end();
      calls.push(session);
      return json(200, {
        jsonrpc: '2.0',
        id,
        result: { content: [{ type: 'text', text: JSON.stringify({ session }) }] },
      });
    };
    const http = createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const session = request.headers['mcp-session-id'];
        answer(JSON.parse(body) as RpcMessage, typeof session === 'string' ? session : undefined, response);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    cleanups.push(async () => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const shared = { type: 'http', name: 'forgetful', key: url, source: 'graph', missing: [], secrets: [] } as const;
    const server: HttpServer = { ...shared, url, headers: {} };
    const caller = connections();
    expect(await valueOf(call(caller, server, 'work'))).toEqual({ session: 'session-1' });
    sessions.clear();
    expect(await valueOf(call(caller, server, 'work'))).toEqual({ session: 'session-2' });
    expect(calls).toEqual(['session-1', 'session-2']);
  });
});

describe('calls to a server of the older SSE kind', () => {
  test('send the headers, follow the endpoint it names and bound its answers', async () => {
    const seen: (string | undefined)[] = [];
    const streams: ServerResponse[] = [];
    const http = createServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: endpoint\ndata: /messages?session=1\n\n');
        streams.push(response);
        return;
      }
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(202).end();
        const { id, method, params } = JSON.parse(body) as {
          id?: number;
          method: string;
          params: { protocolVersion: string; arguments: { bytes: number } };
        };
        if (id === undefined) return;
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params.protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'old', version: '1' },
              }
            : { content: [{ type: 'text', text: 'x'.repeat(params.arguments.bytes) }] };
        streams[0]?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    cleanups.push(async () => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
    const server: ServerDefinition = {
      type: 'sse',
      name: 'old',
      key: url,
      source: 'graph',
      missing: [],
      secrets: [],
      url,
      headers: { Authorization: 'Bearer t0ken' },
    };
    const caller = connections({ maxResponseBytes: 10_000 });
    expect((await call(caller, server, 'write', { bytes: 3 })).content).toEqual([{ type: 'text', text: 'xxx' }]);
    expect(await failureOf(call(caller, server, 'write', { bytes: 50_000 }))).toMatchObject({
      code: 'INVALID_RESPONSE',
    });
    expect((await call(caller, server, 'write', { bytes: 1 })).content).toEqual([{ type: 'text', text: 'x' }]);
    expect(new Set(seen)).toEqual(new Set(['Bearer t0ken']));
  });
});

describe("calls to Waymark's own toolsets", () => {
  const server: WaymarkServer = {
    type: 'waymark',
    name: 'waymark:hall',
    key: 'waymark:hall',
    source: 'graph',
    missing: [],
    secrets: [],
    toolset: 'hall',
  };
  const connect: NonNullable<ConnectionsOptions['connectToolset']> = (_name, user, options) =>
    connectInProcess(createCatalog([toolset]), createHost(), { user }, options);

  test('act for the user of the run, with that user’s rights', async () => {
    const caller = connections({ connectToolset: connect });
    const as = async (user: User) => (await call(caller, server, 'greet', { name: 'x' }, { user })).structuredContent;
    expect(await as({ id: 'ada', scopes: 'all' })).toMatchObject({ by: 'ada' });
    expect(await as({ id: 'bob', scopes: new Set(['tasks:read']) })).toMatchObject({ by: 'bob' });
    expect(await as({ id: 'ada', scopes: new Set() })).toMatchObject({ error: 'INSUFFICIENT_SCOPE' });
  });

  test('forward a question', async () => {
    const caller = connections({ connectToolset: connect });
    const result = await call(caller, server, 'ask', {}, { onElicit: async () => ({ action: 'decline' }) });
    expect(result.structuredContent).toEqual({ answer: { action: 'decline' } });
  });

  test('say so where there are none', async () => {
    const failure = await failureOf(call(connections(), server, 'greet', { name: 'x' }));
    expect(failure.message).toContain('not reachable here');
  });
});
