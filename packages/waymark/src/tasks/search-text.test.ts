import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldForSearch, gramsOf, gramsOfTerm, searchTextOf } from './search-text.ts';

test.each([
  ['CAFÉ', 'cafe'],
  ['Straße', 'strasse'],
  ['ＡＢＣ', 'abc'],
  ['  two\u00A0 spaces ', 'two spaces'],
  ['zero\u200Bwidth', 'zerowidth'],
  ['買い物', '買い物'],
  ['がぎ', 'がぎ'],
  ['ΣΊΣ', 'σισ'],
])('folds %s', (text, expected) => {
  expect(foldForSearch(text)).toBe(expected);
});

test('the keys of a term are keys of every text that contains it [TASK-LIST-SEARCH]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, from, length) => {
      const searchText = searchTextOf(text, null);
      const [line = ''] = searchText.split('\n');
      const characters = Array.from(line);
      const start = characters.length === 0 ? 0 : from % characters.length;
      const term = foldForSearch(characters.slice(start, start + 1 + (length % 20)).join(''));
      fc.pre(term !== '' && line.includes(term));
      const keys = new Set(gramsOf('u', searchText));
      expect(gramsOfTerm('u', term).filter((key) => !keys.has(key))).toEqual([]);
    }),
  );
});

test('the keys of two owners differ', () => {
  const mine = new Set(gramsOf('me', 'buy milk\n'));
  expect(gramsOf('you', 'buy milk\n').filter((key) => mine.has(key))).toEqual([]);
});
