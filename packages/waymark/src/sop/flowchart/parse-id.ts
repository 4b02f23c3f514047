import type { Cursor } from './cursor.ts';

const reserved =
  /^(?:end|graph|flowchart|flowchart-elk|subgraph|style|linkStyle|classDef|class|click|call|href|interpolate)\b/;

export function parseId(cursor: Cursor, expected: string): string {
  let id = '';
  const first = cursor.token;
  while (isIdToken(cursor, id === '')) {
    id += cursor.token.text;
    cursor.advance();
  }
  if (id) return id;
  const word = reserved.exec(cursor.text.slice(first.start, first.start + 20))?.[0];
  if (word) throw cursor.failure(`"${word}" is a reserved word and cannot begin ${expected}`, 'RESERVED_ID');
  throw cursor.unexpected(`expected ${expected}`);
}

function isIdToken(cursor: Cursor, first: boolean): boolean {
  const { kind, text } = cursor.token;
  if (kind === 'word' || kind === 'number' || kind === 'letters') return true;
  if (kind === 'keyword') return text === 'default';
  if (kind !== 'symbol') return false;
  return text === '&' ? first || !followsBlank(cursor) : text !== ';' && text !== ':::';
}

function followsBlank(cursor: Cursor): boolean {
  return /\s/.test(cursor.text[cursor.token.start - 1] ?? '');
}
