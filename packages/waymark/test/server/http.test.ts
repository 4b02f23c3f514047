import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { HttpServer } from '../../src/server/http-server.ts';
import { connectClient, createOffice, post, startOffice, wires } from './office.test-helpers.ts';

const running: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(changes: Parameters<typeof startOffice>[1] = {}) {
  const office = createOffice();
  const { server, url } = await startOffice(office.toolset, changes);
  running.push(server);
  return { ...office, server, url };
}

describe.each(wires)('MCP over HTTP, %s', (_name, negotiation) => {
  test('serves the core at /mcp and everything of a toolset at its own path', async () => {
    const { url } = await start();
    const names = async (path: string) => {
      const client = await connectClient(url, path, negotiation);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map((tool) => tool.name);
    };
    expect(await names('/mcp')).toEqual(['echo', 'hold']);
    expect(await names('/mcp/office')).toEqual(['echo', 'write', 'hold']);
  });

  test('calls a tool', async () => {
    const { url } = await start();
    const client = await connectClient(url, '/mcp', negotiation);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    expect(result.structuredContent).toEqual({ text: 'hello' });
    await client.close();
  });

  test('headers narrow what the operator serves, never widen it', async () => {
    const { url } = await start({ selection: { readOnly: true } });
    const list = async (headers: Record<string, string>) => {
      const client = await connectClient(url, '/mcp/office', negotiation, headers);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map((tool) => tool.name);
    };
    expect(await list({ 'x-mcp-tools': 'echo,write' })).toEqual(['echo']);
    expect(await list({ 'x-mcp-exclude-tools': 'hold', 'x-mcp-readonly': 'false' })).toEqual(['echo']);
    const client = await connectClient(url, '/mcp/office', negotiation);
    await expect(client.callTool({ name: 'write', arguments: {} })).rejects.toThrow('Unknown tool: write');
    await client.close();
  });

  test('a client that cancels stops the tool', async () => {
    const { url, started, aborted, release } = await start();
    const client = await connectClient(url, '/mcp', negotiation);
    const stop = new AbortController();
    const call = client.callTool({ name: 'hold', arguments: {} }, { signal: stop.signal });
    await started;
    stop.abort();
    await expect(call).rejects.toThrow();
    await aborted;
    release();
    await client.close().catch(() => {});
  });

  test('a call that takes too long is stopped and says so', async () => {
    const { url, aborted } = await start({ callTimeoutMs: 50 });
    const client = await connectClient(url, '/mcp', negotiation);
    const result = await client.callTool({ name: 'hold', arguments: {} });
    expect(result.structuredContent).toMatchObject({ error: 'TIMEOUT' });
    await aborted;
    await client.close();
  });

  test('stopping lets the call under way finish', async () => {
    const { url, server, started, release } = await start();
    const client = await connectClient(url, '/mcp', negotiation);
    const call = client.callTool({ name: 'hold', arguments: {} });
    await started;
    const closed = server.close();
    release();
    expect((await call).structuredContent).toEqual({ text: 'released' });
    await closed;
    await client.close().catch(() => {});
  });
});

describe('the older wire', () => {
  test('gives each session its own conversation, and strangers none', async () => {
    const { url } = await start();
    const conversation = async () => {
      const client = await connectClient(url, '/mcp/office', undefined);
      const result = await client.callTool({ name: 'write', arguments: {} });
      await client.close();
      return (result.structuredContent as { text: string }).text;
    };
    const [first, second] = [await conversation(), await conversation()];
    expect(first).not.toBe('none');
    expect(first).not.toBe(second);
    const unknown = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': 'made-up' });
    expect(unknown.status).toBe(404);
  });

  test('answers a single request without a session', async () => {
    const { url } = await start();
    const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"echo"');
  });

  test('refuses a batch over the limit', async () => {
    const { url } = await start();
    const batch = Array.from({ length: 4 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const response = await post(url, batch);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: 'A batch may hold at most 3 messages' } });
  });
});

describe('what is wrong with a request is told as a JSON-RPC error', () => {
  test.each([
    ['malformed JSON', '{"jsonrpc":', {}, 400, -32700],
    ['a body that is too large', JSON.stringify({ pad: 'x'.repeat(70_000) }), {}, 413, -32600],
    ['a body that is not JSON', 'a=b', { 'content-type': 'text/plain' }, 415, -32600],
    [
      'a form, as another site could post it',
      'a=b',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      -32600,
    ],
  ])('%s', async (_name, body, headers, status, code) => {
    const { url } = await start();
    const response = await post(url, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code }, id: null });
  });

  test('too many requests of one user [HNPX-122]', async () => {
    const { url } = await start({ perUser: { perSecond: 0.001, burst: 2 } });
    const ask = () => post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('more calls at once than a user may have', async () => {
    const { url, release } = await start();
    const client = await connectClient(url, '/mcp', wires[1][1]);
    const calls = Array.from({ length: 5 }, () => client.callTool({ name: 'hold', arguments: {} }));
    const refused = await Promise.race(calls);
    expect(refused.structuredContent).toMatchObject({ error: 'BUSY' });
    release();
    await client.close().catch(() => {});
    await Promise.allSettled(calls);
  });
});

describe('requests from elsewhere', () => {
  const send = (url: URL, headers: Record<string, string>, path = '/healthz') =>
    new Promise<number>((resolve, reject) => {
      const request = httpRequest(new URL(path, url), { headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end();
    });

  test.each([
    ['another host name', { host: 'evil.example' }, 403],
    ['another host name with our port', { host: 'evil.example:4840' }, 403],
    ['localhost on any port', { host: 'localhost:1' }, 200],
    ['IPv6 loopback', { host: '[::1]:9' }, 200],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['a look-alike host', { origin: 'http://localhost.evil.example' }, 403],
    ['our own page', { origin: 'http://127.0.0.1:4840' }, 200],
  ])('%s', async (_name, headers, status) => {
    const { url } = await start();
    expect(await send(url, headers)).toBe(status);
    expect(await send(url, headers, '/mcp/nowhere')).toBe(status === 200 ? 404 : 403);
  });
});
