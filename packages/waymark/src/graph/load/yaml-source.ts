import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { ExpressionSource, Position, Problem } from '../model.ts';

export type YamlPath = readonly (string | number)[];

/** A YAML text that remembers where everything in it stands. */
export interface YamlSource {
  readonly value: unknown;
  readonly errors: readonly { message: string; position: Position }[];
  /** Where the value at a path begins; the nearest thing around it when it is not there. */
  positionOf(path: YamlPath): Position;
  /** Where the key at the end of a path begins. */
  positionOfKey(path: YamlPath): Position;
  /** The text at a path as an expression, with where its first character stands. */
  expressionAt(path: YamlPath, text: string): ExpressionSource;
}

/** Aliases in a file may multiply its size; more than this is an attack or a mistake. */
const maxAliases = 200;

export function parseYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, strict: true });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const errors = telling(document.errors).map((error) => ({
    message: firstLine(error.message),
    position: at(error.pos[0]),
  }));
  let value: unknown;
  try {
    value = errors.length > 0 ? undefined : document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    errors.push({ message: firstLine((error as Error).message), position: { line: 1, column: 1 } });
  }
  const offsetOf = (path: YamlPath) => nodeAround(document, path)?.range?.[0] ?? 0;
  return {
    value,
    errors,
    positionOf: (path) => at(offsetOf(path)),
    positionOfKey: (path) => at(keyOffset(document, path) ?? offsetOf(path)),
    expressionAt: (path, content) => locateText(text, document, path, content, at),
  };
}

/** After the first mistake in the syntax the parser finds many more that are only its consequences. */
function telling(errors: readonly YAMLError[]): readonly YAMLError[] {
  const first = errors.find((error) => error.code !== 'DUPLICATE_KEY');
  return errors.filter((error) => error === first || error.code === 'DUPLICATE_KEY');
}

function firstLine(message: string): string {
  if (message.includes('call stack')) return 'The file nests too deeply';
  return message.split('\n', 1)[0] ?? message;
}

function nodeAround(document: Document, path: YamlPath): Node | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = document.getIn(path.slice(0, length), true);
    if (isNode(found)) return found;
  }
  return isNode(document.contents) ? document.contents : undefined;
}

function keyOffset(document: Document, path: YamlPath): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const key = path.at(-1);
  if (!isMap(parent)) return isSeq(parent) ? undefined : undefined;
  const pair = parent.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(key),
  );
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
}

function locateText(
  text: string,
  document: Document,
  path: YamlPath,
  content: string,
  at: (offset: number) => Position,
): ExpressionSource {
  const node = document.getIn(path, true);
  const start = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  if (!isScalar(node)) return { text: content, position: at(start), verbatim: false };
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') {
    const first = firstContentOffset(text, start);
    return { text: content, position: at(first), verbatim: node.type === 'BLOCK_LITERAL' };
  }
  const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
  const begin = start + (isQuoted ? 1 : 0);
  return { text: content, position: at(begin), verbatim: text.startsWith(content, begin) };
}

/** The first character of a block scalar: after the line of the `|`, blank lines and the indentation. */
function firstContentOffset(text: string, header: number): number {
  const rest = /\n(?:[ \t]*\n)*[ ]*/.exec(text.slice(header));
  return rest ? header + rest.index + rest[0].length : header;
}

/** The place of a character inside an expression. */
export function locateInExpression(expression: ExpressionSource, offset: number | undefined): Position {
  const { position, verbatim, text } = expression;
  if (offset === undefined || !verbatim) return position;
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return {
    line: position.line + (before.match(/\n/g)?.length ?? 0),
    column: position.column + offset - (lastBreak + 1),
  };
}

/** `tools[0].nodes[2].next` */
export function showPath(path: YamlPath): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`;
    const key = /^[\w$-]+$/.test(step) ? step : JSON.stringify(step);
    return shown === '' ? key : `${shown}.${key}`;
  }, '');
}

/** `file:line:column severity code message`, as `waymark graph check` prints it. */
export function formatProblem({ file, position, severity, code, message }: Problem): string {
  return `${file}:${position.line}:${position.column} ${severity} ${code} ${message}`;
}
