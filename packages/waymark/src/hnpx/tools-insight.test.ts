import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, smallBook } from './hnpx.test-helpers.ts';
import { countWords } from './read/words.ts';

let desk: Desk;
let file: string;
const path = 'book.hnpx';
const source = () => readFile(file, 'utf8');

beforeEach(async () => {
  desk = await openDesk();
  file = join(desk.directory, path);
  await writeFile(file, smallBook);
});

describe('search_text', () => {
  const search = (args: Record<string, unknown>) => desk.use('search_text', { file_path: path, ...args });
  const ids = async (args: Record<string, unknown>) =>
    ((await search(args))['hits'] as { id: string }[]).map(({ id }) => id);

  test('finds words in texts, summaries and titles', async () => {
    expect(await search({ query: 'RIVER' })).toMatchObject({
      total: 3,
      hits: [
        { id: 'c00001', field: 'summary', snippet: 'Ilse reaches the [river].' },
        { id: 'p00001', field: 'text', start: 4, snippet: 'The [river] was the colour of slate & iron.' },
        { id: 'p00001', field: 'summary' },
      ],
    });
    expect(await ids({ query: 'RIVER', case_sensitive: true })).toEqual([]);
    expect(await ids({ query: 'rive', whole_word: true })).toEqual([]);
    expect(await ids({ query: '.', fields: ['title'] })).toEqual([]);
  });

  test('filters by node, type, mode, character, point of view and field', async () => {
    expect(await ids({ query: 'e', node_id: 't00002', fields: ['summary'] })).toEqual(['t00002']);
    expect(new Set(await ids({ query: 'e', type: 'chapter' }))).toEqual(new Set(['c00001', 'c00002']));
    expect(new Set(await ids({ query: 'e', mode: 'dialogue' }))).toEqual(new Set(['p00002']));
    expect(new Set(await ids({ query: 'e', char: 'ilse', fields: ['text'] }))).toEqual(new Set(['p00002', 'p00003']));
    expect(await ids({ query: 'Ferry', fields: ['location'] })).toEqual(['s00002']);
    expect(await ids({ query: 'waits', pov: 'ilse' })).toEqual(['t00001']);
  });

  test('takes regular expressions and pages', async () => {
    expect(await ids({ query: '^(The|No)\\w*', regex: true, case_sensitive: true, fields: ['text'] })).toEqual([
      'p00001',
      'p00003',
    ]);
    expect(await search({ query: 'e', limit: 1, offset: 2 })).toMatchObject({ limit: 1, offset: 2, hits: [{}] });
    expect((await desk.refuse('search_text', { file_path: path, query: '(', regex: true })).code).toBe(
      'INVALID_ATTRIBUTE',
    );
    expect((await desk.refuse('search_text', { file_path: path, query: '' })).code).toBe('INVALID_ATTRIBUTE');
  });

  test('an expression that would run forever is stopped [HNPX-120]', async () => {
    await desk.use('edit_paragraph_text', { file_path: path, node_id: 'p00001', text: `${'a'.repeat(60)}!` });
    const error = await desk.refuse('search_text', { file_path: path, query: '^(a+)+$', regex: true });
    expect(error).toMatchObject({ code: 'TIMEOUT', details: { limit_ms: 2000 } });
  });
});

describe('replace_text', () => {
  test('shows first, then replaces in one step that can be undone', async () => {
    const args = { file_path: path, query: 'river', replacement: 'stream & $&' };
    const shown = await desk.use('replace_text', { ...args, dry_run: true });
    expect(shown).toMatchObject({ dry_run: true, changed: 3, message: 'Would change 3 fields' });
    expect(await source()).toBe(smallBook);
    expect(await desk.use('replace_text', args)).toMatchObject({
      changed: 3,
      snapshot_id: expect.any(String) as string,
    });
    expect(await source()).toBe(smallBook.replaceAll(/river(?=[ .])/g, () => 'stream &amp; $&amp;'));
    await desk.use('undo', { file_path: path });
    expect(await source()).toBe(smallBook);
  });

  test('a regular expression may use its groups', async () => {
    await desk.use('replace_text', {
      file_path: path,
      query: '(slate) & (iron)',
      replacement: '$2 and $1',
      regex: true,
    });
    expect(await source()).toContain('The river was the colour of iron and slate.');
  });

  test('refuses what would leave the book invalid [HNPX-098]', async () => {
    const error = await desk.refuse('replace_text', { file_path: path, query: 'She waits.', replacement: '' });
    expect(error.code).toBe('EMPTY_SUMMARY');
    const title = { file_path: path, query: 'Far Side', replacement: 'Ford', fields: ['title'] };
    expect((await desk.refuse('replace_text', title)).code).toBe('VALIDATION_FAILED');
    const both = { file_path: path, query: '(Ford|Far Side)', regex: true, replacement: 'Same', fields: ['title'] };
    expect((await desk.refuse('replace_text', both)).code).toBe('VALIDATION_FAILED');
    expect(await source()).toBe(smallBook);
  });
});

describe('characters', () => {
  test('are listed with their appearances', async () => {
    const { characters } = await desk.use('get_characters', { file_path: path });
    expect(characters).toEqual([
      {
        name: 'ilse',
        dialogue_paragraphs: 1,
        thought_paragraphs: 1,
        words: 6,
        pov_chapters: ['c00001'],
        pov_sequences: [],
        mentions: 0,
        chapters: ['c00001'],
        first_id: 'p00002',
        last_id: 'p00003',
      },
    ]);
  });

  test('are renamed everywhere', async () => {
    await desk.use('rename_character', { file_path: path, from: 'ilse', to: 'anna' });
    expect(await source()).toBe(smallBook.replaceAll('"ilse"', '"anna"'));
    await desk.use('undo', { file_path: path });
    await desk.use('rename_character', { file_path: path, from: 'ilse', to: 'anna', in_text: true });
    expect(await source()).toBe(smallBook.replaceAll('"ilse"', '"anna"').replaceAll('Ilse', 'Anna'));
  });
});

test('get_outline shows status and words', async () => {
  const answer = await desk.call('get_outline', { file_path: path, depth: 'beat' });
  expect(answer.text).toBe(
    [
      '[b00001] Book (partial, 14 words) - A ferryman keeps a promise.',
      '  [c00001] Chapter 1: The Ford (partial, 14 words) - Ilse reaches the river.',
      '    [s00001] Sequence: Riverbank at dusk (partial, 14 words) - No boat is there.',
      '      [t00001] Beat (written, 14 words) - She waits.',
      '      [t00002] Beat (empty) - A light appears.',
      '    [s00002] Sequence: Ferry (empty) - The crossing.',
      '  [c00002] Chapter 2: The Far Side (empty) - What waits over there.',
    ].join('\n'),
  );
  const chapters = await desk.use('get_outline', { file_path: path, depth: 'chapter' });
  expect(chapters['nodes']).toHaveLength(3);
});

test('get_stats counts what is planned and what is written', async () => {
  expect(await desk.use('get_stats', { file_path: path })).toMatchObject({
    words: 14,
    reading_minutes: 1,
    chapters: 2,
    sequences: 2,
    beats: 2,
    paragraphs: 3,
    paragraphs_written: 3,
    beats_written: 1,
    empty_containers: 3,
    progress_percent: 25,
    words_by_mode: { narration: 8, dialogue: 3, internal: 3 },
    words_by_pov: { ilse: 14 },
    words_by_character: { ilse: 6 },
    by_chapter: [
      { id: 'c00001', title: 'The Ford', status: 'partial', words: 14, paragraphs: 3, beats: 2, beats_written: 1 },
      { id: 'c00002', status: 'empty', words: 0 },
    ],
  });
});

test.each([
  ["It's a well-known fact", 4],
  ['', 0],
  ['— … !', 0],
  ['日本語', 3],
  ['Это было 1984', 3],
])('%j has %i words', (text, expected) => {
  expect(countWords(text)).toBe(expected);
});

describe('get_context', () => {
  test('gives path, siblings and the text around', async () => {
    const answer = await desk.call('get_context', { file_path: path, node_id: 't00002' });
    expect(answer.structured).toMatchObject({
      pov: 'ilse',
      path: [{ id: 'b00001' }, { id: 'c00001' }, { id: 's00001' }, { id: 't00002', summary: 'A light appears.' }],
      siblings: [
        { id: 't00001', is_target: false },
        { id: 't00002', is_target: true },
      ],
      previous_text: 'The river was the colour of slate & iron.\n\n"Is anyone there?"\n\n*Nobody ever comes.*',
      truncated: false,
    });
    expect(answer.text).toContain('Chapter 1 "The Ford" [c00001]: Ilse reaches the river.');
    const first = await desk.use('get_context', { file_path: path, node_id: 'p00001' });
    expect(first).toMatchObject({ previous_text: '', next_text: '"Is anyone there?"\n\n*Nobody ever comes.*' });
  });

  test('keeps to its budget and prefers the nearest text', async () => {
    await desk.use('edit_paragraph_text', { file_path: path, node_id: 'p00001', text: 'word '.repeat(2000) });
    const answer = await desk.call('get_context', { file_path: path, node_id: 't00002', max_tokens: 400 });
    expect(answer.text.length).toBeLessThan(400 * 4 + 100);
    expect(answer.structured).toMatchObject({
      truncated: true,
      previous_text: '"Is anyone there?"\n\n*Nobody ever comes.*',
    });
  });
});

describe('validate_document', () => {
  const report = async (text: string) => {
    await writeFile(file, text);
    return desk.use('validate_document', { file_path: path });
  };

  test('has nothing to say about a good book', async () => {
    expect(await report(smallBook)).toMatchObject({ valid: true, errors: 0, warnings: 0, violations: [] });
  });

  test('tells what to mend, and where', async () => {
    const sloppy = smallBook
      .replace('char="ilse"', '')
      .replace('mode="narration"', 'mode="narration" char="x" mood="y"')
      .replace('She waits.', '')
      .replace('Nobody ever comes.', '')
      .replace('The Far Side', 'The Ford');
    const { violations, ...counts } = await report(sloppy);
    expect(counts).toMatchObject({ valid: false, errors: 3, warnings: 3 });
    expect((violations as { code: string; line: number }[]).map(({ code, line }) => `${line} ${code}`)).toEqual([
      '10 EMPTY_SUMMARY',
      '12 INVALID_ATTRIBUTE',
      '12 INVALID_ATTRIBUTE',
      '16 MISSING_CHAR',
      '20 EMPTY_TEXT',
      '34 VALIDATION_FAILED',
    ]);
    await desk.use('create_beat', { file_path: path, parent_id: 's00002', summary: 'still editable' });
  });

  test('is quick about a great many problems', async () => {
    const paragraph = (_: unknown, number: number) =>
      `<paragraph id="${(36 ** 5 + number).toString(36)}"><summary>s</summary></paragraph>\n`;
    const many = Array.from({ length: 20_000 }, paragraph).join('');
    const { warnings, violations } = await report(
      smallBook.replace('<summary>A light appears.</summary>', `<summary>s</summary>${many}`),
    );
    expect(warnings).toBe(20_000);
    expect(violations).toHaveLength(500);
  });

  test('answers for malformed and foreign files too', async () => {
    expect(await report('<book>')).toMatchObject({ valid: false, violations: [{ code: 'INVALID_XML', line: 1 }] });
    expect(await report('<html/>')).toMatchObject({
      valid: false,
      violations: [{ code: 'NOT_HNPX', line: 1, column: 1 }],
    });
  });
});
