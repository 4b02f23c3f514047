import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { XmlDocument } from 'libxml2-wasm';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, parseText, smallBook, temporaryDirectory } from '../hnpx.test-helpers.ts';
import { exportBook, type ExportFormat, exportFormats } from './export-book.ts';
import { createManuscript, type Manuscript, titleFromPath } from './manuscript.ts';

const hard = 'He said: *no* & <b>1 < 2</b> _now_ `x` [a](b) # & &amp; \\ 🌊\n- not a list\n\nSecond & last: ñ 日本';
const source = smallBook
  .replace('The river was the colour of slate &amp; iron.', hard.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  .replace(
    '<summary>The crossing.</summary>',
    '<summary>x</summary><beat id="t00009"><summary>x</summary><paragraph id="p00009" mode="dialogue" char="jan"><summary>x</summary>— Hold on!</paragraph></beat>',
  )
  .replace(
    '<summary>What waits over there.</summary>',
    '<summary>x</summary><sequence id="s00009" loc="x"><summary>x</summary><beat id="t00008"><summary>x</summary><paragraph id="p00008"><summary>x</summary>1. The end.</paragraph></beat></sequence>',
  );

const manuscript = (text = source): Manuscript =>
  createManuscript(parseText(text), {
    title: 'Ford & "Far" <Side>',
    author: 'Ann B. Writer',
    language: 'en-GB',
    modified: new Date('2026-03-04T05:06:07Z'),
  });
const text = async (format: ExportFormat) => (await exportBook(manuscript(), format)).toString('utf8');

const hasProgram = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
const words = (from: string) => from.replaceAll(/[\s"“”‘’'*_—–]+/g, ' ').trim();

describe('a manuscript', () => {
  test('holds scenes and passages, no plan', () => {
    const { chapters, identifier } = manuscript();
    expect(chapters.map(({ title, scenes }) => [title, scenes.length])).toEqual([
      ['The Ford', 2],
      ['The Far Side', 1],
    ]);
    expect(chapters[0]?.scenes[0]?.map(({ isThought, lines }) => [isThought, lines[0]])).toEqual([
      [false, 'He said: *no* & <b>1 < 2</b> _now_ `x` [a](b) # & &amp; \\ 🌊'],
      [false, 'Second & last: ñ 日本'],
      [false, '"Is anyone there?"'],
      [true, 'Nobody ever comes.'],
    ]);
    expect(identifier).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(manuscript(smallBook).chapters).toHaveLength(1);
  });

  test.each([
    ['the-far_side.hnpx', 'The far side'],
    ['a/b/x.xml', 'X'],
    ['.hnpx', 'Untitled'],
  ])('%s is titled %s', (path, title) => {
    expect(titleFromPath(path)).toBe(title);
  });
});

describe('the formats', () => {
  test('plain text and HTML', async () => {
    expect(await text('text')).toMatch(
      /^FORD & "FAR" <SIDE>\n\nAnn B. Writer\n\n\n1\. The Ford\n\nHe said[^]*\n\n\* \* \*\n\n— Hold on!/,
    );
    const html = await text('html');
    expect(html).toContain(
      '<p>He said: *no* &amp; &lt;b&gt;1 &lt; 2&lt;/b&gt; _now_ `x` [a](b) # &amp; &amp;amp; \\ 🌊<br/>\n- not a list</p>',
    );
    expect(html).toContain('<p><em>Nobody ever comes.</em></p>\n<hr/>\n<p>— Hold on!</p>');
    expect(html).toContain('<li><a href="#c-c00002">The Far Side</a></li>');
  });

  test('every XML part is well-formed, and the same input gives the same bytes', async () => {
    for (const format of ['epub', 'docx'] as const) {
      const bytes = await exportBook(manuscript(), format);
      expect(bytes.equals(await exportBook(manuscript(), format))).toBe(true);
      const parts = Object.entries(unzipSync(bytes)).filter(([path]) => /\.(xml|xhtml|opf|ncx|rels)$/.test(path));
      expect(parts.length).toBeGreaterThan(6);
      for (const [path, content] of parts) {
        const document = XmlDocument.fromBuffer(Buffer.from(content));
        expect(document.root, path).toBeDefined();
        document.dispose();
      }
    }
    const fb2 = XmlDocument.fromBuffer(await exportBook(manuscript(), 'fb2'));
    const fb = { f: 'http://www.gribuser.ru/xml/fictionbook/2.0' };
    const order = ['genre', 'author', 'book-title', 'annotation', 'lang'];
    expect(
      fb2
        .find('/f:FictionBook/f:description/f:title-info/*', fb)
        .map((node) => (node as unknown as { name: string }).name),
    ).toEqual(order);
    expect(fb2.find('//f:section', fb)).toHaveLength(2);
    fb2.dispose();
  });

  test('FictionBook holds only what its schema allows where it stands', async () => {
    const allowed: Readonly<Record<string, string>> = {
      FictionBook: 'description body',
      description: 'title-info document-info',
      'title-info': 'genre author book-title annotation lang',
      'document-info': 'author program-used date id version',
      author: 'first-name middle-name last-name nickname',
      annotation: 'p',
      body: 'title section',
      title: 'p',
      section: 'title p subtitle empty-line',
      p: 'emphasis',
    };
    const required = ['genre', 'author', 'book-title', 'lang', 'date', 'id', 'version', 'section'];
    for (const source of [undefined, '<book id="aaaaaa"><summary>s</summary></book>']) {
      const document = XmlDocument.fromBuffer(await exportBook(manuscript(source), 'fb2'));
      const elements = document.find('//*') as unknown as { name: string; parent: { name: string } | null }[];
      for (const { name, parent } of elements) {
        if (name === 'FictionBook') continue;
        expect(allowed[parent?.name ?? '']?.split(' '), `${name} in ${parent?.name ?? ''}`).toContain(name);
      }
      const names = new Set(elements.map(({ name }) => name));
      expect(required.filter((name) => !names.has(name))).toEqual([]);
      document.dispose();
    }
  });

  test('an EPUB begins with its stored mimetype', async () => {
    const bytes = await exportBook(manuscript(), 'epub');
    expect(bytes.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip');
  });

  test.each(exportFormats)('%s takes a book without chapters', async (format) => {
    const bytes = await exportBook(manuscript('<book id="aaaaaa"><summary>s</summary></book>'), format);
    expect(bytes.length).toBeGreaterThan(20);
  });
});

describe.runIf(hasProgram('pandoc'))('pandoc reads the same words back', () => {
  const formats: Partial<Record<ExportFormat, string>> = {
    markdown: 'commonmark',
    html: 'html',
    epub: 'epub',
    docx: 'docx',
    fb2: 'fb2',
  };

  test.each(Object.entries(formats))('from %s', async (format, reader) => {
    const file = join(await temporaryDirectory(), 'book');
    await writeFile(file, await exportBook(manuscript(), format as ExportFormat));
    const { stdout, status, stderr } = spawnSync('pandoc', ['-f', reader, '-t', 'plain', '--wrap=none', file], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    for (const expected of [
      'The Ford',
      'He said: *no* & <b>1 < 2</b> _now_ `x` [a](b) # & &amp; \\ 🌊',
      '- not a list',
      'Second & last: ñ 日本',
      'Is anyone there?',
      'Nobody ever comes.',
      '— Hold on!',
      '1. The end.',
    ]) {
      expect(words(stdout)).toContain(words(expected));
    }
  });
});

const epubcheckJar = '/usr/share/java/epubcheck.jar';

describe.runIf(existsSync(epubcheckJar) && hasProgram('java'))('epubcheck', () => {
  test('finds nothing wrong', async () => {
    const file = join(await temporaryDirectory(), 'book.epub');
    await writeFile(file, await exportBook(manuscript(), 'epub'));
    // Debian's program is a jar that only some kernels can start by itself.
    const { stdout, stderr, status } = spawnSync('java', ['-jar', epubcheckJar, file], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toContain('No errors or warnings detected');
    expect(status).toBe(0);
  });
});

describe('export_document', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk();
    await writeFile(join(desk.directory, 'the-ford.hnpx'), source);
  });

  test.each(exportFormats)('writes %s beside the book', async (format) => {
    const { output_path: path, bytes } = await desk.use('export_document', { file_path: 'the-ford.hnpx', format });
    expect((await readFile(join(desk.directory, path as string))).length).toBe(bytes);
  });

  test('takes the format from the name, and does not overwrite unless told', async () => {
    const args = { file_path: 'the-ford.hnpx', output_path: 'out.md', title: 'T', author: 'A' };
    await desk.use('export_document', args);
    expect(await readFile(join(desk.directory, 'out.md'), 'utf8')).toMatch(
      /^# T\n\n\*A\*\n\n- \[The Ford\]\(#c00001\)/,
    );
    expect((await desk.refuse('export_document', args)).code).toBe('FILE_EXISTS');
    await desk.use('export_document', { ...args, overwrite: true });
  });

  test.each([
    [{ output_path: '../out.md' }, 'INVALID_PATH'],
    [{ output_path: 'missing/out.md' }, 'INVALID_PATH'],
    [{ output_path: 'the-ford.hnpx', format: 'text', overwrite: true }, 'INVALID_ATTRIBUTE'],
    [{ output_path: 'package.json', format: 'text', overwrite: true }, 'INVALID_ATTRIBUTE'],
    [{ output_path: 'out.pdf' }, 'INVALID_ATTRIBUTE'],
    [{ format: 'pdf' }, 'INVALID_ATTRIBUTE'],
  ])('refuses %o', async (args, code) => {
    expect((await desk.refuse('export_document', { file_path: 'the-ford.hnpx', ...args })).code).toBe(code);
  });
});
