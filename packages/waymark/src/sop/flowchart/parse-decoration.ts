import type { Cursor } from './cursor.ts';
import { parseId } from './parse-id.ts';
import type { DecorationSyntax } from './syntax.ts';

export function parseDecoration(cursor: Cursor, kind: 'style' | 'linkStyle' | 'classDef' | 'class'): DecorationSyntax {
  const start = cursor.token.start;
  cursor.advance();
  cursor.expect('space', `expected a blank after "${kind}"`);
  const target = parseId(cursor, kind === 'linkStyle' ? 'edge numbers or "default"' : 'an id');
  cursor.expect('space', `expected more after "${kind} ${target}"`);
  if (kind === 'class') parseId(cursor, 'a class name');
  else if (kind === 'linkStyle' && cursor.atKeyword('interpolate')) parseInterpolation(cursor);
  else parseStyles(cursor);
  const range = cursor.rangeFrom(start);
  cursor.expectSeparator();
  return { kind, ids: kind === 'classDef' ? [] : target.split(','), range };
}

function parseInterpolation(cursor: Cursor): void {
  cursor.advance();
  cursor.expect('space', 'expected a curve name after "interpolate"');
  parseId(cursor, 'a curve name');
  if (cursor.accept('space')) parseStyles(cursor);
}

function parseStyles(cursor: Cursor): void {
  let parts = 0;
  for (;;) {
    const { kind, text } = cursor.token;
    const isSymbol = kind === 'symbol' && [':', ',', '#'].includes(text);
    if (!isSymbol && kind !== 'number' && kind !== 'word' && kind !== 'space' && !cursor.atKeyword('style')) break;
    parts++;
    cursor.advance();
  }
  if (parts === 0) throw cursor.unexpected('expected styles such as fill:#f9f');
}

export function parseClick(cursor: Cursor): DecorationSyntax {
  const start = cursor.token.start;
  const id = cursor.token.text.replace(/^click\s+/, '').trim();
  cursor.advance();
  let isLink = true;
  if (cursor.accept('href')) cursor.expect('string', 'expected a "link"');
  else if (!cursor.accept('string')) {
    isLink = false;
    if (!cursor.accept('callback')) parseId(cursor, 'a callback, href or link');
  }
  const followed = cursor.accept('space');
  if (followed && cursor.accept('string')) {
    if (isLink && cursor.accept('space')) cursor.expect('linkTarget', 'expected _self, _blank, _parent or _top');
  } else if (followed && !(isLink && cursor.accept('linkTarget'))) throw cursor.unexpected('expected a "tooltip"');
  const range = cursor.rangeFrom(start);
  cursor.expectSeparator();
  return { kind: 'click', ids: id.split(','), range };
}
