import { Cursor, leadingBlanks, SyntaxFailure } from './cursor.ts';
import { decodeEntities } from './entities.ts';
import type { Token, TokenKind } from './lexer.ts';
import { linkOf } from './links.ts';
import { parseClick, parseDecoration } from './parse-decoration.ts';
import { parseLabel } from './parse-label.ts';
import { parseNode } from './parse-node.ts';
import type {
  ChainSyntax,
  FlowchartSyntax,
  LabelSyntax,
  LinkSyntax,
  NodeSyntax,
  Range,
  StatementSyntax,
  SubgraphSyntax,
  SyntaxProblem,
} from './syntax.ts';

export interface ParsedFlowchart {
  readonly syntax: FlowchartSyntax;
  readonly problems: readonly SyntaxProblem[];
}

/** Parses one flowchart. All problems are found in one go: after each, parsing goes on at the next line. */
export function parseFlowchart(source: string): ParsedFlowchart {
  const tooLarge = sizeProblem(source);
  if (tooLarge)
    return { syntax: { header: { start: 0, end: 0 }, direction: 'TB', statements: [] }, problems: [tooLarge] };
  const cursor = new Cursor(source);
  const header = parseHeader(cursor);
  const statements = header ? parseStatements(cursor, 0) : [];
  const syntax = { header: header?.range ?? { start: 0, end: 0 }, direction: header?.direction ?? 'TB', statements };
  return { syntax, problems: cursor.problems };
}

const longestText = 200_000;
const longestLine = 5000;
const deepestSubgraph = 50;

/** Keeps the time a hostile text can take within bounds. */
function sizeProblem(source: string): SyntaxProblem | undefined {
  const code = 'MERMAID_SYNTAX';
  if (source.length > longestText) {
    return { code, offset: 0, message: `the flowchart has ${source.length} characters; ${longestText} are the most` };
  }
  for (let start = 0; start < source.length;) {
    const newline = source.indexOf('\n', start);
    const end = newline < 0 ? source.length : newline;
    if (end - start > longestLine)
      return { code, offset: start, message: `the line is longer than ${longestLine} characters` };
    start = end + 1;
  }
  return undefined;
}

function parseHeader(cursor: Cursor): { range: Range; direction: string } | undefined {
  try {
    const start = cursor.token.start;
    cursor.expect('header', 'expected "flowchart" or "graph" with a direction such as TD');
    if (cursor.accept('noDirection')) return { range: cursor.rangeFrom(start), direction: 'TB' };
    const direction = cursor.expect('direction', 'expected a direction: TD, TB, LR, RL or BT').text.trim();
    const range = cursor.rangeFrom(start);
    if (cursor.acceptSymbol(';')) return { range, direction };
    while (cursor.accept('space'));
    cursor.expect('newline', 'expected a new line after the header');
    return { range, direction };
  } catch (error) {
    cursor.report(error);
    return undefined;
  }
}

function parseStatements(cursor: Cursor, depth: number): StatementSyntax[] {
  const statements: StatementSyntax[] = [];
  for (;;) {
    while (cursor.isSeparator() || cursor.at('space')) {
      if (cursor.at('endOfText')) return statements;
      cursor.advance();
    }
    if (depth > 0 && cursor.atKeyword('end')) return statements;
    const start = cursor.token.start;
    try {
      statements.push(parseStatement(cursor, depth));
    } catch (error) {
      cursor.report(error);
      cursor.skipLine(start);
    }
  }
}

function parseStatement(cursor: Cursor, depth: number): StatementSyntax {
  const { kind, text, start } = cursor.token;
  if (kind === 'directionStatement' || kind === 'accessibility') {
    cursor.advance();
    const range = cursor.rangeFrom(start);
    return { kind: kind === 'accessibility' ? kind : 'direction', ids: [], range };
  }
  if (kind === 'click') return parseClick(cursor);
  if (kind === 'keyword') {
    if (text === 'subgraph') return parseSubgraph(cursor, depth);
    if (text === 'style' || text === 'linkStyle' || text === 'classDef' || text === 'class') {
      return parseDecoration(cursor, text);
    }
  }
  const chain = parseChain(cursor);
  cursor.expectSeparator();
  return chain;
}

function parseChain(cursor: Cursor): ChainSyntax {
  const start = cursor.token.start;
  const groups: NodeSyntax[][] = [parseGroup(cursor)];
  const links: LinkSyntax[] = [];
  while (cursor.at('link') || cursor.at('linkStart') || cursor.at('linkId')) {
    links.push(parseLink(cursor));
    groups.push(parseGroup(cursor));
  }
  return { kind: 'chain', groups, links, range: cursor.rangeFrom(start) };
}

/** `A & B & C`, and the blanks behind it. */
function parseGroup(cursor: Cursor): NodeSyntax[] {
  const members = [parseNode(cursor)];
  for (;;) {
    let spaces = 0;
    while (cursor.accept('space')) spaces++;
    if (spaces === 0 || !cursor.atSymbol('&')) {
      if (spaces > 0 && members.at(-1)?.attributes) throw cursor.unexpected('expected "&" or an arrow behind "@{ }"');
      return members;
    }
    cursor.advance();
    cursor.expect('space', 'expected a blank after "&"');
    while (cursor.accept('space'));
    members.push(parseNode(cursor));
  }
}

function parseLink(cursor: Cursor): LinkSyntax {
  const start = cursor.token.start + leadingBlanks(cursor.token.text);
  const id = cursor.accept('linkId')?.text.slice(0, -1);
  const first = cursor.token;
  let label: LabelSyntax | undefined;
  let written: { line: string; opening?: string };
  if (cursor.accept('linkStart')) {
    label = parseLabel(cursor, first, '-->');
    const closing = expectEdgeEnd(cursor, first);
    written = { line: closing.text.trim(), opening: first.text.trim() };
  } else {
    written = { line: cursor.expect('link', 'expected an arrow such as -->').text.trim() };
    label = parseBarLabel(cursor);
  }
  const { stroke, head, bothWays, mismatched } = linkOf(written.line, written.opening);
  const shown = label?.text === '' ? undefined : label;
  return { id, stroke, head, bothWays, mismatched, label: shown, range: cursor.rangeFrom(start) };
}

function parseBarLabel(cursor: Cursor): LabelSyntax | undefined {
  const bar = cursor.token;
  if (!cursor.accept('pipe')) return undefined;
  const label = parseLabel(cursor, bar, '|');
  if (!cursor.accept('pipe')) throw cursor.badLabelEnd(bar, '|');
  cursor.accept('space');
  return label;
}

function expectEdgeEnd(cursor: Cursor, opening: Token): Token {
  const token = cursor.token;
  if (token.kind === 'link') {
    cursor.advance();
    return token;
  }
  throw cursor.badLabelEnd(opening, '-->');
}

function parseSubgraph(cursor: Cursor, depth: number): SubgraphSyntax {
  const start = cursor.token.start;
  cursor.advance();
  cursor.expect('space', 'a subgraph needs an id or a title');
  const { name, quoted } = parseSubgraphName(cursor);
  const bracket = cursor.token;
  let title = name;
  let id: string | undefined = /\s/.test(name.trim()) || (quoted && /\s/.test(name)) ? undefined : name.trim();
  if (cursor.atOpen('[')) {
    cursor.advance();
    title = parseLabel(cursor, bracket, ']').text;
    cursor.expectClose(']', bracket);
    id = name.trim();
  }
  cursor.expectSeparator();
  if (depth >= deepestSubgraph) throw new SyntaxFailure(start, `subgraphs may be nested ${deepestSubgraph} deep`);
  const body = parseStatements(cursor, depth + 1);
  if (cursor.atKeyword('end')) cursor.advance();
  else cursor.report(new SyntaxFailure(start, 'this subgraph is never closed with "end"'));
  return { kind: 'subgraph', id, title: decodeEntities(title.trim()), body, range: cursor.rangeFrom(start) };
}

function parseSubgraphName(cursor: Cursor): { name: string; quoted: boolean } {
  const first = cursor.token;
  if (first.kind === 'string' || first.kind === 'markdown') {
    cursor.advance();
    if (first.text === '') throw new SyntaxFailure(first.start, 'the title is empty');
    return { name: first.text, quoted: true };
  }
  const allowed: readonly TokenKind[] = [
    'number',
    'word',
    'space',
    'letters',
    'header',
    'direction',
    'linkStart',
    'click',
  ];
  let name = '';
  for (;;) {
    const { kind, text } = cursor.token;
    const isSymbol = kind === 'symbol' && [':', '&', '*', '#', '-', 'v'].includes(text);
    const isKeyword = kind === 'keyword' && text !== 'default' && text !== 'interpolate';
    if (!allowed.includes(kind) && !isSymbol && !isKeyword) break;
    name += text;
    cursor.advance();
  }
  if (name.trim() === '') throw cursor.unexpected('a subgraph needs an id or a title');
  return { name, quoted: false };
}
