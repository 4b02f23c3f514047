import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';

let desk: Desk;
const path = 'book.hnpx';
const render = async (tool: string, more = {}) => (await desk.call(tool, { file_path: path, ...more })).text;

beforeEach(async () => {
  desk = await openDesk();
  await writeFile(join(desk.directory, path), smallBook);
});

describe('render_node', () => {
  test('is an outline with ids and text [HNPX-069] [HNPX-070] [HNPX-071] [HNPX-072] [HNPX-073] [HNPX-074]', async () => {
    expect(await render('render_node', { node_id: 'b00001' })).toBe(
      [
        '[b00001] Book: A ferryman keeps a promise.',
        '  [c00001] Chapter 1: The Ford (POV: ilse)',
        '    [s00001] Sequence: Riverbank at dusk',
        '      [t00001] Beat: She waits.',
        '        [p00001] The river at dusk.',
        '        The river was the colour of slate & iron.',
        '',
        '        [p00002] She calls out.',
        '        "Is anyone there?"',
        '',
        '        [p00003] She doubts.',
        '        *Nobody ever comes.*',
        '      [t00002] Beat: A light appears.',
        '    [s00002] Sequence: Ferry',
        '  [c00002] Chapter 2: The Far Side',
      ].join('\n'),
    );
  });

  test('numbers a chapter by its place in the book, wherever rendering starts', async () => {
    expect(await render('render_node', { node_id: 'c00002' })).toBe('[c00002] Chapter 2: The Far Side');
  });

  test('hides ids and markers, shows summaries', async () => {
    expect(await render('render_node', { node_id: 't00001', show_ids: false, show_markers: false })).toBe(
      'The river was the colour of slate & iron.\n\n"Is anyone there?"\n\n*Nobody ever comes.*',
    );
    expect(await render('render_node', { node_id: 'c00002', show_summaries: true })).toContain('Summary: What waits');
  });
});

describe('render_document', () => {
  test('is continuous text with speakers [HNPX-075] [HNPX-076] [HNPX-077] [HNPX-078]', async () => {
    expect(await render('render_document')).toBe(
      'The river was the colour of slate & iron.\n\nilse: "Is anyone there?"\n\n*Nobody ever comes.*',
    );
  });

  test('leaves quotes an author set, and text-less paragraphs out', async () => {
    for (const opening of ['“Is', '"Is', '«Is', '„Is', '— Is', "'Is", '「Is']) {
      await writeFile(
        join(desk.directory, path),
        smallBook.replace('Is anyone', `${opening} anyone`).replace('Nobody ever comes.', ''),
      );
      expect(await render('render_document')).toMatch(new RegExp(`ilse: ${opening} anyone there\\?$`));
    }
  });

  test('takes headings, scene breaks and no speakers', async () => {
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 's' });
    const { structured } = await desk.call('get_next_empty_container', { file_path: path, node_id: 's00002' });
    await desk.use('create_paragraph', { file_path: path, parent_id: structured['id'], summary: 's', text: 'Over.' });
    const text = await render('render_document', { headings: true, scene_break: '***', speakers: false });
    expect(text).toMatch(
      /^The Ford\n\nThe river[^]*\n\n"Is anyone there\?"\n\n\*Nobody ever comes\.\*\n\n\*\*\*\n\nOver\.\n\nThe Far Side$/,
    );
  });

  test('a long text is cut between paragraphs and can be continued [HNPX-121]', async () => {
    const small = await openDesk({ limits: { maxResultLength: 50 } });
    await writeFile(join(small.directory, path), smallBook);
    const whole = await render('render_document');
    let read = '';
    let next: number | undefined = 0;
    for (let calls = 0; next !== undefined && calls < 10; calls++) {
      const answer = await small.use('render_document', { file_path: path, offset: next });
      read += answer['text'] as string;
      next = answer['next_offset'] as number | undefined;
    }
    expect(read).toBe(whole);
  });
});
