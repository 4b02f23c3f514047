import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';

let desk: Desk;
let file: string;
const path = 'book.hnpx';
const source = () => readFile(file, 'utf8');

beforeEach(async () => {
  desk = await openDesk();
  file = join(desk.directory, path);
  await writeFile(file, smallBook);
});

describe('create_document', () => {
  test('writes the minimal book with a random id [HNPX-007] [HNPX-011] [HNPX-017] [HNPX-018] [HNPX-104] [HNPX-105]', async () => {
    const ids = new Set<string>();
    for (const name of ['one.hnpx', 'two.hnpx', 'three.xml']) {
      const created = await desk.use('create_document', { file_path: name });
      const id = created['id'] as string;
      ids.add(id);
      expect(created).toMatchObject({ success: true, type: 'book', book_id: id, file_path: name });
      expect(await readFile(join(desk.directory, name), 'utf8')).toBe(
        `<?xml version="1.0" encoding="UTF-8"?>\n<book id="${id}">\n  <summary>New book</summary>\n</book>\n`,
      );
      expect(id).toMatch(/^[a-z0-9]{6}$/);
    }
    expect(ids.size).toBe(3);
  });

  test('takes absolute and relative paths [HNPX-019]', async () => {
    await desk.use('create_document', { file_path: join(desk.directory, 'absolute.hnpx') });
    await desk.use('create_document', { file_path: './relative.hnpx' });
    expect((await desk.use('get_next_empty_container', { file_path: 'absolute.hnpx' }))['type']).toBe('book');
    const relative = await desk.use('get_next_empty_container', { file_path: join(desk.directory, 'relative.hnpx') });
    expect(relative['type']).toBe('book');
  });

  test('refuses an existing file and leaves it alone [HNPX-020] [HNPX-086]', async () => {
    const error = await desk.refuse('create_document', { file_path: path });
    expect(error).toMatchObject({ error: true, code: 'FILE_EXISTS', message: `File already exists at ${path}` });
    expect(await source()).toBe(smallBook);
  });

  test.each(['missing/dir/book.hnpx', 'book.hnpx/inside.hnpx'])('cannot create %s [HNPX-021]', async (bad) => {
    const error = await desk.refuse('create_document', { file_path: bad });
    expect(error).toMatchObject({ code: 'INVALID_PATH', message: `Cannot create file at ${bad}` });
  });

  test('cannot create outside the roots [HNPX-021]', async () => {
    const error = await desk.refuse('create_document', { file_path: '/nowhere/book.hnpx' });
    expect(error).toMatchObject({
      code: 'INVALID_PATH',
      message: 'Cannot create file at /nowhere/book.hnpx: Path is outside the allowed roots',
    });
  });

  test('two creators at once: one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => desk.call('create_document', { file_path: 'race.hnpx' })),
    );
    expect(answers.filter((answer) => !answer.isError)).toHaveLength(1);
    expect(new Set(answers.filter((answer) => answer.isError).map((answer) => answer.structured['code']))).toEqual(
      new Set(['FILE_EXISTS']),
    );
  });
});

describe('create_chapter', () => {
  test('adds a chapter under the book [HNPX-012] [HNPX-037] [HNPX-042]', async () => {
    const created = await desk.use('create_chapter', {
      file_path: path,
      parent_id: 'b00001',
      title: 'Home',
      summary: 'She returns.',
      pov: 'ilse',
    });
    const id = created['id'] as string;
    expect(id).toMatch(/^[a-z0-9]{6}$/);
    expect(created).toEqual({
      success: true,
      id,
      type: 'chapter',
      parent_id: 'b00001',
      message: `Created chapter with id ${id}`,
      revision: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(await source()).toBe(
      smallBook.replace(
        '</chapter>\n</book>',
        `</chapter>\n  <chapter id="${id}" title="Home" pov="ilse">\n    <summary>She returns.</summary>\n  </chapter>\n</book>`,
      ),
    );
  });

  test('writes no pov when none is given [HNPX-044]', async () => {
    for (const [pov, title] of [
      [undefined, 'A'],
      [null, 'B'],
      ['', 'C'],
    ]) {
      const { id } = await desk.use('create_chapter', {
        file_path: path,
        parent_id: 'b00001',
        title,
        summary: 's',
        pov,
      });
      const { text } = await desk.call('get_node', { file_path: path, node_id: id });
      expect(text).toBe(
        `<chapter id="${id as string}" title="${title as string}">\n  <summary>s</summary>\n</chapter>`,
      );
    }
  });

  test.each([
    ['a chapter as parent', { parent_id: 'c00001' }, 'INVALID_PARENT', 'Parent must be a book element'],
    ['an unknown parent', { parent_id: 'zzzzzz' }, 'NODE_NOT_FOUND', 'Node with id zzzzzz not found'],
    ['an empty title', { title: '  ' }, 'INVALID_ATTRIBUTE', 'title must be non-empty'],
    ['a missing title', { title: undefined }, 'MISSING_ATTRIBUTE', 'Missing required attribute: title'],
    ['a null title', { title: null }, 'MISSING_ATTRIBUTE', 'Missing required attribute: title'],
    ['a title of another type', { title: 7 }, 'INVALID_ATTRIBUTE', 'title: expected string, received number'],
    ['an empty summary', { summary: ' \n' }, 'EMPTY_SUMMARY', 'Summary cannot be empty'],
    ['a missing summary', { summary: undefined }, 'MISSING_ATTRIBUTE', 'Missing required attribute: summary'],
    ['a title already used', { title: ' The Ford ' }, 'VALIDATION_FAILED', 'Chapter title must be unique within book'],
    ['an overlong title', { title: 'x'.repeat(201) }, 'INVALID_ATTRIBUTE', 'title is longer than 200 characters'],
    [
      'two positions',
      { position: 0, before_id: 'c00001' },
      'INVALID_ATTRIBUTE',
      'Give only one of: position, before_id',
    ],
    ['a position beyond the end', { position: 3 }, 'INVALID_ATTRIBUTE', 'position must be a whole number from 0 to 2'],
    ['an unknown argument', { titel: 'x' }, 'INVALID_ATTRIBUTE', 'Unknown argument "titel"; did you mean "title"?'],
  ])(
    'refuses %s, changing nothing [HNPX-098] [HNPX-100] [HNPX-038] [HNPX-039] [HNPX-040] [HNPX-041] [HNPX-043] [HNPX-087] [HNPX-088] [HNPX-090] [HNPX-091] [HNPX-093] [HNPX-095]',
    async (_what, change, code, message) => {
      const args = { file_path: path, parent_id: 'b00001', title: 'Home', summary: 'She returns.', ...change };
      const error = await desk.refuse('create_chapter', args);
      expect(error).toMatchObject({ error: true, code, message: expect.stringContaining(message) as string });
      expect(await source()).toBe(smallBook);
    },
  );

  test.each([
    [{ position: 0 }, 0],
    [{ position: 1 }, 1],
    [{ before_id: 'c00002' }, 1],
    [{ after_id: 'c00002' }, 2],
    [{}, 2],
  ])('goes where %o says', async (where, expected) => {
    const args = { file_path: path, parent_id: 'b00001', title: 'Home', summary: 's', ...where };
    const { id } = await desk.use('create_chapter', args);
    const { child_ids: ids } = await desk.use('get_direct_children', { file_path: path, node_id: 'b00001' });
    expect((ids as string[]).indexOf(id as string)).toBe(expected);
  });
});

describe('create_sequence, create_beat and create_paragraph', () => {
  test('add under their parents [HNPX-013] [HNPX-014] [HNPX-015] [HNPX-045] [HNPX-049] [HNPX-051]', async () => {
    const args = { file_path: path, summary: 's' };
    const sequence = await desk.use('create_sequence', {
      ...args,
      parent_id: 'c00002',
      location: 'Mill',
      time: 'noon',
      pov: 'jan',
    });
    const beat = await desk.use('create_beat', { ...args, parent_id: sequence['id'] });
    const paragraph = await desk.use('create_paragraph', { ...args, parent_id: beat['id'], text: 'The mill stood.' });
    const { text } = await desk.call('get_subtree', { file_path: path, node_id: sequence['id'] });
    expect(text).toBe(
      [
        `<sequence id="${sequence['id'] as string}" loc="Mill" time="noon" pov="jan">`,
        '  <summary>s</summary>',
        `  <beat id="${beat['id'] as string}">`,
        '    <summary>s</summary>',
        `    <paragraph id="${paragraph['id'] as string}" mode="narration">`,
        '      <summary>s</summary>',
        '      The mill stood.',
        '    </paragraph>',
        '  </beat>',
        '</sequence>',
      ].join('\n'),
    );
  });

  test.each([
    ['create_sequence', 'b00001', { location: 'x' }, 'Parent must be a chapter element'],
    ['create_beat', 'c00001', {}, 'Parent must be a sequence element'],
    ['create_paragraph', 's00001', { text: 'x' }, 'Parent must be a beat element'],
    ['create_paragraph', 'p00001', { text: 'x' }, 'Parent must be a beat element'],
  ])(
    '%s below %s is refused [HNPX-005] [HNPX-010] [HNPX-046] [HNPX-050] [HNPX-052]',
    async (tool, parent, extra, expected) => {
      const error = await desk.refuse(tool, { file_path: path, parent_id: parent, summary: 's', ...extra });
      expect(error).toMatchObject({ code: 'INVALID_PARENT', message: expected });
    },
  );

  test('create_sequence understands the name of the attribute too', async () => {
    const { id } = await desk.use('create_sequence', {
      file_path: path,
      parent_id: 'c00001',
      loc: 'Mill\nrace',
      summary: 's',
    });
    expect((await desk.call('render_node', { file_path: path, node_id: id })).text).toBe(
      `[${id as string}] Sequence: Mill race`,
    );
  });

  test('refuses an empty location [HNPX-047]', async () => {
    const error = await desk.refuse('create_sequence', {
      file_path: path,
      parent_id: 'c00001',
      location: ' ',
      summary: 's',
    });
    expect(error).toMatchObject({ code: 'INVALID_ATTRIBUTE', message: 'location must be non-empty' });
  });

  test.each([
    ['empty text', { text: '\n ' }, 'INVALID_ATTRIBUTE', 'text must be non-empty'],
    ['an unknown mode', { mode: 'poem' }, 'INVALID_ATTRIBUTE', 'mode must be one of: narration, dialogue, internal'],
    ['dialogue without a speaker', { mode: 'dialogue' }, 'MISSING_CHAR', 'Dialogue paragraph requires char'],
    [
      'dialogue with an empty speaker',
      { mode: 'dialogue', char: ' ' },
      'MISSING_CHAR',
      'Dialogue paragraph requires char',
    ],
    ['no summary', { summary: undefined }, 'MISSING_ATTRIBUTE', 'Missing required attribute: summary'],
    [
      'a control character',
      { text: 'a\u0007b' },
      'INVALID_ATTRIBUTE',
      'text contains the character U+0007 at offset 1, which XML cannot hold',
    ],
    [
      'a lone surrogate',
      { text: 'ab\ud800' },
      'INVALID_ATTRIBUTE',
      'text contains the character U+D800 at offset 2, which XML cannot hold',
    ],
    [
      'text beyond the limit',
      { text: 'x'.repeat(1024 * 1024 + 1) },
      'LIMIT_EXCEEDED',
      'text is longer than 1048576 characters',
    ],
  ])(
    'create_paragraph refuses %s [HNPX-053] [HNPX-054] [HNPX-055] [HNPX-094]',
    async (_what, change, code, message) => {
      const args = { file_path: path, parent_id: 't00002', summary: 's', text: 'x', ...change };
      expect(await desk.refuse('create_paragraph', args)).toMatchObject({ code, message });
      expect(await source()).toBe(smallBook);
    },
  );

  test('an internal paragraph thinks with the point of view above it [HNPX-048] [HNPX-056]', async () => {
    const own = { file_path: path, summary: 's', text: 'x', mode: 'internal' };
    const effective = async (parent: string, char?: string) => {
      const { id } = await desk.use('create_paragraph', { ...own, parent_id: parent, char });
      return (await desk.use('get_node', { file_path: path, node_id: id }))['effective_char'];
    };
    expect(await effective('t00002')).toBe('ilse');
    expect(await effective('t00002', 'jan')).toBe('jan');
    await desk.use('edit_node_attributes', { file_path: path, node_id: 's00001', attributes: { pov: 'ferryman' } });
    expect(await effective('t00002')).toBe('ferryman');
    expect((await desk.use('get_node', { file_path: path, node_id: 's00001' }))['effective_pov']).toBe('ferryman');
  });
});

describe('edit_node_attributes', () => {
  const edit = (node: string, attributes: Record<string, unknown>) =>
    desk.use('edit_node_attributes', { file_path: path, node_id: node, attributes });

  test('sets, keeps and removes [HNPX-057] [HNPX-058] [HNPX-059]', async () => {
    await edit('c00001', { title: 'The "Old" Ford' });
    expect(await source()).toBe(smallBook.replace('title="The Ford"', 'title="The &quot;Old&quot; Ford"'));
    await edit('c00001', { pov: null });
    await edit('s00001', { time: '' });
    await edit('c00001', { title: 'The Ford' });
    expect(await source()).toBe(smallBook.replace(' pov="ilse"', '').replace(' time="dusk"', ''));
    await edit('s00001', { pov: 'jan', time: 7 });
    expect(await source()).toContain('<sequence id="s00001" loc="Riverbank" time="7" pov="jan">');
  });

  test('sets the summary of the book and the text of a paragraph [HNPX-079]', async () => {
    await edit('b00001', { summary: 'A ferry & a promise.' });
    await edit('p00001', { text: 'Grey water.', mode: 'internal' });
    const after = await source();
    expect(after).toContain('<book id="b00001">\n  <summary>A ferry &amp; a promise.</summary>');
    expect(after).toContain(
      'mode="internal">\n          <summary>The river at dusk.</summary>\n          Grey water.\n        </paragraph>',
    );
  });

  test('judges mode and speaker together', async () => {
    await edit('p00001', { mode: 'dialogue', char: 'jan' });
    const error = await desk.refuse('edit_node_attributes', {
      file_path: path,
      node_id: 'p00001',
      attributes: { char: null },
    });
    expect(error.code).toBe('MISSING_CHAR');
    await edit('p00001', { mode: null, char: null });
  });

  test('an empty change writes nothing', async () => {
    await edit('c00001', {});
    await edit('c00001', { title: 'The Ford' });
    expect(await source()).toBe(smallBook);
    expect(desk.published).toEqual([]);
  });

  test.each([
    ['the id', 'c00001', { id: 'c00001', title: 'X' }, 'READ_ONLY', "Cannot modify read-only attribute 'id'"],
    ['no title', 'c00001', { title: '' }, 'INVALID_ATTRIBUTE', 'Chapter title cannot be empty'],
    [
      'a title in use',
      'c00001',
      { title: 'The Far Side' },
      'VALIDATION_FAILED',
      'Chapter title must be unique within book',
    ],
    ['no place', 's00001', { loc: null }, 'INVALID_ATTRIBUTE', 'Sequence loc cannot be empty'],
    ['no place by its other name', 's00001', { location: '' }, 'INVALID_ATTRIBUTE', 'Sequence loc cannot be empty'],
    [
      'a wrong mode',
      'p00001',
      { mode: 'song' },
      'INVALID_ATTRIBUTE',
      'mode must be one of: narration, dialogue, internal',
    ],
    [
      'an unknown attribute',
      'c00001',
      { mood: 'x' },
      'INVALID_ATTRIBUTE',
      "Attribute 'mood' is not allowed on chapter",
    ],
    ['an object', 'c00001', { pov: { a: 1 } }, 'INVALID_ATTRIBUTE', 'pov must be a string or null'],
    ['an empty summary', 'c00001', { summary: null }, 'EMPTY_SUMMARY', 'Summary cannot be empty'],
    ['empty text', 'p00001', { text: '' }, 'INVALID_ATTRIBUTE', 'text must be non-empty'],
    ['text on a beat', 't00001', { text: 'x' }, 'INVALID_ATTRIBUTE', "Attribute 'text' is not allowed on beat"],
    [
      'good and bad together',
      'c00001',
      { pov: 'jan', mood: 'x' },
      'INVALID_ATTRIBUTE',
      "Attribute 'mood' is not allowed on chapter",
    ],
  ])(
    'refuses %s and applies nothing [HNPX-004] [HNPX-060] [HNPX-061] [HNPX-062] [HNPX-063] [HNPX-096]',
    async (_what, node, attributes, code, message) => {
      const error = await desk.refuse('edit_node_attributes', { file_path: path, node_id: node, attributes });
      expect(error).toMatchObject({ code, message });
      expect(await source()).toBe(smallBook);
    },
  );
});

describe('remove_node', () => {
  test('takes the whole subtree [HNPX-064]', async () => {
    const removed = await desk.use('remove_node', { file_path: path, node_id: 's00001' });
    expect(removed).toMatchObject({ success: true, removed_count: 6 });
    const after = await source();
    expect(after).toBe(smallBook.replace(/\n {4}<sequence id="s00001"[^]*?<\/sequence>/, ''));
    expect((await desk.refuse('get_node', { file_path: path, node_id: 'p00001' })).code).toBe('NODE_NOT_FOUND');
  });

  test('refuses the book [HNPX-065] [HNPX-097]', async () => {
    const error = await desk.refuse('remove_node', { file_path: path, node_id: 'b00001' });
    expect(error).toMatchObject({ code: 'IMMUTABLE_ROOT', message: 'Cannot remove the root book element' });
  });
});

describe('reorder_children', () => {
  const reorder = (parent: string, ids: unknown) => ({ file_path: path, parent_id: parent, child_ids: ids });

  test('puts children in order, their comments with them [HNPX-066]', async () => {
    await desk.use('reorder_children', reorder('c00001', ['s00002', 's00001']));
    const after = await source();
    expect(after.indexOf('the crossing belongs here')).toBeLessThan(after.indexOf('s00002'));
    expect(after.indexOf('s00002')).toBeLessThan(after.indexOf('s00001'));
    await desk.use('reorder_children', reorder('c00001', ['s00001', 's00002']));
    expect(await source()).toBe(smallBook);
  });

  test.each([
    ['a child elsewhere', ['s00001', 's00002', 'c00002'], 'VALIDATION_FAILED', 'c00002 is not a child of c00001'],
    ['an unknown id', ['s00001', 'nope00'], 'NODE_NOT_FOUND', 'Node with id nope00 not found'],
    ['an omission', ['s00002'], 'VALIDATION_FAILED', 'Must include all children; missing: s00001'],
    ['a duplicate', ['s00001', 's00001'], 'VALIDATION_FAILED', 'Duplicate ids in child_ids: s00001'],
  ])('refuses %s [HNPX-067] [HNPX-068]', async (_what, ids, code, message) => {
    expect(await desk.refuse('reorder_children', reorder('c00001', ids))).toMatchObject({ code, message });
    expect(await source()).toBe(smallBook);
  });
});

test('a file with CRLF, comments and processing instructions keeps them', async () => {
  const crlf = smallBook
    .replace('<!-- the crossing belongs here -->', '<?note keep?><!-- keep -->')
    .replaceAll('\n', '\r\n');
  await writeFile(file, crlf);
  const { id } = await desk.use('create_paragraph', {
    file_path: path,
    parent_id: 't00002',
    summary: 's',
    text: 'One\nTwo',
  });
  const added = `\n        <paragraph id="${id as string}" mode="narration">\n          <summary>s</summary>\n          One\nTwo\n        </paragraph>`;
  const at = '<summary>A light appears.</summary>';
  expect(await source()).toBe(crlf.replace(at, at + added.replaceAll('\n', '\r\n')));
  expect((await desk.use('get_node', { file_path: path, node_id: id }))['text']).toBe('One\nTwo');
});

test('every change is told to whoever watches', async () => {
  const { id, revision } = await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
  expect(desk.published).toEqual([
    { type: 'book-changed', user: 'local', data: { file: path, revision, tool: 'create_beat', id } },
  ]);
});
