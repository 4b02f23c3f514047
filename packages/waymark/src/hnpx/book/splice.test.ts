import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../kit/index.ts';
import { editAttributes, editSummary, editText } from '../edit/attributes.ts';
import { createBeat, createChapter, createParagraph, createSequence } from '../edit/create.ts';
import type { EditTools } from '../edit/edit.ts';
import { moveNodes, removeNode, reorderChildren } from '../edit/structure.ts';
import { countingIds, parseText, readable, smallBook } from '../hnpx.test-helpers.ts';
import { defaultLimits } from '../model.ts';
import type { Book } from './book.ts';
import { Book as BookClass } from './book.ts';
import { withDeclaration } from './splice.ts';

const runs = process.env['WAYMARK_FULL'] === '1' ? 5000 : 300;

const variants: readonly (readonly [string, string])[] = [
  ['plain', smallBook],
  ['CRLF', smallBook.replaceAll('\n', '\r\n')],
  ['BOM and no declaration', `\uFEFF${smallBook.slice(smallBook.indexOf('\n') + 1)}`],
  ['one line', smallBook.replaceAll(/\n\s*/g, '')],
  ['tabs', smallBook.replaceAll('  ', '\t')],
  [
    'summary last',
    smallBook.replaceAll(/(<chapter[^>]*>)(\s*<summary>[^<]*<\/summary>)([^]*?)(<\/chapter>)/g, '$1$3$2$4'),
  ],
  [
    'summary self-closing and CDATA',
    smallBook
      .replace('<summary>She waits.</summary>', '<summary/>')
      .replace('Is anyone there?', '<![CDATA[Is <anyone> there?]]> <!-- X --> é'),
  ],
  ['multi-byte', smallBook.replaceAll('river', 'rivière 🌊')],
  ['plain dialect', plainDialect()],
];

function plainDialect(): string {
  return smallBook
    .replaceAll(/(<paragraph[^>]*>)\s*<summary>[^<]*<\/summary>\s*([^<]*?)\s*<\/paragraph>/g, '$1$2</paragraph>')
    .replaceAll(' loc=', ' location=')
    .replace(
      '<paragraph id="p00003" mode="internal">Nobody ever comes.</paragraph>',
      '<paragraph id="p00003" mode="internal"/>',
    );
}

type Edit = (book: Book, pick: (count: number) => number, word: string, tools: EditTools) => Book;

/** How an edit and what it may touch is checked: the bytes before and after it, and the bytes both share. */
interface Step {
  readonly kind: 'insert' | 'remove' | 'change' | 'move';
  readonly edit: Edit;
}

const rowOf = (book: Book, level: number, pick: (count: number) => number): string => {
  const rows = [...book.index.level.keys()].filter((row) => book.index.level[row] === level);
  return rows.length === 0 ? 'zzzzzz' : book.id(rows[pick(rows.length)]!);
};
const anyId = (book: Book, pick: (count: number) => number) => book.id(pick(book.count));
const position = (book: Book, parentId: string, pick: (count: number) => number) =>
  book.find(parentId) < 0 ? 0 : pick(book.children(book.find(parentId)).length + 1);

const edits: readonly Edit[] = [
  (book, pick, word, tools) => {
    const parent_id = rowOf(book, 0, pick);
    return createChapter(
      book,
      { parent_id, title: `${word}${tools.random(1e9)}`, summary: word, position: position(book, parent_id, pick) },
      tools,
    ).book;
  },
  (book, pick, word, tools) =>
    createSequence(book, { parent_id: rowOf(book, 1, pick), location: word, summary: word, time: 'dawn' }, tools).book,
  (book, pick, word, tools) => {
    const parent_id = rowOf(book, 2, pick);
    return createBeat(book, { parent_id, summary: word, position: position(book, parent_id, pick) }, tools).book;
  },
  (book, pick, word, tools) => {
    const parent_id = rowOf(book, 3, pick);
    const summary = book.dialect === 'summary' ? word : null;
    return createParagraph(
      book,
      { parent_id, summary, text: word, mode: 'dialogue', char: 'x', position: position(book, parent_id, pick) },
      tools,
    ).book;
  },
  (book, pick, word, tools) =>
    editAttributes(
      book,
      {
        node_id: rowOf(book, 1, pick),
        attributes: { title: word + String(tools.random(1e9)), pov: pick(2) ? word.slice(0, 50) : null },
      },
      tools,
    ).book,
  (book, pick, word, tools) =>
    editAttributes(
      book,
      { node_id: rowOf(book, 4, pick), attributes: { mode: 'dialogue', char: `${word.slice(0, 40)}ü` } },
      tools,
    ).book,
  (book, pick, word, tools) => editSummary(book, { node_id: anyId(book, pick), summary: word }, tools).book,
  (book, pick, word, tools) => editText(book, { node_id: rowOf(book, 4, pick), text: word }, tools).book,
  (book, pick) => removeNode(book, { node_id: anyId(book, pick) }).book,
  (book, pick) => {
    const parent = pick(book.count);
    const ids = book.children(parent).map((row) => book.id(row));
    const rotated = [...ids.slice(1), ...ids.slice(0, 1)];
    return reorderChildren(book, { parent_id: book.id(parent), child_ids: pick(2) ? rotated : ids.toReversed() }).book;
  },
  (book, pick) => {
    const level = 1 + pick(4);
    const new_parent_id = rowOf(book, level - 1, pick);
    const node_ids = [...new Set([rowOf(book, level, pick), rowOf(book, level, pick)])];
    return moveNodes(book, { node_ids, new_parent_id, ...(pick(2) ? { position: 0 } : {}) }).book;
  },
  (book) => withDeclaration(book),
];
const kinds = [
  'insert',
  'insert',
  'insert',
  'insert',
  'change',
  'change',
  'change',
  'change',
  'remove',
  'move',
  'move',
  'insert',
] as const;
const steps: readonly Step[] = edits.map((edit, position) => ({ kind: kinds[position] ?? 'move', edit }));

function sharedEnds(before: Buffer, after: Buffer): number {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < limit - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return head + tail;
}

const commentsOf = (bytes: Buffer) => (bytes.toString('utf8').match(/<!-- [a-z ]+ -->/g) ?? []).length;
const inkOf = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replaceAll(/[ \t\r\n]/g, '')
    .split('')
    .toSorted()
    .join('');

/** What an edit of each kind must leave alone. */
function expectUntouched(kind: Step['kind'], before: Buffer, after: Buffer): void {
  if (kind === 'insert') expect(sharedEnds(before, after)).toBe(before.length);
  if (kind === 'remove') expect(sharedEnds(before, after)).toBe(after.length);
  if (kind === 'move') expect(inkOf(after)).toBe(inkOf(before));
  if (kind !== 'remove') expect(commentsOf(after)).toBe(commentsOf(before));
}

const word = fc
  .string({
    unit: fc.constantFrom('a', 'B', ' ', 'é', '"', "'", '&', '<', '>', ']]>', '\n', '🌊', '\u00a0', '&amp;', '-->'),
    minLength: 1,
    maxLength: 12,
  })
  .map((text) => `w${text}w`);

test('a change touches only what it changes', () => {
  const tools: EditTools = { random: countingIds(), limits: defaultLimits };
  const book = parseText(smallBook);
  const after = (edited: { book: Book }) => edited.book.bytes.toString('utf8');
  expect(after(editText(book, { node_id: 'p00002', text: 'Hello?' }, tools))).toBe(
    smallBook.replace('Is anyone there?', 'Hello?'),
  );
  expect(after(editSummary(book, { node_id: 's00002', summary: 'Over.' }, tools))).toBe(
    smallBook.replace('The crossing.', 'Over.'),
  );
  const odd = smallBook.replace(
    '<chapter id="c00002" title="The Far Side">',
    "<chapter\n   title = 'The Far Side'   id='c00002' >",
  );
  const renamed = editAttributes(parseText(odd), { node_id: 'c00002', attributes: { title: "Far's" } }, tools);
  expect(after(renamed)).toBe(odd.replace("'The Far Side'", "'Far&apos;s'"));
  const oneLine =
    '<book id="aaaaaa"><summary>s</summary><chapter id="aaaaab" title="t"><summary>s</summary><sequence id="aaaaac"><summary>s</summary><beat id="aaaaad"><summary>s</summary><paragraph id="aaaaae">\n\n\tOld <!-- note --> text.\t</paragraph></beat></sequence></chapter></book>';
  expect(after(editText(parseText(oneLine), { node_id: 'aaaaae', text: 'New.' }, tools))).toBe(
    oneLine.replace('Old <!-- note --> text.', 'New.'),
  );
});

describe.each(variants)('the index after edits of a book (%s)', (_name, source) => {
  test('equals that of a fresh parse, and untouched bytes stay [HNPX-003] [HNPX-099]', () => {
    let applied = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(steps.length - 1), fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), word), {
          minLength: 1,
          maxLength: 8,
        }),
        (script) => {
          const tools: EditTools = { random: countingIds(), limits: defaultLimits };
          let book = parseText(source);
          for (const [step, numbers, text] of script) {
            let used = 0;
            const pick = (count: number) => (numbers[used++ % numbers.length] ?? 0) % Math.max(1, count);
            let edited: Book;
            try {
              edited = steps[step]!.edit(book, pick, text, tools);
            } catch (error) {
              if (error instanceof ToolError) continue;
              throw error;
            }
            applied++;
            expectUntouched(steps[step]!.kind, book.bytes, edited.bytes);
            const fresh = BookClass.parse(edited.bytes);
            expect(readable(edited.index)).toEqual(readable(fresh.index));
            expect(fresh.hasDeclaration).toBe(edited.hasDeclaration);
            book = edited;
          }
        },
      ),
      { numRuns: runs },
    );
    expect(applied).toBeGreaterThan(runs);
  });
});
