import { describe, expect, test } from 'vitest';
import { editSop } from './edit-sop.ts';
import { parseSop } from './parse-sop.ts';
import { readExample } from './sop.test-helpers.ts';

const retail = await readExample('retail.md');
const airline = await readExample('airline.md');
const refund = await readExample('refund.md');

/** What differs between two texts: the part of each between their common beginning and end. */
function difference(before: string, after: string): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

describe('an edit changes one place and nothing else', () => {
  test('a label', () => {
    const { source } = editSop(retail, [{ node: 'DO_CANCEL', label: 'Cancel it (now)' }]);
    expect(source).toBe(retail.replace('DO_CANCEL["Cancel the order"]', 'DO_CANCEL["Cancel it (now)"]'));
  });

  test('the condition of an edge', () => {
    const { source } = editSop(retail, [{ from: 'IS_PENDING_C', to: 'COLLECT_CANCEL', label: 'it is' }]);
    expect(source).toBe(retail.replace('IS_PENDING_C -->|yes|', 'IS_PENDING_C -->|"it is"|'));
  });

  test('a prompt under its heading', () => {
    const { source, parsed } = editSop(retail, [{ node: 'INFO', prompt: 'Answer.\n\nBriefly.' }]);
    const old = "Answer only about the authenticated customer's profile and orders, and about products in general.";
    expect(source).toBe(retail.replace(old, 'Answer.\n\nBriefly.'));
    expect(parsed.sop?.nodes.get('INFO')?.prompt).toBe('Answer.\n\nBriefly.');
  });

  test.each([
    ['with yaml but no text', retail, 'CHK_CANCEL'],
    ['without any prompt', retail, 'END_MOD'],
    ['in a yaml block', airline, 'AUTH'],
    ['in one line of a yaml block', airline, 'SEARCH'],
    ['with a fence inside', airline, 'DO_BOOK'],
    ['in bare yaml', refund, 'intake'],
  ])('a prompt of a node %s, with Windows line ends too', (_name, file, node) => {
    for (const before of [file, file.replaceAll('\n', '\r\n')]) {
      const { source, parsed } = editSop(before, [{ node, prompt: 'First: one.\n\n- "two"\n#### three' }]);
      expect(parsed.sop?.nodes.get(node)?.prompt).toBe('First: one.\n\n- "two"\n#### three');
      expect(parsed.warnings).toEqual(parseSop(before).warnings);
      const [removed, added] = difference(before, source);
      expect(removed.length).toBeLessThan(300);
      expect(added).toContain('three');
      expect(source.includes('\r\n')).toBe(before.includes('\r\n'));
      const others = (text: string) =>
        JSON.stringify(
          [...(parseSop(text).sop?.nodes.values() ?? [])]
            .filter(({ id }) => id !== node)
            .map(({ position: _at, ...rest }) => rest),
        );
      expect(others(source)).toBe(others(before));
    }
  });
});

test.each([
  [{ node: 'AUHT', label: 'x' }, 'UNKNOWN_NODE'],
  [{ node: 'AUHT', prompt: 'x' }, 'UNKNOWN_NODE'],
  [{ from: 'AUTH', to: 'INFO', label: 'x' }, 'UNKNOWN_EDGE'],
  [{ node: 'INFO', prompt: 'one\n## Role\ntwo' }, 'CANNOT_EDIT'],
  [{ node: 'INFO', prompt: '```mermaid' }, 'CANNOT_EDIT'],
])('%j is refused with %s', (edit, code) => {
  expect(() => editSop(retail, [edit])).toThrow(expect.objectContaining({ code }));
});
