import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { parseAttributes } from './parse-attributes.ts';
import { parseId } from './parse-id.ts';
import { parseLabel } from './parse-label.ts';
import type { LabelSyntax, NodeShape, NodeSyntax } from './syntax.ts';

/** Bracket pairs that need no further look: opening text, closing text, shape. */
const simpleShapes = new Map<string, readonly [close: string, shape: NodeShape]>([
  ['[', [']', 'square']],
  ['(', [')', 'round']],
  ['{', ['}', 'diamond']],
  ['([', ['])', 'stadium']],
  ['[[', [']]', 'subroutine']],
  ['[(', [')]', 'cylinder']],
  ['(((', [')))', 'doublecircle']],
  ['>', [']', 'odd']],
]);

export function parseNode(cursor: Cursor): NodeSyntax {
  const start = cursor.token.start;
  const id = parseId(cursor, 'a node id');
  const idRange = cursor.rangeFrom(start);
  const shaped = parseShape(cursor);
  const className = cursor.acceptSymbol(':::') ? parseId(cursor, 'a class name after ":::"') : undefined;
  if (cursor.atSymbol(':::')) throw cursor.failure('only one class can be given with ":::"');
  const attributes = cursor.at('attributes') ? parseAttributes(cursor) : undefined;
  const range = cursor.rangeFrom(start);
  return { id, idRange, shape: shaped?.shape, label: shaped?.label, className, attributes, range };
}

function parseShape(cursor: Cursor): { shape: NodeShape; label: LabelSyntax } | undefined {
  const opening = cursor.token;
  if (opening.kind !== 'open') return undefined;
  cursor.advance();
  if (opening.text === '[|') return parseLabelWithProperties(cursor, opening);
  if (opening.text === '[/' || opening.text === '[\\') return parseSlanted(cursor, opening);
  if (opening.text === '(-') {
    const label = parseLabel(cursor, opening, '-)');
    cursor.expect('close', 'expected "-)"');
    return { shape: 'ellipse', label };
  }
  const doubled = (opening.text === '(' || opening.text === '{') && cursor.atOpen(opening.text);
  if (doubled) {
    cursor.advance();
    const close = opening.text === '(' ? ')' : '}';
    const label = parseLabel(cursor, opening, close + close);
    cursor.expectClose(close, opening);
    cursor.expectClose(close, opening);
    return { shape: opening.text === '(' ? 'circle' : 'hexagon', label };
  }
  const [close, shape] = simpleShapes.get(opening.text) ?? [']', 'square'];
  const label = parseLabel(cursor, opening, close);
  cursor.expectClose(close, opening);
  return { shape, label };
}

function parseSlanted(cursor: Cursor, opening: Token): { shape: NodeShape; label: LabelSyntax } {
  const label = parseLabel(cursor, opening, '/] or \\]');
  const leansBack = cursor.expect('close', 'expected "/]" or "\\]"').text === '/]';
  if (opening.text === '[/') return { shape: leansBack ? 'lean_right' : 'trapezoid', label };
  return { shape: leansBack ? 'inv_trapezoid' : 'lean_left', label };
}

function parseLabelWithProperties(cursor: Cursor, opening: Token): { shape: NodeShape; label: LabelSyntax } {
  cursor.expect('word', 'expected a property name after "[|"');
  cursor.expectSymbol(':', 'expected ":" after the property name');
  cursor.expect('word', 'expected a property value');
  cursor.expect('pipe', 'expected "|" after the property');
  const label = parseLabel(cursor, opening, ']');
  cursor.expectClose(']', opening);
  return { shape: 'rect', label };
}
