import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';

let desk: Desk;
const uri = (part: string) => `hnpx://${encodeURIComponent('novels/book one.hnpx')}/${part}`;
const read = async (part: string) => {
  const { contents } = await desk.client.readResource({ uri: uri(part) });
  const [content] = contents;
  return content && 'text' in content ? content.text : '';
};

beforeEach(async () => {
  desk = await openDesk();
  await mkdir(join(desk.directory, 'novels'));
  await writeFile(join(desk.directory, 'novels/book one.hnpx'), smallBook);
  await writeFile(join(desk.directory, 'other.hnpx'), smallBook);
});

describe('resources', () => {
  test('list books and outlines, and describe nodes', async () => {
    const { resources } = await desk.client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual([
      uri('book'),
      'hnpx://other.hnpx/book',
      uri('outline'),
      'hnpx://other.hnpx/outline',
    ]);
    const { resourceTemplates } = await desk.client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.uriTemplate)).toContain('hnpx://{book}/nodes/{id}');
  });

  test('are read', async () => {
    expect(await read('book')).toMatch(/^<book id="b00001">[^]*<paragraph id="p00003"/);
    expect(await read('outline')).toContain('[c00002] Chapter 2: The Far Side (empty)');
    expect(await read('nodes/t00002')).toBe('<beat id="t00002">\n  <summary>A light appears.</summary>\n</beat>');
    await expect(read('nodes/zzzzzz')).rejects.toThrow();
    await expect(desk.client.readResource({ uri: 'hnpx://..%2F..%2Fetc%2Fpasswd/book' })).rejects.toThrow();
  });

  test('complete paths and node ids', async () => {
    const complete = async (name: string, value: string, given: Record<string, string> = {}) =>
      (
        await desk.client.complete({
          ref: { type: 'ref/resource', uri: 'hnpx://{book}/nodes/{id}' },
          argument: { name, value },
          context: { arguments: given },
        })
      ).completion.values;
    expect(await complete('book', 'one')).toEqual([encodeURIComponent('novels/book one.hnpx')]);
    expect(await complete('id', 'c0', { book: 'other.hnpx' })).toEqual(['c00001', 'c00002']);
    expect(await complete('id', '', { book: 'other.hnpx' })).toHaveLength(10);
    expect(await complete('id', '', { book: 'none.hnpx' })).toEqual([]);
  });
});

describe('prompts', () => {
  const get = async (name: string, args: Record<string, string>) => {
    const { messages } = await desk.client.getPrompt({ name, arguments: args });
    const content = messages[0]?.content;
    return content?.type === 'text' ? content.text : '';
  };

  test('cover planning, writing and revising', async () => {
    const { prompts } = await desk.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['plan_book', 'write_next', 'revise_node']);
    expect(await get('plan_book', { file_path: 'new.hnpx', premise: 'A ferry.' })).toContain('Premise: A ferry.');
    expect(await get('write_next', { file_path: 'other.hnpx' })).toMatch(/at chapter c00002\.[^]*create_sequence/);
    expect(await get('write_next', { file_path: 'other.hnpx', node_id: 't00002' })).toMatch(
      /Nobody ever comes[^]*create_paragraph/,
    );
    expect(await get('revise_node', { file_path: 'other.hnpx', node_id: 't00001', wish: 'Slower.' })).toMatch(
      /revision [0-9a-f]{12}\): Slower\.[^]*\[p00001\] Paragraph/,
    );
  });

  test('complete their arguments', async () => {
    const { completion } = await desk.client.complete({
      ref: { type: 'ref/prompt', name: 'revise_node' },
      argument: { name: 'node_id', value: 's' },
      context: { arguments: { file_path: 'other.hnpx' } },
    });
    expect(completion.values).toEqual(['s00001', 's00002']);
  });
});
