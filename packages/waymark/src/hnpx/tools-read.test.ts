import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';

let desk: Desk;
const path = 'book.hnpx';
const write = (text: string, name = path) => writeFile(join(desk.directory, name), text);
const xml = async (tool: string, node: string, more = {}) =>
  (await desk.call(tool, { file_path: path, node_id: node, ...more })).text;

beforeEach(async () => {
  desk = await openDesk();
  await write(smallBook);
});

test('the fifteen tools are listed with their parameters [HNPX-016]', async () => {
  const { tools } = await desk.client.listTools();
  const parameters = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      { all: Object.keys(tool.inputSchema.properties ?? {}), required: tool.inputSchema.required },
    ]),
  );
  const expected: Record<string, readonly string[]> = {
    create_document: ['file_path'],
    get_next_empty_container: ['file_path'],
    get_node: ['file_path', 'node_id'],
    get_subtree: ['file_path', 'node_id'],
    get_direct_children: ['file_path', 'node_id'],
    get_node_path: ['file_path', 'node_id'],
    create_chapter: ['file_path', 'parent_id', 'title', 'summary', 'pov?'],
    create_sequence: ['file_path', 'parent_id', 'location', 'summary', 'time?', 'pov?'],
    create_beat: ['file_path', 'parent_id', 'summary'],
    create_paragraph: ['file_path', 'parent_id', 'summary', 'text', 'mode?', 'char?'],
    edit_node_attributes: ['file_path', 'node_id', 'attributes'],
    remove_node: ['file_path', 'node_id'],
    reorder_children: ['file_path', 'parent_id', 'child_ids'],
    render_node: ['file_path', 'node_id'],
    render_document: ['file_path'],
  };
  for (const [name, names] of Object.entries(expected)) {
    expect(parameters[name]?.all, name).toEqual(expect.arrayContaining(names.map((each) => each.replace('?', ''))));
    const required = names.filter((each) => !each.endsWith('?'));
    expect([...(parameters[name]?.required ?? [])].toSorted(), name).toEqual([...required].toSorted());
  }
});

test('the list of tools stays short: 150 tokens each on average', async () => {
  const { tools } = await desk.client.listTools();
  const characters = tools.map(
    ({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }).length,
  );
  expect(characters.reduce((sum, each) => sum + each, 0) / tools.length / 4).toBeLessThan(150);
});

describe('get_next_empty_container', () => {
  const next = async (more = {}) => desk.call('get_next_empty_container', { file_path: path, ...more });

  test('walks level by level [HNPX-022] [HNPX-024] [HNPX-025] [HNPX-026] [HNPX-027] [HNPX-028]', async () => {
    const steps = [
      [{ id: 'c00002', type: 'chapter', message: 'Chapter has no sequences' }, 'create_sequence', { location: 'x' }],
      [{ id: 's00002', type: 'sequence', message: 'Sequence has no beats' }, 'create_beat', {}],
      [{ type: 'sequence', message: 'Sequence has no beats' }, 'create_beat', {}],
      [{ id: 't00002', type: 'beat', message: 'Beat has no paragraphs' }, 'create_paragraph', { text: 'x' }],
      [{ type: 'beat', message: 'Beat has no paragraphs' }, 'create_paragraph', { text: 'x' }],
      [{ type: 'beat', message: 'Beat has no paragraphs' }, 'create_paragraph', { text: 'x' }],
    ] as const;
    for (const [expected, tool, more] of steps) {
      const { structured, text } = await next();
      expect(structured).toMatchObject(expected);
      expect(Object.keys(structured)).toEqual(['id', 'type', 'message']);
      expect(JSON.parse(text)).toEqual(structured);
      await desk.use(tool, { file_path: path, parent_id: structured['id'], summary: 's', ...more });
    }
    expect(await next()).toEqual({ text: 'null', structured: { result: null }, isError: false });
  });

  test('begins with the book [HNPX-023]', async () => {
    const { id } = await desk.use('create_document', { file_path: 'new.hnpx' });
    const { structured } = await desk.call('get_next_empty_container', { file_path: 'new.hnpx' });
    expect(structured).toEqual({ id, type: 'book', message: 'Book has no chapters' });
  });

  test('looks below one node, and at paragraphs when asked', async () => {
    expect((await next({ node_id: 's00001' })).structured['id']).toBe('t00002');
    expect((await next({ node_id: 't00001' })).text).toBe('null');
    await write(smallBook.replace('          Nobody ever comes.\n', ''));
    expect((await next({ node_id: 't00001' })).text).toBe('null');
    expect((await next({ node_id: 't00001', include_paragraphs: true })).structured).toEqual({
      id: 'p00003',
      type: 'paragraph',
      message: 'Paragraph has no text',
    });
  });

  test('comments and white space are no children', async () => {
    await write(
      smallBook.replace(
        '<summary>A light appears.</summary>',
        '<summary>A light appears.</summary><!-- paragraph to come -->\n\n<?todo x?>',
      ),
    );
    expect((await next({ node_id: 's00001' })).structured['id']).toBe('t00002');
  });
});

describe('get_node', () => {
  test('shows attributes and summary alone [HNPX-002] [HNPX-029]', async () => {
    expect(await xml('get_node', 'c00001')).toBe(
      '<chapter id="c00001" title="The Ford" pov="ilse">\n  <summary>Ilse reaches the river.</summary>\n</chapter>',
    );
  });

  test('shows a paragraph with its text, and what it inherits', async () => {
    const answer = await desk.call('get_node', { file_path: path, node_id: 'p00003' });
    expect(answer.text).toBe(
      '<paragraph id="p00003" mode="internal">\n  <summary>She doubts.</summary>\n  Nobody ever comes.\n</paragraph>',
    );
    expect(answer.structured).toMatchObject({
      id: 'p00003',
      type: 'paragraph',
      parent_id: 't00001',
      text: 'Nobody ever comes.',
      effective_char: 'ilse',
      effective_pov: 'ilse',
      xml: answer.text,
    });
  });

  test.each(['zzzzzz', '', "x' or '1'='1", '*', '//book', 'B00001', 'b00001 ', '../b', '__proto__'])(
    'has no node %j [HNPX-030] [HNPX-087]',
    async (id) => {
      const error = await desk.refuse('get_node', { file_path: path, node_id: id });
      expect(error).toMatchObject({ error: true, code: 'NODE_NOT_FOUND', message: `Node with id ${id} not found` });
    },
  );

  test('names the nearest id', async () => {
    expect((await desk.refuse('get_node', { file_path: path, node_id: 'c0001' })).details['did_you_mean']).toBe(
      'c00001',
    );
  });
});

describe('get_subtree', () => {
  test('shows everything below [HNPX-032]', async () => {
    const expected = smallBook
      .slice(smallBook.indexOf('<beat id="t00001">'), smallBook.indexOf('</beat>') + 7)
      .replaceAll('\n      ', '\n');
    expect(await xml('get_subtree', 't00001')).toBe(expected);
    const answer = await desk.call('get_subtree', { file_path: path, node_id: 'b00001' });
    expect(answer.structured).toMatchObject({ node_count: 10, omitted_nodes: 0, truncated: false });
  });

  test('stops at a level', async () => {
    const text = await xml('get_subtree', 'b00001', { pruning_level: 'sequence' });
    expect(text).toContain('<sequence id="s00002"');
    expect(text).not.toContain('<beat');
    expect(await xml('get_subtree', 'b00001', { pruning_level: 'full' })).toContain('<paragraph');
    const above = await desk.call('get_subtree', { file_path: path, node_id: 's00001', pruning_level: 'book' });
    expect(above.structured).toMatchObject({ truncated: false, omitted_nodes: 5 });
    expect(above.text).toBe(await xml('get_node', 's00001'));
  });

  test('is bounded: deeper levels are left out when it would not fit [HNPX-112] [HNPX-121]', async () => {
    const small = await openDesk({ limits: { maxResultLength: 900 } });
    await writeFile(join(small.directory, path), smallBook);
    const answer = await small.call('get_subtree', { file_path: path, node_id: 'b00001' });
    expect(answer.structured).toMatchObject({ truncated: true, omitted_nodes: 3 });
    expect(answer.text).toContain('<beat id="t00001">');
    expect(answer.text).not.toContain('<paragraph');
    expect(answer.text).toContain('<!-- 3 deeper nodes left out');
  });
});

describe('get_direct_children', () => {
  test('shows each child without its own [HNPX-033] [HNPX-034]', async () => {
    expect(await xml('get_direct_children', 's00001')).toBe(
      [
        '<children>',
        '  <beat id="t00001">',
        '    <summary>She waits.</summary>',
        '  </beat>',
        '  <beat id="t00002">',
        '    <summary>A light appears.</summary>',
        '  </beat>',
        '</children>',
      ].join('\n'),
    );
    expect(await xml('get_direct_children', 'p00001')).toBe('<children/>');
    expect(await xml('get_direct_children', 't00001')).toContain('Is anyone there?');
  });

  test('can be paged [HNPX-111]', async () => {
    const answer = await desk.call('get_direct_children', { file_path: path, node_id: 't00001', offset: 1, limit: 1 });
    expect(answer.text).toContain('<children total="3" offset="1" limit="1">');
    expect(answer.structured).toMatchObject({ child_ids: ['p00002'], total: 3, returned: 1 });
    for (const bad of [{ limit: 0 }, { limit: 1.5 }, { offset: -1 }]) {
      const error = await desk.refuse('get_direct_children', { file_path: path, node_id: 't00001', ...bad });
      expect(error.code).toBe('INVALID_ATTRIBUTE');
    }
  });

  test('a page that would be too long is cut [HNPX-121]', async () => {
    const small = await openDesk({ limits: { maxResultLength: 300 } });
    await writeFile(join(small.directory, path), smallBook);
    const answer = await small.call('get_direct_children', { file_path: path, node_id: 't00001' });
    expect(answer.structured).toMatchObject({ total: 3, returned: 2 });
  });
});

test('one node that is larger than an answer is refused with the way to read it [HNPX-121]', async () => {
  const small = await openDesk({ limits: { maxResultLength: 200 } });
  await writeFile(join(small.directory, path), smallBook.replace('Nobody', 'Nobody '.repeat(100)));
  for (const tool of ['get_node', 'get_subtree']) {
    const error = await small.refuse(tool, { file_path: path, node_id: 'p00003' });
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('render_node') as string });
  }
  const part = await small.use('render_node', { file_path: path, node_id: 'p00003', offset: 100 });
  expect(part).toMatchObject({ truncated: true, next_offset: 300 });
});

test('the names of another HNPX server are understood', async () => {
  for (const tool of ['get_children', 'get_path']) await desk.use(tool, { file_path: path, node_id: 's00001' });
});

test('get_node_path shows the way down to the node [HNPX-035] [HNPX-036]', async () => {
  expect(await xml('get_node_path', 's00001')).toBe(
    [
      '<path>',
      '  <book id="b00001">',
      '    <summary>A ferryman keeps a promise.</summary>',
      '  </book>',
      '  <chapter id="c00001" title="The Ford" pov="ilse">',
      '    <summary>Ilse reaches the river.</summary>',
      '  </chapter>',
      '  <sequence id="s00001" loc="Riverbank" time="dusk">',
      '    <summary>No boat is there.</summary>',
      '  </sequence>',
      '</path>',
    ].join('\n'),
  );
});

describe('errors', () => {
  test('have the specified shape in text and structure [HNPX-082]', async () => {
    const answer = await desk.call('get_node', { file_path: path, node_id: 'zzzzzz' });
    expect(JSON.parse(answer.text)).toEqual(answer.structured);
    expect(Object.keys(answer.structured)).toEqual(['error', 'code', 'message', 'details']);
  });

  test('a missing file [HNPX-083]', async () => {
    expect(await desk.refuse('get_node', { file_path: 'none.hnpx', node_id: 'b00001' })).toMatchObject({
      code: 'FILE_NOT_FOUND',
      details: { file_path: 'none.hnpx' },
    });
  });

  test('malformed XML, with its place [HNPX-031] [HNPX-084]', async () => {
    await write(smallBook.replace('</beat>', '</beet>'));
    expect(await desk.refuse('get_node', { file_path: path, node_id: 'b00001' })).toMatchObject({
      code: 'INVALID_XML',
      message: 'Document is not valid XML',
      details: { line: 24, reason: 'unexpected close tag.' },
    });
  });

  test('well-formed XML that is not HNPX [HNPX-085] [HNPX-092]', async () => {
    await write(smallBook.replaceAll('beat', 'chapter'));
    const error = await desk.refuse('render_document', { file_path: path });
    expect(error).toMatchObject({ code: 'NOT_HNPX', message: 'File is not a valid HNPX document' });
    const [first] = error.details['violations'] as { code: string; line: number; column: number; message: string }[];
    expect(first).toMatchObject({
      code: 'INVALID_HIERARCHY',
      line: 10,
      column: 7,
      message: '<chapter> cannot stand inside <sequence>; expected <beat>',
    });
  });

  test('the next call works after a refusal, also when the file is repaired [HNPX-114]', async () => {
    await desk.refuse('create_beat', { file_path: path, parent_id: 'c00001', summary: 's' });
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    await write('<book');
    await desk.refuse('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    await write(smallBook);
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
  });
});

describe('small and strange books', () => {
  test('an empty book and one of a single paragraph pass through every tool [HNPX-115]', async () => {
    const single =
      '<book id="aaaaaa"><summary>One.</summary><chapter id="aaaaab" title="T"><summary>s</summary><sequence id="aaaaac" loc="L"><summary>s</summary><beat id="aaaaad"><summary>s</summary><paragraph id="aaaaae"><summary>s</summary>Only this.</paragraph></beat></sequence></chapter></book>';
    await write(single, 'single.hnpx');
    await write('<book id="aaaaaa"><summary>s</summary></book>', 'empty.hnpx');
    for (const [file, text, empty] of [
      ['single.hnpx', 'Only this.', 'null'],
      ['empty.hnpx', '', '"id":"aaaaaa"'],
    ] as const) {
      const args = { file_path: file, node_id: 'aaaaaa' };
      expect((await desk.call('render_document', { file_path: file })).text).toBe(text);
      expect((await desk.call('get_next_empty_container', { file_path: file })).text).toContain(empty);
      for (const tool of ['get_node', 'get_subtree', 'get_direct_children', 'get_node_path', 'render_node'])
        await desk.use(tool, args);
      await desk.use('reorder_children', {
        file_path: file,
        parent_id: 'aaaaaa',
        child_ids: file.startsWith('s') ? ['aaaaab'] : [],
      });
      await desk.use('edit_node_attributes', { ...args, attributes: { summary: 'New.' } });
      await desk.use('create_chapter', { file_path: file, parent_id: 'aaaaaa', title: 'U', summary: 's' });
    }
    await desk.use('remove_node', { file_path: 'single.hnpx', node_id: 'aaaaab' });
    expect(await readFile(join(desk.directory, 'single.hnpx'), 'utf8')).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<book id="aaaaaa"><summary>New.<\/summary>\n {2}<chapter id="......" title="U">/,
    );
  });

  test('Unicode, markup and white space come back as they went in [HNPX-103] [HNPX-106] [HNPX-116] [HNPX-119]', async () => {
    const texts = [
      'Ein "Fluss" & <b>mehr</b> ]]> &amp; &#65;',
      'Две строки\n\n    mit Einzug\tund Tab',
      '👩‍🚀 𝔘𝔫𝔦 \u00a0nbsp\u00a0 \u200b zwsp é e\u0301 עברית 日本語',
      '<!DOCTYPE x [<!ENTITY a "b">]><?php ?> <!-- no comment --> <![CDATA[x]]>',
      '\u00a0 leading no-break space',
    ];
    for (const text of texts) {
      const { id } = await desk.use('create_paragraph', {
        file_path: path,
        parent_id: 't00002',
        summary: text,
        text,
        mode: 'dialogue',
        char: text.slice(0, 20),
      });
      const fresh = await openDesk();
      await writeFile(join(fresh.directory, path), await readFile(join(desk.directory, path)));
      const seen = await fresh.use('get_node', { file_path: path, node_id: id });
      expect(seen['text']).toBe(text);
      expect(seen['summary']).toBe(text);
      expect((seen['attributes'] as Record<string, string>)['char']).toBe(
        text.slice(0, 20).replaceAll(/^[ \n]+|[ \n]+$/g, ''),
      );
      expect((await fresh.call('render_document', { file_path: path })).text).toContain(text);
    }
  });
});
