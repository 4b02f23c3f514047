import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServe, temporaryDirectory } from '../cli/waymark.test-helpers.ts';
import { connectClient, post, wires } from './office.test-helpers.ts';

/** One test per threat that a local server meets; what needs authentication is in test/auth. */
let server: Awaited<ReturnType<typeof startServe>>;
let root: string;
beforeAll(async () => {
  const parent = await temporaryDirectory();
  root = join(parent, 'allowed');
  await Promise.all([mkdir(root), mkdir(join(parent, 'allowed-evil')), mkdir(join(parent, 'secret'))]);
  await writeFile(join(parent, 'secret', 'book.xml'), '<book id="abc123"><summary>secret words</summary></book>');
  await writeFile(join(parent, 'allowed-evil', 'book.xml'), '<book id="abc123"><summary>secret words</summary></book>');
  await symlink(join(parent, 'secret', 'book.xml'), join(root, 'link.xml'));
  server = await startServe(['--root', root, '--data', join(parent, 'data'), '--log-level', 'silent']);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

const call = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, server.url), { headers }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end();
  });
}

test('DNS rebinding: foreign Host and Origin are refused on every route', async () => {
  for (const path of ['/', '/healthz', '/api/info', '/api/events', '/mcp', '/mcp/tasks', '/nowhere']) {
    expect(await statusOf(path, { host: 'evil.example' }), path).toBe(403);
    expect(await statusOf(path, { origin: 'https://evil.example' }), path).toBe(403);
    expect(await statusOf(path, { origin: 'null' }), path).toBe(403);
  }
});

test('cross-site requests: only JSON is read, whatever the form', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await post(server.url, JSON.stringify(call('list_tasks', { user_id: 'local' })), {
      'content-type': type,
    });
    expect(response.status, type).toBe(415);
  }
  const preflight = await fetch(new URL('/mcp', server.url), { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('another session cannot be entered by guessing its id', async () => {
  const response = await post(
    server.url,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { 'mcp-session-id': crypto.randomUUID() },
  );
  expect(response.status).toBe(404);
});

describe('path traversal', () => {
  test.each([
    '../secret/book.xml',
    '../allowed-evil/book.xml',
    'link.xml',
    './x/../../secret/book.xml',
    '/etc/passwd',
    'file:///etc/passwd',
    'book.xml\0.xml',
    '..\\secret\\book.xml',
  ])('%j stays closed', async (path) => {
    const response = await post(server.url, call('get_node', { file_path: path, node_id: 'abc123' }));
    const body = await response.text();
    expect(body).toContain('isError');
    expect(body).not.toContain('secret words');
    expect(body).not.toContain('root:');
    expect(body).not.toContain(root);
  });
});

test('a read-only server does not know writing tools, whatever the annotations say', async () => {
  const readOnly = await startServe(['--read-only', '--data', await temporaryDirectory()]);
  for (const [, negotiation] of wires) {
    const client = await connectClient(readOnly.url, '/mcp/tasks', negotiation, {
      'x-mcp-readonly': 'false',
      'x-mcp-tools': 'add_task',
    });
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool({ name: 'add_task', arguments: { user_id: 'local', title: 'x' } })).rejects.toThrow(
      'Unknown tool',
    );
    await client.close();
  }
  readOnly.child.kill('SIGTERM');
  await readOnly.ended;
});

describe('floods', () => {
  test('a body over the limit is refused before it is parsed', async () => {
    const response = await post(server.url, JSON.stringify(call('add_task', { title: 'x'.repeat(5 * 1024 * 1024) })));
    expect(response.status).toBe(413);
  });

  test('an array of a million elements is answered as a mistake', async () => {
    const response = await post(
      server.url,
      call('list_tasks', { user_id: Array.from({ length: 1_000_000 }, () => 1) }),
    );
    expect(await response.text()).toContain('isError');
  });

  test('deeply nested JSON does no harm', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const response = await post(
      server.url,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tasks","arguments":{"user_id":${deep}}}}`,
    );
    expect([200, 400]).toContain(response.status);
    expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  });

  test('a batch of ten thousand is refused', async () => {
    const batch = Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    expect((await post(server.url, batch)).status).toBe(400);
  });
});

test.each([
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'x'.repeat(5_000),
  '任务',
  '../tasks',
  'add_task\n',
])('the tool name %j is unknown', async (name) => {
  const response = await post(server.url, call(name, {}));
  expect(await response.text()).toContain('-32602');
});

test('prototype pollution in arguments stays in the message', async () => {
  const response = await post(
    server.url,
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_task","arguments":{"user_id":"local","title":"x","__proto__":{"admin":true}}}}',
  );
  expect(response.status).toBe(200);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

describe('stdio', () => {
  const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

  function start(args: string[]) {
    const child = spawn(process.execPath, [program, 'mcp', ...args]);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
      child.once('close', (code) => resolve({ code, stdout }));
    });
    return { child, ended };
  }
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };

  test('puts nothing but JSON on stdout and ends with its client', async () => {
    const { child, ended } = start(['--data', await temporaryDirectory()]);
    child.stdin.write(`${JSON.stringify(initialize)}\nthis is not JSON\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end();
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('ends on a polite kill', async () => {
    const { child, ended } = start(['sop']);
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});
