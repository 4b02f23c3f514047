import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, parseText, smallBook } from './hnpx.test-helpers.ts';

let desk: Desk;
let file: string;
const path = 'book.hnpx';
const source = () => readFile(file, 'utf8');
const book = async () => parseText(await source());
const childrenOf = async (id: string) => {
  const read = await book();
  return read.children(read.require(id)).map((row) => read.id(row));
};

beforeEach(async () => {
  desk = await openDesk();
  file = join(desk.directory, path);
  await writeFile(file, smallBook);
});

test('get_root_id', async () => {
  expect(await desk.use('get_root_id', { file_path: path })).toMatchObject({ id: 'b00001', type: 'book' });
});

test('edit_summary and edit_paragraph_text take their own and the older argument names', async () => {
  await desk.use('edit_summary', { file_path: path, node_id: 't00001', summary: 'One' });
  await desk.use('edit_summary', { file_path: path, node_id: 't00002', new_summary: 'Two' });
  await desk.use('edit_paragraph_text', { file_path: path, node_id: 'p00001', text: 'Three' });
  await desk.use('edit_paragraph_text', { file_path: path, paragraph_id: 'p00002', new_text: 'Four' });
  const read = await book();
  expect(['t00001', 't00002'].map((id) => read.summary(read.require(id)))).toEqual(['One', 'Two']);
  expect(['p00001', 'p00002'].map((id) => read.text(read.require(id)))).toEqual(['Three', 'Four']);
  const error = await desk.refuse('edit_paragraph_text', { file_path: path, node_id: 't00001', text: 'x' });
  expect(error.code).toBe('INVALID_ATTRIBUTE');
});

describe('move_nodes', () => {
  test('moves to another parent, in the order given, comments along', async () => {
    await desk.use('move_nodes', { file_path: path, node_ids: ['p00003', 'p00001'], new_parent_id: 't00002' });
    expect(await childrenOf('t00002')).toEqual(['p00003', 'p00001']);
    await desk.use('move_nodes', { file_path: path, node_ids: ['s00002'], new_parent_id: 'c00002' });
    expect(await childrenOf('c00002')).toEqual(['s00002']);
    const after = await source();
    expect(after.indexOf('the crossing belongs here')).toBeGreaterThan(after.indexOf('The Far Side'));
  });

  test.each([
    [{ position: 0 }, ['p00003', 'p00001', 'p00002']],
    [{ before_id: 'p00002' }, ['p00001', 'p00003', 'p00002']],
    [{ after_id: 'p00001' }, ['p00001', 'p00003', 'p00002']],
    [{}, ['p00001', 'p00002', 'p00003']],
  ])('moves within its parent to %o', async (where, expected) => {
    await desk.use('move_nodes', { file_path: path, node_ids: ['p00003'], new_parent_id: 't00001', ...where });
    expect(await childrenOf('t00001')).toEqual(expected);
  });

  test('refuses what would break the chain [HNPX-092]', async () => {
    const move = (id: string, parent: string) => ({ file_path: path, node_ids: [id], new_parent_id: parent });
    expect((await desk.refuse('move_nodes', move('p00001', 's00001'))).code).toBe('INVALID_HIERARCHY');
    expect((await desk.refuse('move_nodes', move('c00001', 'c00002'))).code).toBe('INVALID_HIERARCHY');
    expect((await desk.refuse('move_nodes', move('b00001', 'b00001'))).code).toBe('IMMUTABLE_ROOT');
    expect(await source()).toBe(smallBook);
  });
});

describe('removing several', () => {
  test('remove_nodes is all or nothing and does not mind the order', async () => {
    const error = await desk.refuse('remove_nodes', { file_path: path, node_ids: ['p00001', 'zzzzzz'] });
    expect(error.code).toBe('NODE_NOT_FOUND');
    expect(await source()).toBe(smallBook);
    const removed = await desk.use('remove_nodes', { file_path: path, node_ids: ['t00001', 'p00001', 't00002'] });
    expect(removed).toMatchObject({ removed_ids: ['t00001', 't00002'], removed_count: 5 });
    expect(await childrenOf('s00001')).toEqual([]);
  });

  test('remove_node_children keeps the node', async () => {
    await desk.use('remove_node_children', { file_path: path, node_id: 'b00001' });
    expect((await desk.call('get_next_empty_container', { file_path: path })).structured['id']).toBe('b00001');
  });
});

describe('split_node and merge_nodes', () => {
  test('are each other turned round', async () => {
    const { new_id: half } = await desk.use('split_node', {
      file_path: path,
      node_id: 't00001',
      at_child_id: 'p00002',
      summary: 'She calls.',
    });
    expect(await childrenOf('s00001')).toEqual(['t00001', half, 't00002']);
    expect(await childrenOf('t00001')).toEqual(['p00001']);
    expect(await childrenOf(half as string)).toEqual(['p00002', 'p00003']);
    await desk.use('merge_nodes', { file_path: path, node_ids: [half, 't00001'], summary: 'She waits.' });
    expect(await source()).toBe(smallBook);
  });

  test('split a chapter, which needs a title, and a sequence, which keeps its place', async () => {
    const split = { file_path: path, node_id: 'c00001', at_child_id: 's00002' };
    expect((await desk.refuse('split_node', split)).code).toBe('MISSING_ATTRIBUTE');
    await desk.use('split_node', { ...split, title: 'The Crossing' });
    const { new_id: id } = await desk.use('split_node', { file_path: path, node_id: 's00001', at_child_id: 't00002' });
    expect((await desk.call('get_node', { file_path: path, node_id: id })).text).toContain(
      'loc="Riverbank" time="dusk"',
    );
  });

  test('split and merge a paragraph by its words', async () => {
    const { new_id: id } = await desk.use('split_node', {
      file_path: path,
      node_id: 'p00001',
      at_text: 'the colour',
      summary: 'Its colour.',
    });
    const read = await book();
    expect([read.text(read.require('p00001')), read.text(read.require(id as string))]).toEqual([
      'The river was',
      'the colour of slate & iron.',
    ]);
    await desk.use('merge_nodes', {
      file_path: path,
      node_ids: ['p00001', id],
      separator: ' ',
      summary: 'The river at dusk.',
    });
    expect(await source()).toBe(smallBook);
    for (const words of ['nowhere', 'o', 'The river']) {
      const error = await desk.refuse('split_node', { file_path: path, node_id: 'p00001', at_text: words });
      expect(error.code).toBe('INVALID_ATTRIBUTE');
    }
  });

  test.each([
    [['p00001', 'p00003'], 'Only neighbouring nodes of one parent can be merged'],
    [['p00001', 't00001'], 'Only neighbouring nodes of one parent can be merged'],
    [['p00001', 'p00002'], 'Paragraphs of different mode or char cannot be merged'],
  ])('refuses to merge %o', async (ids, message) => {
    expect(await desk.refuse('merge_nodes', { file_path: path, node_ids: ids })).toMatchObject({
      code: 'VALIDATION_FAILED',
      message,
    });
  });
});

describe('apply_operations', () => {
  const chapter = [
    { op: 'create_chapter', temp_id: '$c', parent_id: 'b00001', title: 'Home', summary: 'c', position: 0 },
    { op: 'create_sequence', temp_id: '$s', parent_id: '$c', location: 'Kitchen', summary: 's' },
    { op: 'create_beat', temp_id: '$b', parent_id: '$s', summary: 'b' },
    { op: 'create_paragraph', temp_id: '$p2', parent_id: '$b', summary: 'p', text: 'Second.' },
    { op: 'create_paragraph', temp_id: '$p1', parent_id: '$b', summary: 'p', text: 'First.', before_id: '$p2' },
    { op: 'reorder_children', parent_id: '$b', child_ids: ['$p1', '$p2'] },
    { op: 'edit_node_attributes', node_id: '$c', attributes: { pov: 'jan' } },
    { op: 'remove_node', node_id: 'c00002' },
  ];

  test('a whole chapter in one call and one write', async () => {
    const answer = await desk.use('apply_operations', { file_path: path, operations: chapter });
    const ids = answer['ids'] as Record<string, string>;
    expect(answer).toMatchObject({ success: true, count: 8 });
    expect(await childrenOf('b00001')).toEqual([ids['$c'], 'c00001']);
    expect((await desk.call('render_node', { file_path: path, node_id: ids['$c'] })).text).toMatch(
      /Chapter 1: Home \(POV: jan\)[^]*First\.[^]*Second\./,
    );
    expect(desk.published).toHaveLength(1);
    await desk.use('undo', { file_path: path });
    expect(await source()).toBe(smallBook);
  });

  test.each([
    [{ op: 'create_beat', parent_id: '$c', summary: 's' }, 'INVALID_PARENT', 'Parent must be a sequence element'],
    [{ op: 'create_beat', parent_id: '$nobody', summary: 's' }, 'NODE_NOT_FOUND', 'Node with id $nobody not found'],
    [{ op: 'create_beat', parent_id: '$s' }, 'MISSING_ATTRIBUTE', 'Missing required attribute: summary'],
    [
      { op: 'create_beat', temp_id: '$c', parent_id: '$s', summary: 's' },
      'INVALID_ATTRIBUTE',
      'temp_id "$c" is already in use',
    ],
  ])('one refusal undoes all: %o [HNPX-004]', async (step, code, message) => {
    const error = await desk.refuse('apply_operations', { file_path: path, operations: [...chapter, step] });
    expect(error).toMatchObject({
      code,
      message: `Operation 9 (create_beat): ${message}`,
      details: { operation_index: 8 },
    });
    expect(await source()).toBe(smallBook);
  });
});
