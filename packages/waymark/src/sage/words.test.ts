import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPattern, findSaid, readAnswer } from './pattern.ts';
import { stem, wordsOf } from './words.ts';

describe('words', () => {
  test.each([
    ['prices', 'price', 'pricing', 'priced'],
    ['negotiate', 'negotiating', 'negotiated', 'negotiates'],
    ['study', 'studies', 'studied'],
    ['stop', 'stopped', 'stopping', 'stops'],
    ['say', 'said', 'says', 'saying'],
    ['careful', 'carefully'],
    ['customer', 'customers', "customer's"],
  ])('forms of %s meet', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  test.each([
    ['price', 'prize'],
    ['form', 'from'],
    ['thing', 'think'],
    ['need', 'new'],
    ['bed', 'bing'],
  ])('%s and %s stay apart', (left, right) => {
    expect(stem(left)).not.toBe(stem(right));
  });

  test('words know where they stand, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const word of wordsOf(text)) expect(text.slice(word.start, word.end)).toBe(word.text);
      }),
    );
  });
});

const finds = (pattern: string, text: string, synonyms = {}) =>
  findPattern(pattern, readAnswer(text, synonyms), synonyms) !== undefined;

describe('patterns', () => {
  test.each([
    ['first number', 'Whoever names the first number wins'],
    ['first number', 'The first of all those numbers sticks'],
    ['compar*', 'It is a comparison'],
    ['high|big number', 'Say a big number'],
    ['not discount', "I don't give them a discount"],
    ['not discount', 'without discounting anything'],
    ['without asking', 'He does it without asking'],
    ['/\\d+ ?%/', 'about 20 % off'],
    ['discount', 'Not only a discount, more than that'],
    ['discount', 'I do not know. A discount perhaps'],
  ])('%s is found in “%s”', (pattern, text) => {
    expect(finds(pattern, text)).toBe(true);
  });

  test.each([
    ['first number', 'number first'],
    ['first number', 'The first thing I did that day was to write a number'],
    ['discount', 'Never start with a discount'],
    ['discount', "You shouldn't discount"],
    ['not discount', 'I give them a discount'],
    ['compar*', 'He will prepare'],
  ])('%s is not found in “%s”', (pattern, text) => {
    expect(finds(pattern, text)).toBe(false);
  });

  test('synonyms of one or more words count as the word', () => {
    const synonyms = { client: ['customer', 'person who pays'] };
    expect(finds('client', 'Ask the customers', synonyms)).toBe(true);
    expect(finds('ask client', 'Ask the person who pays', synonyms)).toBe(true);
    expect(finds('customer', 'Ask the client', synonyms)).toBe(true);
  });

  test('groups ask for one pattern of each', () => {
    const said = [['first number', 'anchor'], ['compar*']];
    expect(findSaid(said, readAnswer('An anchor is what you compare with'))).toHaveLength(2);
    expect(findSaid(said, readAnswer('An anchor holds the ship'))).toBeUndefined();
  });

  test('any text can be searched with any plain pattern', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 200 }), (pattern, text) => {
        if (/^\/.*\/$/s.test(pattern)) return;
        findPattern(pattern, readAnswer(text));
      }),
    );
  });
});
