import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';
import type { HnpxServices } from './index.ts';

const path = 'book.hnpx';

/** A client that knows the list of tools checks every answer against the advertised schema. */
async function openCheckingDesk(services: Partial<HnpxServices> = {}): Promise<Desk> {
  const desk = await openDesk(services);
  await desk.client.listTools();
  await writeFile(join(desk.directory, path), smallBook);
  return desk;
}

/** One call of every tool on the small book; an earlier call may make what a later one needs. */
const calls: [tool: string, args: Record<string, unknown>, keys: string][] = [
  ['create_document', { file_path: 'new.hnpx' }, 'success message id type book_id file_path revision'],
  ['get_root_id', {}, 'id type dialect revision'],
  ['get_next_empty_container', {}, 'id type message'],
  ['get_next_empty_container', { node_id: 't00001' }, 'result'],
  ['get_node', { node_id: 'c00001' }, 'xml id type parent_id attributes summary child_count effective_pov revision'],
  [
    'get_node',
    { node_id: 'p00001' },
    'xml id type parent_id attributes summary text effective_char effective_pov revision',
  ],
  ['get_subtree', { node_id: 'b00001' }, 'xml id type node_count omitted_nodes truncated revision'],
  ['get_direct_children', { node_id: 't00001' }, 'xml parent_id child_ids total offset returned revision'],
  ['get_node_path', { node_id: 'p00001' }, 'xml id path_ids depth revision'],
  ['render_node', { node_id: 'b00001' }, 'text truncated total_characters revision'],
  ['render_document', {}, 'text truncated total_characters revision'],
  ['search_text', { query: 'river' }, 'total hits offset limit revision'],
  ['get_outline', { depth: 'paragraph' }, 'nodes revision'],
  [
    'get_stats',
    {},
    'words reading_minutes chapters sequences beats paragraphs paragraphs_written beats_written empty_containers progress_percent words_by_mode words_by_pov words_by_character by_chapter revision',
  ],
  ['get_characters', {}, 'characters revision'],
  ['get_context', { node_id: 't00002' }, 'path siblings pov previous_text next_text truncated revision'],
  ['validate_document', {}, 'valid errors warnings violations revision'],
  ['create_chapter', { parent_id: 'b00001', title: 'N', summary: 's' }, 'success message id type parent_id revision'],
  [
    'create_sequence',
    { parent_id: 'c00002', location: 'Shore', summary: 's' },
    'success message id type parent_id revision',
  ],
  ['create_beat', { parent_id: 's00002', summary: 's' }, 'success message id type parent_id revision'],
  [
    'create_paragraph',
    { parent_id: 't00002', summary: 's', text: 'A lamp.' },
    'success message id type parent_id revision',
  ],
  ['edit_node_attributes', { node_id: 'c00001', attributes: { title: 'F' } }, 'success message id type revision'],
  ['edit_summary', { node_id: 'c00001', summary: 'New.' }, 'success message id type revision'],
  ['edit_paragraph_text', { node_id: 'p00001', text: 'The river, and the ford.' }, 'success message id type revision'],
  ['create_snapshot', {}, 'success message snapshot_id revision'],
  [
    'reorder_children',
    { parent_id: 't00001', child_ids: ['p00001', 'p00003', 'p00002'] },
    'success message id type revision',
  ],
  ['split_node', { node_id: 'p00001', at_text: 'and' }, 'success message id new_id revision'],
  [
    'move_nodes',
    { node_ids: ['p00002'], new_parent_id: 't00002' },
    'success message moved_ids parent_id type revision',
  ],
  ['rename_character', { from: 'ilse', to: 'anna' }, 'success message dry_run changed changes snapshot_id revision'],
  ['rename_character', { from: 'nobody', to: 'anna' }, 'success message dry_run changed changes revision'],
  [
    'replace_text',
    { query: 'river', replacement: 'sea' },
    'success message dry_run changed changes snapshot_id revision',
  ],
  ['merge_nodes', { node_ids: ['t00001', 't00002'] }, 'success message id merged_ids snapshot_id revision'],
  [
    'apply_operations',
    {
      operations: [
        { op: 'create_chapter', temp_id: '$c', parent_id: 'b00001', title: 'B', summary: 's' },
        { op: 'edit_summary', node_id: '$c', summary: 't' },
        { op: 'create_sequence', temp_id: '$s', parent_id: '$c', location: 'L', summary: 's' },
        { op: 'create_beat', temp_id: '$b', parent_id: '$s', summary: 's' },
        { op: 'create_beat', temp_id: '$d', parent_id: '$s', summary: 's' },
        { op: 'create_paragraph', temp_id: '$p', parent_id: '$b', summary: 's', text: 'One. Two.' },
        { op: 'split_node', temp_id: '$q', node_id: '$p', at_text: 'Two' },
        { op: 'move_nodes', node_ids: ['$q'], new_parent_id: '$d' },
        { op: 'merge_nodes', node_ids: ['$b', '$d'] },
        { op: 'remove_node', node_id: '$p' },
        { op: 'remove_node_children', node_id: '$b' },
      ],
    },
    'success message count ids results snapshot_id revision',
  ],
  ['remove_node', { node_id: 'p00003' }, 'success message id type removed_count snapshot_id revision'],
  ['remove_nodes', { node_ids: ['p00001'] }, 'success message removed_ids removed_count snapshot_id revision'],
  ['remove_node_children', { node_id: 't00001' }, 'success message removed_ids removed_count snapshot_id revision'],
  ['undo', {}, 'success message undone changed_at remaining revision'],
  ['list_snapshots', {}, 'snapshots revision'],
  ['migrate_document', { to: 'plain' }, 'success message from to changes snapshot_id revision'],
  ['export_document', { format: 'text' }, 'success message format output_path bytes revision'],
];

test('every tool answers what its output schema says, to the last field', async () => {
  const desk = await openCheckingDesk();
  const use = (tool: string, args: Record<string, unknown>) => desk.use(tool, { file_path: path, ...args });
  const fieldsOf = (answer: object) => Object.keys(answer).toSorted().join(' ');

  const { snapshot_id: snapshot } = await use('create_snapshot', { label: 'first' });
  for (const [tool, args, keys] of calls) {
    expect(fieldsOf(await use(tool, args)), tool).toBe(keys.split(' ').toSorted().join(' '));
  }
  const difference = await use('diff_snapshot', { snapshot_id: snapshot });
  expect(fieldsOf(difference)).toBe('added changed counts moved removed revision');
  const restored = await use('restore_snapshot', { snapshot_id: snapshot });
  expect(fieldsOf(restored)).toBe('message restored revision snapshot_id success');

  const { tools } = await desk.client.listTools();
  const called = new Set([...calls.map(([tool]) => tool), 'diff_snapshot', 'restore_snapshot']);
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

test('a part of a text, a file that is no book and a refusal fit their schema too', async () => {
  const desk = await openCheckingDesk({ limits: { maxResultLength: 60 } });
  await writeFile(join(desk.directory, 'broken.hnpx'), '<book id="b00001"><summary>s</summary>');
  await writeFile(join(desk.directory, 'wrong.hnpx'), '<book id="b00001"><summary>s</summary><page/></book>');

  expect(await desk.use('render_document', { file_path: path })).toHaveProperty('next_offset');
  for (const file of ['broken.hnpx', 'wrong.hnpx']) {
    const report = await desk.use('validate_document', { file_path: file });
    expect(report).toMatchObject({ valid: false, errors: 1, revision: null });
  }
  expect((await desk.refuse('get_node', { file_path: path, node_id: 'zzzzzz' })).code).toBe('NODE_NOT_FOUND');
});
