import { limits, taskError } from './model.ts';

// Control characters other than line breaks and tabs, and lone surrogates: nothing a person typed,
// some of it (NUL) no database text, some of it (escape) dangerous on a terminal.
const unprintable = /(?![\t\n])\p{Cc}|\p{Surrogate}/gu;
const invisible = /[\s\u200B-\u200F\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF\u00AD]/gu;

/** One line, trimmed, of 1 to 500 characters, at least one of them visible. */
export function readTitle(text: string): string {
  const title = text
    .replaceAll(/[\t\r\n\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(unprintable, '')
    .trim();
  const length = countCharacters(title);
  if (length > limits.title || title.replaceAll(invisible, '') === '') {
    throw taskError('INVALID_TITLE', { length });
  }
  return title;
}

/** Several lines of at most 2000 characters; nothing visible is no description. */
export function readDescription(text: string): string | null {
  const description = text.replaceAll(/\r\n?/g, '\n').replaceAll(unprintable, '').trim();
  const length = countCharacters(description);
  if (length > limits.description) throw taskError('INVALID_DESCRIPTION', { length });
  return description === '' ? null : description;
}

/** Characters as people count them in a limit: code points, so an emoji is not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}
