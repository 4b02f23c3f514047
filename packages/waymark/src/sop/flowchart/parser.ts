import { parse as parseYaml } from 'yaml';
import { nearest } from '../../kit/nearest.ts';
import { decodeEntities } from './entities.ts';
import { Lexer, type Token, type TokenKind } from './lexer.ts';
import { linkOf } from './links.ts';
import { type PreparedText, prepareText } from './prepared-text.ts';
import { allShapeNames, shortShapeName } from './shapes.ts';
import type {
  AttributesSyntax,
  ChainSyntax,
  DecorationSyntax,
  FlowchartSyntax,
  LabelForm,
  LabelSyntax,
  LinkSyntax,
  NodeShape,
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
  return new Parser(prepareText(source)).parse();
}

class SyntaxFailure extends Error {
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

const reserved =
  /^(?:end|graph|flowchart|flowchart-elk|subgraph|style|linkStyle|classDef|class|click|call|href|interpolate)\b/;

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

class Parser {
  readonly #prepared: PreparedText;
  readonly #text: string;
  readonly #lexer: Lexer;
  readonly #problems: SyntaxProblem[] = [];
  #token: Token;
  #lastEnd = 0;

  constructor(prepared: PreparedText) {
    this.#prepared = prepared;
    this.#text = `${prepared.text}\n`;
    this.#lexer = new Lexer(this.#text);
    this.#token = this.#lexer.next();
  }

  parse(): ParsedFlowchart {
    const header = this.#parseHeader();
    const statements = header ? this.#parseStatements(0) : [];
    const syntax = { header: header?.range ?? { start: 0, end: 0 }, direction: header?.direction ?? 'TB', statements };
    return { syntax, problems: this.#problems };
  }

  #parseHeader(): { range: Range; direction: string } | undefined {
    try {
      const start = this.#token.start;
      this.#expect('header', 'expected "flowchart" or "graph" with a direction such as TD');
      if (this.#accept('noDirection')) return { range: this.#rangeFrom(start), direction: 'TB' };
      const direction = this.#expect('direction', 'expected a direction: TD, TB, LR, RL or BT').text.trim();
      const range = this.#rangeFrom(start);
      if (this.#acceptSymbol(';')) return { range, direction };
      while (this.#accept('space'));
      this.#expect('newline', 'expected a new line after the header');
      return { range, direction };
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #parseStatements(depth: number): StatementSyntax[] {
    const statements: StatementSyntax[] = [];
    for (;;) {
      while (this.#isSeparator() || this.#at('space')) {
        if (this.#at('endOfText')) return statements;
        this.#advance();
      }
      if (depth > 0 && this.#atKeyword('end')) return statements;
      const start = this.#token.start;
      try {
        statements.push(this.#parseStatement(depth));
      } catch (error) {
        this.#report(error);
        this.#skipLine(start);
      }
    }
  }

  #parseStatement(depth: number): StatementSyntax {
    const { kind, text, start } = this.#token;
    if (kind === 'directionStatement' || kind === 'accessibility') {
      this.#advance();
      const range = this.#rangeFrom(start);
      return { kind: kind === 'accessibility' ? kind : 'direction', ids: [], range };
    }
    if (kind === 'click') return this.#parseClick();
    if (kind === 'keyword') {
      if (text === 'subgraph') return this.#parseSubgraph(depth);
      if (text === 'style' || text === 'linkStyle' || text === 'classDef' || text === 'class') {
        return this.#parseDecoration(text);
      }
    }
    const chain = this.#parseChain();
    this.#expectSeparator();
    return chain;
  }

  #parseChain(): ChainSyntax {
    const start = this.#token.start;
    const groups: NodeSyntax[][] = [this.#parseGroup()];
    const links: LinkSyntax[] = [];
    while (this.#at('link') || this.#at('linkStart') || this.#at('linkId')) {
      links.push(this.#parseLink());
      groups.push(this.#parseGroup());
    }
    return { kind: 'chain', groups, links, range: this.#rangeFrom(start) };
  }

  /** `A & B & C`, and the blanks behind it. */
  #parseGroup(): NodeSyntax[] {
    const members = [this.#parseNode()];
    for (;;) {
      let spaces = 0;
      while (this.#accept('space')) spaces++;
      if (spaces === 0 || !this.#atSymbol('&')) {
        if (spaces > 0 && members.at(-1)?.attributes) throw this.#unexpected('expected "&" or an arrow behind "@{ }"');
        return members;
      }
      this.#advance();
      this.#expect('space', 'expected a blank after "&"');
      while (this.#accept('space'));
      members.push(this.#parseNode());
    }
  }

  #parseNode(): NodeSyntax {
    const start = this.#token.start;
    const id = this.#parseId('a node id');
    const idRange = this.#rangeFrom(start);
    const shaped = this.#parseShape();
    const className = this.#acceptSymbol(':::') ? this.#parseId('a class name after ":::"') : undefined;
    if (this.#atSymbol(':::')) throw this.#failure('only one class can be given with ":::"');
    const attributes = this.#at('attributes') ? this.#parseAttributes() : undefined;
    return {
      id,
      idRange,
      ...(shaped ?? {}),
      ...(className === undefined ? {} : { className }),
      ...(attributes ? { attributes } : {}),
      range: this.#rangeFrom(start),
    };
  }

  #parseId(expected: string): string {
    let id = '';
    const first = this.#token;
    while (this.#isIdToken(id === '')) {
      id += this.#token.text;
      this.#advance();
    }
    if (id) return id;
    const word = reserved.exec(this.#text.slice(first.start, first.start + 20))?.[0];
    if (word) throw this.#failure(`"${word}" is a reserved word and cannot begin ${expected}`);
    throw this.#unexpected(`expected ${expected}`);
  }

  #isIdToken(first: boolean): boolean {
    const { kind, text } = this.#token;
    if (kind === 'word' || kind === 'number' || kind === 'letters') return true;
    if (kind === 'keyword') return text === 'default';
    if (kind !== 'symbol') return false;
    return text === '&' ? first || !this.#followsBlank() : text !== ';' && text !== ':::';
  }

  #followsBlank(): boolean {
    return /\s/.test(this.#text[this.#token.start - 1] ?? '');
  }

  #parseShape(): { shape: NodeShape; label: LabelSyntax } | undefined {
    const opening = this.#token;
    if (opening.kind !== 'open') return undefined;
    this.#advance();
    if (opening.text === '[|') return this.#parseLabelWithProperties(opening);
    if (opening.text === '[/' || opening.text === '[\\') return this.#parseSlanted(opening);
    if (opening.text === '(-') {
      const label = this.#parseLabel(opening, '-)');
      this.#expect('close', 'expected "-)"');
      return { shape: 'ellipse', label };
    }
    const doubled = (opening.text === '(' || opening.text === '{') && this.#atOpen(opening.text);
    if (doubled) {
      this.#advance();
      const close = opening.text === '(' ? ')' : '}';
      const label = this.#parseLabel(opening, close + close);
      this.#expectClose(close, opening);
      this.#expectClose(close, opening);
      return { shape: opening.text === '(' ? 'circle' : 'hexagon', label };
    }
    const [close, shape] = simpleShapes.get(opening.text) ?? [']', 'square'];
    const label = this.#parseLabel(opening, close);
    this.#expectClose(close, opening);
    return { shape, label };
  }

  #parseSlanted(opening: Token): { shape: NodeShape; label: LabelSyntax } {
    const label = this.#parseLabel(opening, '/] or \\]');
    const leansBack = this.#expect('close', 'expected "/]" or "\\]"').text === '/]';
    if (opening.text === '[/') return { shape: leansBack ? 'lean_right' : 'trapezoid', label };
    return { shape: leansBack ? 'inv_trapezoid' : 'lean_left', label };
  }

  #parseLabelWithProperties(opening: Token): { shape: NodeShape; label: LabelSyntax } {
    this.#expect('word', 'expected a property name after "[|"');
    this.#expectSymbol(':', 'expected ":" after the property name');
    this.#expect('word', 'expected a property value');
    this.#expect('pipe', 'expected "|" after the property');
    const label = this.#parseLabel(opening, ']');
    this.#expectClose(']', opening);
    return { shape: 'rect', label };
  }

  /** A quoted or markdown string or plain text; `close` only names what should come next. */
  #parseLabel(opening: Token, close: string): LabelSyntax {
    const first = this.#token;
    const form = first.kind === 'string' ? 'quoted' : first.kind === 'markdown' ? 'markdown' : 'plain';
    let text = '';
    let parts = 0;
    while (this.#at('text') || (this.#isString() && (parts === 0 || this.#token.text === ''))) {
      if (this.#token.text !== '') parts++;
      text += this.#token.text;
      this.#advance();
    }
    if (parts === 0) this.#explainLabel(opening, close);
    const range = this.#originRange(trimmedRange(first, text, form));
    return { form, text: decodeEntities(text.trim()), range };
  }

  #isString(): boolean {
    return this.#at('string') || this.#at('markdown');
  }

  #explainLabel(opening: Token, close: string): never {
    if (this.#at('endOfText'))
      throw new SyntaxFailure(opening.start, `"${opening.text}" is never closed with "${close}"`);
    if (this.#at('close') || this.#at('pipe') || this.#at('link')) throw this.#failure('the label is empty');
    throw this.#unexpected(`expected a label; text with brackets or quotes must stand in "quotes"`);
  }

  #parseAttributes(): AttributesSyntax {
    const token = this.#expect('attributes', 'expected "@{"');
    const body = token.text.slice(2, -1).replace(/"[^"]*"/g, (quoted) => quoted.replace(/\n\s*/g, '<br/>'));
    let values: unknown;
    try {
      values = parseYaml(body.includes('\n') ? body : `{\n${body}\n}`, { schema: 'core', maxAliasCount: 0 });
    } catch {
      throw new SyntaxFailure(token.start, 'the attributes in "@{ }" are not valid YAML');
    }
    if (values !== null && (typeof values !== 'object' || Array.isArray(values))) {
      throw new SyntaxFailure(token.start, 'the attributes in "@{ }" must be name: value pairs');
    }
    const record = { ...(values as Record<string, unknown> | null) };
    const shape = record['shape'];
    if (shape && (typeof shape !== 'string' || shortShapeName(shape) === undefined)) {
      const suggestion = typeof shape === 'string' ? nearest(shape, allShapeNames()) : undefined;
      const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
      throw new SyntaxFailure(token.start, `there is no shape "${String(shape)}"${hint}`);
    }
    return { values: record, range: this.#originRange(token) };
  }

  #parseLink(): LinkSyntax {
    const start = this.#token.start + leadingBlanks(this.#token.text);
    const id = this.#accept('linkId')?.text.slice(0, -1);
    const first = this.#token;
    let label: LabelSyntax | undefined;
    let written: { line: string; opening?: string };
    if (this.#accept('linkStart')) {
      label = this.#parseLabel(first, '-->');
      const closing = this.#expectEdgeEnd(first);
      written = { line: closing.text.trim(), opening: first.text.trim() };
    } else {
      written = { line: this.#expect('link', 'expected an arrow such as -->').text.trim() };
      label = this.#parseBarLabel();
    }
    return {
      ...linkOf(written.line, written.opening),
      ...(id === undefined ? {} : { id }),
      ...(label && label.text !== '' ? { label } : {}),
      range: this.#rangeFrom(start),
    };
  }

  #parseBarLabel(): LabelSyntax | undefined {
    const bar = this.#token;
    if (!this.#accept('pipe')) return undefined;
    const label = this.#parseLabel(bar, '|');
    if (!this.#accept('pipe')) throw this.#badLabelEnd(bar, '|');
    this.#accept('space');
    return label;
  }

  #expectEdgeEnd(opening: Token): Token {
    const token = this.#token;
    if (token.kind === 'link') {
      this.#advance();
      return token;
    }
    throw this.#badLabelEnd(opening, '-->');
  }

  #parseSubgraph(depth: number): SubgraphSyntax {
    const start = this.#token.start;
    this.#advance();
    this.#expect('space', 'a subgraph needs an id or a title');
    const { name, quoted } = this.#parseSubgraphName();
    const bracket = this.#token;
    let title = name;
    let id: string | undefined = /\s/.test(name.trim()) || (quoted && /\s/.test(name)) ? undefined : name.trim();
    if (this.#atOpen('[')) {
      this.#advance();
      title = this.#parseLabel(bracket, ']').text;
      this.#expectClose(']', bracket);
      id = name.trim();
    }
    this.#expectSeparator();
    const body = this.#parseStatements(depth + 1);
    if (!this.#atKeyword('end')) throw new SyntaxFailure(start, `this subgraph is never closed with "end"`);
    this.#advance();
    return { kind: 'subgraph', id, title: decodeEntities(title.trim()), body, range: this.#rangeFrom(start) };
  }

  #parseSubgraphName(): { name: string; quoted: boolean } {
    const first = this.#token;
    if (first.kind === 'string' || first.kind === 'markdown') {
      this.#advance();
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
      const { kind, text } = this.#token;
      const isSymbol = kind === 'symbol' && [':', '&', '*', '#', '-'].includes(text);
      const isKeyword = kind === 'keyword' && text !== 'default' && text !== 'interpolate';
      if (!allowed.includes(kind) && !isSymbol && !isKeyword) break;
      name += text;
      this.#advance();
    }
    if (name.trim() === '') throw this.#unexpected('a subgraph needs an id or a title');
    return { name, quoted: false };
  }

  #parseDecoration(kind: 'style' | 'linkStyle' | 'classDef' | 'class'): DecorationSyntax {
    const start = this.#token.start;
    this.#advance();
    this.#expect('space', `expected a blank after "${kind}"`);
    const target = this.#parseId(kind === 'linkStyle' ? 'edge numbers or "default"' : 'an id');
    this.#expect('space', `expected more after "${kind} ${target}"`);
    if (kind === 'class') this.#parseId('a class name');
    else if (kind === 'linkStyle' && this.#atKeyword('interpolate')) this.#parseInterpolation();
    else this.#parseStyles();
    const range = this.#rangeFrom(start);
    this.#expectSeparator();
    return { kind, ids: kind === 'classDef' ? [] : target.split(','), range };
  }

  #parseInterpolation(): void {
    this.#advance();
    this.#expect('space', 'expected a curve name after "interpolate"');
    this.#parseId('a curve name');
    if (this.#accept('space')) this.#parseStyles();
  }

  #parseStyles(): void {
    let parts = 0;
    for (;;) {
      const { kind, text } = this.#token;
      const isSymbol = kind === 'symbol' && [':', ',', '#'].includes(text);
      if (!isSymbol && kind !== 'number' && kind !== 'word' && kind !== 'space' && !this.#atKeyword('style')) break;
      parts++;
      this.#advance();
    }
    if (parts === 0) throw this.#unexpected('expected styles such as fill:#f9f');
  }

  #parseClick(): DecorationSyntax {
    const start = this.#token.start;
    const id = this.#token.text.replace(/^click\s+/, '').trim();
    this.#advance();
    let isLink = true;
    if (this.#accept('href')) this.#expect('string', 'expected a "link"');
    else if (!this.#accept('string')) {
      isLink = false;
      if (!this.#accept('callback')) this.#parseId('a callback, href or link');
    }
    const followed = this.#accept('space');
    if (followed && this.#accept('string')) {
      if (isLink && this.#accept('space')) this.#expect('linkTarget', 'expected _self, _blank, _parent or _top');
    } else if (followed && !(isLink && this.#accept('linkTarget'))) throw this.#unexpected('expected a "tooltip"');
    const range = this.#rangeFrom(start);
    this.#expectSeparator();
    return { kind: 'click', ids: id.split(','), range };
  }

  #advance(): void {
    this.#lastEnd = this.#token.end;
    this.#token = this.#lexer.next();
  }

  #at(kind: TokenKind): boolean {
    return this.#token.kind === kind;
  }

  #atSymbol(text: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === text;
  }

  #atOpen(text: string): boolean {
    return this.#token.kind === 'open' && this.#token.text === text;
  }

  #atKeyword(text: string): boolean {
    return this.#token.kind === 'keyword' && this.#token.text.trim() === text;
  }

  #isSeparator(): boolean {
    return this.#at('newline') || this.#at('endOfText') || this.#atSymbol(';');
  }

  #accept(kind: TokenKind): Token | undefined {
    const token = this.#token;
    if (token.kind !== kind) return undefined;
    this.#advance();
    return token;
  }

  #acceptSymbol(text: string): boolean {
    if (!this.#atSymbol(text)) return false;
    this.#advance();
    return true;
  }

  #expect(kind: TokenKind, message: string): Token {
    const token = this.#accept(kind);
    if (!token) throw this.#unexpected(message);
    return token;
  }

  #expectSymbol(text: string, message: string): void {
    if (!this.#acceptSymbol(text)) throw this.#unexpected(message);
  }

  #expectClose(text: string, opening: Token): void {
    if (this.#at('close') && this.#token.text === text) return this.#advance();
    throw this.#badLabelEnd(opening, text);
  }

  #expectSeparator(): void {
    if (this.#at('endOfText')) return;
    if (this.#isSeparator()) return this.#advance();
    if (this.#at('open')) throw this.#failure(`"${this.#token.text}" must follow the node id without a blank`);
    if (this.#text.startsWith('%%', this.#token.start))
      throw this.#failure('a comment must stand on a line of its own');
    throw this.#unexpected('expected an arrow or the end of the line');
  }

  #badLabelEnd(opening: Token, close: string): SyntaxFailure {
    if (this.#at('endOfText'))
      return new SyntaxFailure(opening.start, `"${opening.text.trim()}" is never closed with "${close}"`);
    return this.#unexpected(`expected "${close}"; text with brackets or quotes must stand in "quotes"`);
  }

  #failure(message: string): SyntaxFailure {
    return new SyntaxFailure(this.#token.start, message);
  }

  #unexpected(message: string): SyntaxFailure {
    const { kind, text, start } = this.#token;
    const at = start + leadingBlanks(text);
    if (kind === 'endOfText')
      return new SyntaxFailure(this.#text.trimEnd().length, `${message}, but the flowchart ends here`);
    if (kind === 'newline') return new SyntaxFailure(start, `${message}, but the line ends here`);
    return new SyntaxFailure(at, `${message}, but found "${shorten(text.trim() || text)}"`);
  }

  #report(error: unknown): void {
    if (!(error instanceof SyntaxFailure)) throw error;
    const offset = this.#prepared.originOf(Math.min(error.position, this.#prepared.text.length));
    this.#problems.push({ offset, message: error.message });
  }

  /** Goes on behind the line where the broken statement began, or where it failed if that is further. */
  #skipLine(start: number): void {
    const lineEnd = this.#text.indexOf('\n', start);
    this.#lexer.restart(lineEnd < 0 ? this.#text.length : lineEnd + 1);
    this.#advance();
  }

  #rangeFrom(start: number): Range {
    return this.#originRange({ start, end: Math.max(start, this.#lastEnd) });
  }

  /** Without the blanks that tokens carry at their end. */
  #originRange({ start, end }: Range): Range {
    let last = end;
    while (last > start && /\s/.test(this.#text[last - 1] ?? '')) last--;
    const origin = this.#prepared.originOf(start);
    return { start: origin, end: last === start ? origin : this.#prepared.originOf(last - 1) + 1 };
  }
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

function leadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}

function shorten(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 20 ? `${line.slice(0, 20)}…` : line;
}
