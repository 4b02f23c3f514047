import fc from 'fast-check';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../kit/index.ts';
import { Book } from '../book/book.ts';
import { smallBook } from '../hnpx.test-helpers.ts';
import { scan } from './scan.ts';

const runs = process.env['WAYMARK_FULL'] === '1' ? 100_000 : 2000;
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const book = (inside: string) => `<book id="aaaaaa"><summary>s</summary>${inside}</book>`;

function codeOf(bytes: Buffer): string {
  try {
    Book.parse(bytes);
    return 'ok';
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

function violationsOf(text: string): string[] {
  return scan(utf8(text)).violations.map(({ code, line, column, message }) => `${line}:${column} ${code} ${message}`);
}

describe('malformed XML is refused with its place [HNPX-084] [HNPX-123]', () => {
  test.each([
    ['nothing', ''],
    ['only white space', '  \n'],
    ['no close tag', '<book id="aaaaaa"><summary>s</summary>'],
    ['crossed tags', '<book id="aaaaaa"><summary>s</book></summary>'],
    ['two roots', `${book('')}<book id="aaaaab"/>`],
    ['text after the root', `${book('')}x`],
    ['a raw ampersand', '<book id="aaaaaa"><summary>a & b</summary></book>'],
    ['an unknown entity', '<book id="aaaaaa"><summary>&nbsp;</summary></book>'],
    ['a reference to a control character', '<book id="aaaaaa"><summary>&#7;</summary></book>'],
    ['a reference to half a surrogate pair', '<book id="aaaaaa"><summary>&#xD800;</summary></book>'],
    ['a control character', '<book id="aaaaaa"><summary>\u0001</summary></book>'],
    [']]> in text', '<book id="aaaaaa"><summary>a ]]> b</summary></book>'],
    ['-- in a comment', book('<!-- a -- b -->')],
    ['an unclosed comment', book('<!-- a')],
    ['an unclosed CDATA section', book('<![CDATA[x')],
    ['an attribute twice', '<book id="aaaaaa" id="aaaaaa"><summary>s</summary></book>'],
    ['an attribute without quotes', '<book id=aaaaaa><summary>s</summary></book>'],
    ['an attribute without a value', '<book id><summary>s</summary></book>'],
    ['< in an attribute', '<book id="aaa<aa"><summary>s</summary></book>'],
    ['a declaration not at the start', ` <?xml version="1.0"?>${book('')}`],
    ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${book('')}`],
    ['XML 1.1', `<?xml version="1.1"?>${book('')}`],
    ['a space before a name', '< book id="aaaaaa"><summary>s</summary></ book>'],
  ])('%s', (_what, text) => {
    expect(codeOf(utf8(text))).toBe('INVALID_XML');
  });

  test('bytes that are not UTF-8, and UTF-16', () => {
    const broken = Buffer.concat([
      utf8('<book id="aaaaaa">\n<summary>x'),
      Buffer.from([0xff, 0xfe]),
      utf8('</summary></book>'),
    ]);
    expect(() => Book.parse(broken)).toThrow(
      expect.objectContaining({
        code: 'INVALID_XML',
        details: { line: 2, column: 11, reason: 'the file is not valid UTF-8' },
      }),
    );
    expect(codeOf(Buffer.from(`\uFEFF${book('')}`, 'utf16le'))).toBe('INVALID_XML');
  });
});

describe('attacks are refused at once', () => {
  test.each([
    [
      'an external entity',
      '<!DOCTYPE book [<!ENTITY x SYSTEM "file:///etc/passwd">]><book id="aaaaaa"><summary>&x;</summary></book>',
    ],
    [
      'a billion laughs',
      `<!DOCTYPE book [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${'&a;'.repeat(10)}">`).join('')}]><book id="aaaaaa"><summary>&a19;</summary></book>`,
    ],
    ['any DOCTYPE', `<!DOCTYPE book>${book('')}`],
  ])('%s [HNPX-119]', (_what, text) => {
    expect(() => Book.parse(utf8(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_XML', message: 'DOCTYPE is not allowed' }),
    );
  });

  test('a hundred thousand attributes, elements and levels', () => {
    const attributes = Array.from({ length: 100_000 }, (_, i) => ` a${i}="x"`).join('');
    expect(codeOf(utf8(`<book id="aaaaaa"${attributes}><summary>s</summary></book>`))).toBe('INVALID_XML');
    expect(codeOf(utf8('<beat>'.repeat(100_000)))).toBe('INVALID_XML');
    const wrong = scan(utf8(book('<x/>'.repeat(100_000))));
    expect(wrong.violations).toHaveLength(50);
  });
});

describe('well-formed XML that breaks the format is told apart', () => {
  test.each([
    [
      'another root',
      '<chapter id="aaaaaa" title="t"><summary>s</summary></chapter>',
      '1:1 INVALID_HIERARCHY <chapter> cannot stand as the root; expected <book>',
    ],
    ['an unknown element', book('\n <note/>'), '2:2 NOT_HNPX <note> is not an HNPX element'],
    [
      'a level left out',
      book('<beat id="aaaaab"><summary>s</summary></beat>'),
      '1:39 INVALID_HIERARCHY <beat> cannot stand inside <book>; expected <chapter>',
    ],
    [
      'an element in a summary',
      '<book id="aaaaaa"><summary>s<summary>t</summary></summary></book>',
      '1:29 INVALID_HIERARCHY <summary> cannot stand inside <summary>; no element is allowed',
    ],
    ['no id', '<book><summary>s</summary></book>', '1:1 MISSING_ATTRIBUTE <book> has no id'],
    [
      'a wrong id',
      '<book id="ABC123"><summary>s</summary></book>',
      '1:1 INVALID_ATTRIBUTE <book> has the id "ABC123"; an id is 6 lowercase letters and digits',
    ],
    [
      'an id twice',
      book('<chapter id="aaaaaa" title="t"><summary>s</summary></chapter>'),
      '1:39 DUPLICATE_ID The id aaaaaa is used more than once',
    ],
    ['no summary', '<book id="aaaaaa"/>', '1:1 EMPTY_SUMMARY <book> has no summary'],
    ['two summaries', book('<summary>t</summary>'), '1:39 NOT_HNPX <book> has more than one summary'],
    ['text in a container', book('stray'), '1:39 NOT_HNPX Text cannot stand directly inside <book>'],
    ['CDATA text in a container', book('<![CDATA[stray]]>'), '1:48 NOT_HNPX Text cannot stand directly inside <book>'],
    [
      'a paragraph without summary beside one that has it',
      book(
        '<chapter id="aaaaab" title="t"><summary>s</summary><sequence id="aaaaac" loc="x"><summary>s</summary><beat id="aaaaad"><summary>s</summary>\n<paragraph id="aaaaae">x</paragraph></beat></sequence></chapter>',
      ),
      '2:1 EMPTY_SUMMARY <paragraph> has no summary',
    ],
  ])('%s [HNPX-005] [HNPX-006] [HNPX-008] [HNPX-009] [HNPX-010]', (_what, text, expected) => {
    expect(violationsOf(text)).toEqual([expected]);
    expect(codeOf(utf8(text))).toBe('NOT_HNPX');
  });

  test('both dialects are recognised', () => {
    const dialect = (text: string) => scan(utf8(text)).dialect;
    expect(dialect(smallBook)).toBe('summary');
    expect(dialect(book(''))).toBe('summary');
    const sequence = (attributes: string, inside = '') =>
      book(
        `<chapter id="aaaaab" title="t"><summary>s</summary><sequence id="aaaaac"${attributes}><summary>s</summary>${inside}</sequence></chapter>`,
      );
    expect(dialect(sequence(' location="x"'))).toBe('plain');
    expect(dialect(sequence(' loc="x"'))).toBe('summary');
    expect(
      dialect(sequence('', '<beat id="aaaaad"><summary>s</summary><paragraph id="aaaaae">x</paragraph></beat>')),
    ).toBe('plain');
  });
});

/** What libxml2, a parser of its own, makes of the document: its text by id, or undefined when malformed. */
function oracle(bytes: Buffer): Map<string, string> | undefined {
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromBuffer(bytes, { option: ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET });
    if (document.dtd) return undefined;
    const found = new Map<string, string>();
    for (const element of document.find('//*[@id]')) {
      const id = element as unknown as {
        attr(name: string): { value: string } | null;
        find(path: string): { content: string }[];
      };
      const text = id
        .find('text()')
        .map((node) => node.content)
        .join('');
      const summary = id
        .find('summary/text()')
        .map((node) => node.content)
        .join('');
      found.set(
        id.attr('id')?.value ?? '',
        `${summary.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')}|${text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')}`,
      );
    }
    return found;
  } catch {
    return undefined;
  } finally {
    document?.dispose();
  }
}

describe('beside libxml2', () => {
  const pieces = [
    '<',
    '>',
    '/',
    '&',
    ';',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    '\r\n',
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<?x ?>',
    '&amp;',
    '&#65;',
    '&#x0;',
    '\u0000',
    'é',
    '🌊',
    '<summary>',
    '</summary>',
    'id="b00001"',
    '<?xml',
    '--',
    '\ufffe',
  ];

  test('whatever we accept, it accepts, and reads the same text [HNPX-123]', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(smallBook.length), fc.nat(6), fc.constantFrom('', ...pieces)), {
          minLength: 1,
          maxLength: 3,
        }),
        (mutations) => {
          let text = smallBook;
          for (const [at, length, piece] of mutations) text = text.slice(0, at) + piece + text.slice(at + length);
          const bytes = utf8(text);
          if (codeOf(bytes) !== 'ok') return;
          accepted++;
          const read = Book.parse(bytes);
          const expected = oracle(bytes);
          expect(expected).toBeDefined();
          for (let row = 0; row < read.count; row++) {
            const ours = `${read.summary(row) ?? ''}|${read.text(row)}`;
            const theirs = expected?.get(read.id(row));
            expect(ours).toBe(read.isContainer(row) ? theirs?.replace(/\|[^]*$/, '|') : theirs);
          }
        },
      ),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThan(runs / 20);
  });
});
