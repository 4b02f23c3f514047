import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { smallBook, temporaryDirectory } from '../../hnpx/hnpx.test-helpers.ts';
import { createProgressBar } from './progress-bar.ts';

const program = fileURLToPath(new URL('../../../bin/waymark.js', import.meta.url));
let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  await writeFile(join(directory, 'book.hnpx'), smallBook);
});

function waymark(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'hnpx', ...args], {
    cwd: directory,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('waymark hnpx check', () => {
  test('is quiet about a good book', () => {
    expect(waymark('check', 'book.hnpx')).toEqual({ status: 0, stdout: '', stderr: 'No problems.\n' });
  });

  test('tells problems by line and column', async () => {
    await writeFile(
      join(directory, 'bad.hnpx'),
      smallBook.replace(' char="ilse"', '').replace('Nobody ever comes.', ''),
    );
    const { status, stdout } = waymark('check', 'book.hnpx', 'bad.hnpx');
    expect(status).toBe(1);
    expect(stdout).toBe(
      'bad.hnpx:16:9 error MISSING_CHAR Dialogue paragraph p00002 has no char\nbad.hnpx:20:9 warning EMPTY_TEXT Paragraph p00003 has no text\n',
    );
    const json = JSON.parse(waymark('check', '--json', 'bad.hnpx').stdout) as { problems: object[] };
    expect(json.problems).toMatchObject([
      { file: 'bad.hnpx', line: 16, column: 9, severity: 'error', code: 'MISSING_CHAR' },
      {},
    ]);
  });

  test('tells malformed XML too, and warnings as errors when strict', async () => {
    await writeFile(join(directory, 'bad.hnpx'), smallBook.replace('</beat>', ''));
    expect(waymark('check', 'bad.hnpx')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^bad\.hnpx:\d+:\d+ error INVALID_XML /) as string,
    });
    await writeFile(join(directory, 'bad.hnpx'), smallBook.replace('Nobody ever comes.', ''));
    expect(waymark('check', 'bad.hnpx').status).toBe(0);
    expect(waymark('check', '--strict', 'bad.hnpx').status).toBe(1);
  });
});

test('render prints the book, a node, or paragraphs with ids', () => {
  expect(waymark('render', 'book.hnpx', '--no-headings').stdout).toBe(
    'The river was the colour of slate & iron.\n\nilse: "Is anyone there?"\n\n*Nobody ever comes.*\n',
  );
  expect(waymark('render', 'book.hnpx').stdout).toMatch(/^The Ford\n\n/);
  expect(waymark('render', 'book.hnpx', '--node', 't00002').stdout).toBe('[t00002] Beat: A light appears.\n');
  expect(waymark('render', 'book.hnpx', '--ids').stdout).toContain('[p00002] "Is anyone there?"');
  expect(waymark('render', 'book.hnpx', '--node', 'zzzzzz')).toMatchObject({
    status: 1,
    stderr: 'waymark: Node with id zzzzzz not found\n',
  });
});

test('export writes beside the book and does not replace', async () => {
  expect(waymark('export', 'book.hnpx', '-f', 'epub').stderr).toMatch(/^Wrote book\.epub: 1 chapter, \d+ bytes\.\n$/);
  expect(waymark('export', 'book.hnpx', '-f', 'epub')).toMatchObject({
    status: 2,
    stderr: 'waymark: book.epub already exists; use --force to replace it\n',
  });
  expect(waymark('export', 'book.hnpx', '-o', 'x.fb2', '--title', 'T').status).toBe(0);
  expect(await readFile(join(directory, 'x.fb2'), 'utf8')).toContain('<book-title>T</book-title>');
  expect(waymark('export', 'book.hnpx').stderr).toContain('Say which format');
});

test('stats and outline', () => {
  expect(waymark('stats', 'book.hnpx').stdout).toMatch(
    /^14 words, about 1 min to read\n[^]*25 % written: 1 of 2 beats have text/,
  );
  expect(JSON.parse(waymark('stats', '--json', 'book.hnpx').stdout)).toMatchObject({ words: 14 });
  expect(waymark('outline', 'book.hnpx', '-d', 'chapter').stdout.split('\n')).toHaveLength(4);
});

test('migrate converts, keeps a snapshot and says what changed', async () => {
  expect(waymark('migrate', 'book.hnpx', '--to', 'plain')).toMatchObject({
    status: 0,
    stdout: '2 × loc renamed to location\n3 × paragraph summary removed\n',
  });
  expect(await readFile(join(directory, 'book.hnpx'), 'utf8')).toContain('location="Riverbank"');
  expect(waymark('check', 'book.hnpx').status).toBe(0);
});

test.each([
  [['check', 'bok.hnpx'], 'waymark: bok.hnpx does not exist; did you mean book.hnpx?\n'],
  [['render', 'nowhere/bok.hnpx'], 'waymark: nowhere/bok.hnpx does not exist\n'],
  [['render', '.'], 'waymark: Cannot read .: it is a directory\n'],
  [['chek', 'book.hnpx'], "waymark: unknown command 'chek'. Did you mean check?\n"],
])('%o is answered in one line', (args, expected) => {
  expect(waymark(...args)).toEqual({ status: 2, stdout: '', stderr: expected });
});

test('the progress bar fills up on a terminal, but not for work that is over at once', () => {
  let now = 0;
  const lines: string[] = [];
  const bar = (isTTY: boolean) =>
    createProgressBar({ isTTY, columns: 60, write: (line) => lines.push(line) }, () => now);
  const onScreen = bar(true);
  onScreen.show(1, 4, 'chapters');
  expect(lines).toEqual([]);
  now = 100;
  onScreen.show(2, 4, 'chapters');
  onScreen.clear();
  expect(lines).toEqual([`\r\u001B[2K${'█'.repeat(12)}${'░'.repeat(12)} 2/4 chapters`, '\r\u001B[2K']);
  const piped = bar(false);
  now = 1000;
  piped.show(3, 4, 'chapters');
  piped.clear();
  expect(lines).toHaveLength(2);
});
