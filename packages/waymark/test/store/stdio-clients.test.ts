import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHolderNote } from '../../src/store/embedded/holder-file.ts';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

let directory: string;
let hosts: Host[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-stdio-'));
  hosts = [];
});
afterEach(async () => {
  await Promise.allSettled(hosts.map((host) => host.client.close()));
  await rm(directory, { recursive: true, force: true });
});

interface Host {
  readonly client: Client;
  readonly pid: number;
}

/** What a desktop host does: spawn its own server and talk to it over stdin and stdout. */
async function startHost(): Promise<Host> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'tasks', '--data', directory],
  });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport);
  const host = { client, pid: transport.pid ?? 0 };
  hosts.push(host);
  return host;
}

async function call({ client }: Host, name: string, input: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: { user_id: 'local', ...input } });
  const text = JSON.stringify(result.structuredContent ?? result.content);
  if (result.isError) throw new Error(text);
  return text;
}

test('five hosts spawn a server each on one data directory; one is killed, and nobody loses a task', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, startHost));
  await Promise.all(all.map((host, index) => call(host, 'add_task', { title: `before ${index}` })));

  const holder = all.find((host) => host.pid === readHolderNote(directory)?.pid);
  expect(holder).toBeDefined();
  const others = all.filter((host) => host !== holder);
  // Calls are under way in the other four when the holder dies.
  const underWay = others.map((host, index) =>
    call(host, 'add_task', { title: `during ${index}` }).then(
      () => 'done' as const,
      (error: Error) => error.message,
    ),
  );
  process.kill(holder?.pid ?? 0, 'SIGKILL');
  const outcomes = await Promise.all(underWay);
  await Promise.all(others.map((host, index) => call(host, 'add_task', { title: `after ${index}` })));

  for (const host of others) {
    const listed = await call(host, 'list_tasks', {});
    for (let index = 0; index < 5; index++) expect(listed).toContain(`before ${index}`);
    for (let index = 0; index < 4; index++) expect(listed).toContain(`after ${index}`);
    outcomes.forEach((outcome, index) => {
      if (outcome === 'done') expect(listed).toContain(`during ${index}`);
      else expect(outcome).toContain('STORE_UNAVAILABLE');
    });
  }
});
