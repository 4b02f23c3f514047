import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  annotate,
  connectInProcess,
  createCatalog,
  createHost,
  defineTool,
  defineToolset,
  type Logger,
  type Selection,
  silentLogger,
  ToolError,
} from './index.ts';

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  input: z.strictObject({ text: z.string().min(1) }),
  output: z.object({ text: z.string() }),
  annotations: annotate.read,
  scopes: ['sop:run'],
  aliases: ['say'],
  run: ({ text }) => ({ text }),
});

const shred = defineTool({
  name: 'shred',
  title: 'Shred',
  description: 'Fails in a chosen way.',
  input: z.object({ how: z.enum(['refuse', 'crash', 'wait', 'lie']) }),
  output: z.object({ done: z.boolean() }),
  annotations: annotate.remove,
  scopes: ['tasks:write'],
  tier: 'more',
  async run({ how }, context) {
    if (how === 'refuse') throw new ToolError('JAMMED', 'The shredder is jammed', { tray: 2 });
    if (how === 'crash') throw new Error('secret /etc/path leaked');
    if (how === 'lie') return { done: 'yes' as never };
    await new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(new Error('stopped')));
      context.progress(1, 2, 'half');
    });
    return { done: true };
  },
});

const toolset = defineToolset({ name: 'office', title: 'Office', instructions: 'Use echo.', tools: [echo, shred] });
const local = { user: { id: 'local', scopes: 'all' as const } };

function connect({ selection, log = silentLogger }: { selection?: Selection; log?: Logger } = {}) {
  return connectInProcess(createCatalog([toolset], selection), createHost({ log }), local);
}

describe('a toolset served in process', () => {
  test('lists titles, annotations and schemas without $schema', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['echo', 'shred']);
    expect(tools[0]).toMatchObject({
      title: 'Echo',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: { type: 'object', required: ['text'], additionalProperties: false },
      outputSchema: { type: 'object' },
    });
    expect(JSON.stringify(tools)).not.toContain('$schema');
  });

  test('answers with JSON text and the same structured content', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    expect(result.structuredContent).toEqual({ text: 'hello' });
    expect(result.content).toEqual([{ type: 'text', text: '{"text":"hello"}' }]);
  });

  test('accepts the alias of a tool', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'say', arguments: { text: 'hi' } });
    expect(result.structuredContent).toEqual({ text: 'hi' });
  });

  test('names the wrong argument and the nearest right one', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'echo', arguments: { txt: 'hello' } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('did you mean \\\\\\"text\\\\\\"?');
  });

  test('suggests the nearest tool', async () => {
    const client = await connect();
    await expect(client.callTool({ name: 'ecko', arguments: {} })).rejects.toThrow('did you mean echo?');
  });

  test('advertises an output schema that its refusals fit too', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const accepts = new Ajv2020().compile((tools[1]?.outputSchema ?? {}) as Record<string, unknown>);
    const result = await client.callTool({ name: 'shred', arguments: { how: 'refuse' } });
    expect(accepts(result.structuredContent)).toBe(true);
    expect(accepts({ done: true })).toBe(true);
    expect(accepts({ done: 'yes' })).toBe(false);
  });

  test('advertises a schema that comes from a file as it stands, and keeps refusals out of it', async () => {
    const json = { type: 'object', properties: { sum: { $ref: '#/$defs/sum' } }, $defs: { sum: { type: 'number' } } };
    const broken = defineTool({
      name: 'broken',
      title: 'Broken',
      description: 'Always refuses.',
      input: z.strictObject({}),
      output: { json, parse: (value: unknown) => ({ ok: true as const, value }) },
      annotations: annotate.read,
      scopes: [],
      run: () => {
        throw new ToolError('NO', 'No');
      },
    });
    const only = defineToolset({ name: 'one', title: 'One', instructions: '', tools: [broken] });
    const client = await connectInProcess(createCatalog([only]), createHost(), local);
    expect((await client.listTools()).tools[0]?.outputSchema).toEqual(json);
    const result = await client.callTool({ name: 'broken', arguments: {} });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: '{"error":"NO","message":"No"}' }] });
    expect(result.structuredContent).toBeUndefined();
  });

  test('passes a refusal on as data', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'shred', arguments: { how: 'refuse' } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({ error: 'JAMMED', message: 'The shredder is jammed', tray: 2 });
  });

  test('hides an unexpected error behind an id that the log has too', async () => {
    const lines: unknown[] = [];
    const client = await connect({ log: { ...silentLogger, error: (_message, fields) => lines.push(fields) } });
    const result = await client.callTool({ name: 'shred', arguments: { how: 'crash' } });
    const { error, id } = result.structuredContent as { error: string; id: string };
    expect(error).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(lines).toMatchObject([{ id, tool: 'shred' }]);
  });

  test('checks its own output', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'shred', arguments: { how: 'lie' } });
    expect(result.structuredContent).toMatchObject({ error: 'INTERNAL_ERROR' });
  });

  test('cancellation and progress reach both ends', async () => {
    const client = await connect();
    const stop = new AbortController();
    const seen: unknown[] = [];
    const call = client.callTool(
      { name: 'shred', arguments: { how: 'wait' } },
      {
        signal: stop.signal,
        onprogress: (progress) => {
          seen.push(progress);
          stop.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(seen).toMatchObject([{ progress: 1, total: 2, message: 'half' }]);
  });

  test('narrows by tier, name, exclusion, read-only and scope', async () => {
    const names = async (selection: Selection) =>
      (await (await connect({ selection })).listTools()).tools.map((tool) => tool.name);
    expect(await names({ tier: 'core' })).toEqual(['echo']);
    expect(await names({ tools: ['shred'] })).toEqual(['shred']);
    expect(await names({ excludeTools: ['echo'] })).toEqual(['shred']);
    expect(await names({ tools: ['shred', 'echo'], readOnly: true })).toEqual(['echo']);
    expect(await names({ scopes: new Set(['tasks:write'] as const) })).toEqual(['shred']);
    const client = await connect({ selection: { readOnly: true } });
    await expect(client.callTool({ name: 'shred', arguments: { how: 'refuse' } })).rejects.toThrow('Unknown tool');
  });
});
