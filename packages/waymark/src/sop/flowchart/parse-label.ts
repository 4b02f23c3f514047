import { type Cursor, leadingBlanks, SyntaxFailure } from './cursor.ts';
import { decodeEntities } from './entities.ts';
import type { Token } from './lexer.ts';
import type { LabelForm, LabelSyntax, Range } from './syntax.ts';

/** A quoted or markdown string or plain text; `close` only names what should come next. */
export function parseLabel(cursor: Cursor, opening: Token, close: string): LabelSyntax {
  const first = cursor.token;
  const form = first.kind === 'string' ? 'quoted' : first.kind === 'markdown' ? 'markdown' : 'plain';
  let text = '';
  let parts = 0;
  while (cursor.at('text') || (isString(cursor) && (parts === 0 || cursor.token.text === ''))) {
    if (cursor.token.text !== '') parts++;
    text += cursor.token.text;
    cursor.advance();
  }
  if (parts === 0) explainLabel(cursor, opening, close);
  const range = cursor.originRange(trimmedRange(first, text, form));
  return { form, text: decodeEntities(text.trim()), range };
}

function isString(cursor: Cursor): boolean {
  return cursor.at('string') || cursor.at('markdown');
}

function explainLabel(cursor: Cursor, opening: Token, close: string): never {
  if (cursor.at('endOfText'))
    throw new SyntaxFailure(opening.start, `"${opening.text}" is never closed with "${close}"`);
  if (cursor.at('close') || cursor.at('pipe') || cursor.at('link')) throw cursor.failure('the label is empty');
  throw cursor.unexpected(`expected a label; text with brackets or quotes must stand in "quotes"`);
}

/** Where the label itself stands: inside its quotes, or without the blanks around it. */
function trimmedRange(first: Token, text: string, form: LabelForm): Range {
  if (form !== 'plain') {
    const width = form === 'markdown' ? 2 : 1;
    return { start: first.start + width, end: first.end - width };
  }
  const start = first.start + leadingBlanks(text);
  return { start, end: start + text.trim().length };
}
