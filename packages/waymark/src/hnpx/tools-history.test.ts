import { readdir, readFile, writeFile } from 'node:fs/promises';
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

describe('undo', () => {
  test('goes back change by change to the first byte', async () => {
    const states = [await source()];
    const changes: [string, Record<string, unknown>][] = [
      ['create_beat', { parent_id: 's00002', summary: 'é🌊' }],
      ['edit_node_attributes', { node_id: 'c00001', attributes: { title: 'X', pov: null } }],
      ['reorder_children', { parent_id: 'b00001', child_ids: ['c00002', 'c00001'] }],
      ['remove_node', { node_id: 'c00001' }],
      ['rename_character', { from: 'ilse', to: 'anna' }],
      ['create_chapter', { parent_id: 'b00001', title: 'N', summary: 's' }],
    ];
    for (const [tool, args] of changes) {
      await desk.use(tool, { file_path: path, ...args });
      states.push(await source());
    }
    // Nothing was left of ilse to rename, so that call wrote nothing.
    expect(states[5]).toBe(states[4]);
    const undone = states
      .filter((state, position) => state !== states[position - 1])
      .toReversed()
      .slice(1);
    for (const state of undone) {
      await desk.use('undo', { file_path: path });
      expect(await source()).toBe(state);
    }
    expect(await desk.refuse('undo', { file_path: path })).toMatchObject({
      code: 'NOTHING_TO_UNDO',
      message: 'There is no change to undo',
    });
  });

  test('takes back a declaration it had to add', async () => {
    const bare = smallBook.slice(smallBook.indexOf('\n') + 1);
    await writeFile(file, bare);
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 't' });
    expect(await source()).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/);
    await desk.use('undo', { file_path: path });
    await desk.use('undo', { file_path: path });
    expect(await source()).toBe(bare);
  });

  test('does not undo over what another program wrote', async () => {
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    await writeFile(file, smallBook.replace('promise', 'PROMISE'));
    expect((await desk.refuse('undo', { file_path: path })).code).toBe('NOTHING_TO_UNDO');
    expect(await source()).toContain('PROMISE');
  });

  test('survives a restart, because it lies beside the book', async () => {
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    expect(await readdir(join(desk.directory, '.hnpx', path))).toEqual(['undo.jsonl']);
  });
});

describe('snapshots', () => {
  test('are kept before something is removed, compared and restored', async () => {
    const { snapshot_id: id } = await desk.use('remove_node', { file_path: path, node_id: 's00001' });
    await desk.use('edit_summary', { file_path: path, node_id: 'c00002', summary: 'New.' });
    const { id: added } = await desk.use('create_chapter', {
      file_path: path,
      parent_id: 'b00001',
      title: 'N',
      summary: 's',
      position: 0,
    });
    await desk.use('reorder_children', {
      file_path: path,
      parent_id: 'b00001',
      child_ids: ['c00002', added, 'c00001'],
    });
    expect(await desk.use('list_snapshots', { file_path: path })).toMatchObject({
      snapshots: [{ id, reason: 'remove_node', bytes: smallBook.length }],
    });
    expect(await desk.use('diff_snapshot', { file_path: path, snapshot_id: id })).toMatchObject({
      counts: { added: 1, removed: 6, moved: 2, changed: 1 },
      added: [{ id: added, type: 'chapter' }],
      changed: [{ id: 'c00002', fields: { summary: { before: 'What waits over there.', after: 'New.' } } }],
    });
    await desk.use('restore_snapshot', { file_path: path, snapshot_id: id });
    expect(await source()).toBe(smallBook);
    const { snapshots } = await desk.use('list_snapshots', { file_path: path });
    expect((snapshots as { reason: string }[]).map(({ reason }) => reason)).toEqual([
      'restore_snapshot',
      'remove_node',
    ]);
    await desk.use('undo', { file_path: path });
    expect(await source()).toContain('title="N"');
  });

  test('can be taken by hand', async () => {
    const { snapshot_id: id } = await desk.use('create_snapshot', { file_path: path, label: 'First Draft!' });
    expect(await desk.use('list_snapshots', { file_path: path })).toMatchObject({
      snapshots: [{ id, reason: 'first-draft-' }],
    });
  });

  test.each(['../../etc/passwd', '', '20260101T000000000Z-000000000000'])('has no snapshot %j', async (id) => {
    const error = await desk.refuse('restore_snapshot', { file_path: path, snapshot_id: id });
    expect(error.code).toBe('SNAPSHOT_NOT_FOUND');
  });
});

describe('migrate_document', () => {
  test('to the plain dialect and back keeps ids, order and texts', async () => {
    const text = async () => (await desk.call('render_document', { file_path: path })).text;
    const before = await text();
    expect(await desk.use('migrate_document', { file_path: path, to: 'plain' })).toMatchObject({
      from: 'summary',
      to: 'plain',
      changes: ['2 × loc renamed to location', '3 × paragraph summary removed'],
    });
    expect(await source()).toContain('<paragraph id="p00003" mode="internal">Nobody ever comes.</paragraph>');
    expect(await text()).toBe(before);
    const refused = await desk.refuse('create_paragraph', {
      file_path: path,
      parent_id: 't00002',
      summary: 's',
      text: 'x',
    });
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: "This document's dialect does not allow paragraph summaries",
    });
    await desk.use('create_paragraph', { file_path: path, parent_id: 't00002', text: 'It swayed.' });
    const { id } = await desk.use('create_sequence', {
      file_path: path,
      parent_id: 'c00002',
      location: 'Mill',
      summary: 's',
    });
    expect((await desk.call('get_node', { file_path: path, node_id: id })).text).toContain('location="Mill"');
    expect(
      (await desk.refuse('edit_node_attributes', { file_path: path, node_id: 'p00003', attributes: { char: 'x' } }))
        .message,
    ).toBe('char is only allowed when mode is dialogue');
    await desk.use('migrate_document', { file_path: path, to: 'summary' });
    expect(await text()).toBe(`${before}\n\nIt swayed.`);
    expect((await desk.use('get_node', { file_path: path, node_id: 'p00003' }))['summary']).toBe('Nobody ever comes.');
    expect(await desk.use('validate_document', { file_path: path })).toMatchObject({ valid: true });
  });
});
