import { isBlank, Lexer, type Token, type TokenKind } from './lexer.ts';
import { type PreparedText, prepareText } from './prepared-text.ts';
import type { Range, SyntaxCode, SyntaxProblem } from './syntax.ts';

/** Thrown where a statement cannot be read further; caught where reading can go on. */
export class SyntaxFailure extends Error {
  readonly position: number;
  readonly code: SyntaxCode;

  constructor(position: number, message: string, code: SyntaxCode = 'MERMAID_SYNTAX') {
    super(message);
    this.position = position;
    this.code = code;
  }
}

const mostProblems = 50;

/** The parser's place among the tokens: one token ahead, and the way back to positions of the source. */
export class Cursor {
  readonly problems: SyntaxProblem[] = [];
  /** So much is wrong that reading on would tell nobody anything. */
  isBeyondHope = false;
  readonly text: string;
  readonly #prepared: PreparedText;
  readonly #lexer: Lexer;
  token: Token;
  #lastEnd = 0;

  constructor(source: string) {
    this.#prepared = prepareText(source);
    this.text = `${this.#prepared.text}\n`;
    this.#lexer = new Lexer(this.text);
    this.token = this.#lexer.next();
  }

  advance(): void {
    this.#lastEnd = this.token.end;
    this.token = this.#lexer.next();
  }

  at(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  atSymbol(text: string): boolean {
    return this.token.kind === 'symbol' && this.token.text === text;
  }

  atOpen(text: string): boolean {
    return this.token.kind === 'open' && this.token.text === text;
  }

  atKeyword(text: string): boolean {
    return this.token.kind === 'keyword' && this.token.text.trim() === text;
  }

  isSeparator(): boolean {
    return this.at('newline') || this.at('endOfText') || this.atSymbol(';');
  }

  accept(kind: TokenKind): Token | undefined {
    const token = this.token;
    if (token.kind !== kind) return undefined;
    this.advance();
    return token;
  }

  acceptSymbol(text: string): boolean {
    if (!this.atSymbol(text)) return false;
    this.advance();
    return true;
  }

  expect(kind: TokenKind, message: string): Token {
    const token = this.accept(kind);
    if (!token) throw this.unexpected(message);
    return token;
  }

  expectSymbol(text: string, message: string): void {
    if (!this.acceptSymbol(text)) throw this.unexpected(message);
  }

  expectClose(text: string, opening: Token): void {
    if (this.at('close') && this.token.text === text) return this.advance();
    throw this.badLabelEnd(opening, text);
  }

  expectSeparator(): void {
    if (this.at('endOfText')) return;
    if (this.isSeparator()) return this.advance();
    if (this.at('open'))
      throw this.failure(`"${this.token.text}" must follow the node id without a blank`, 'BLANK_BEFORE_SHAPE');
    if (this.text.startsWith('%%', this.token.start))
      throw this.failure('a comment must stand on a line of its own', 'TRAILING_COMMENT');
    throw this.unexpected('expected an arrow or the end of the line');
  }

  badLabelEnd(opening: Token, close: string): SyntaxFailure {
    if (this.at('endOfText'))
      return new SyntaxFailure(opening.start, `"${opening.text.trim()}" is never closed with "${close}"`);
    return this.unexpected(`expected "${close}"; text with brackets or quotes must stand in "quotes"`);
  }

  failure(message: string, code?: SyntaxCode): SyntaxFailure {
    return new SyntaxFailure(this.token.start, message, code);
  }

  unexpected(message: string): SyntaxFailure {
    const { kind, start } = this.token;
    if (kind === 'endOfText') {
      return new SyntaxFailure(this.text.trimEnd().length, `${message}, but the flowchart ends here`);
    }
    if (kind === 'newline') return new SyntaxFailure(start, `${message}, but the line ends here`);
    const rest = this.text.slice(start, start + 200);
    const found = this.token.text.trim() || (/\S+/.exec(rest)?.[0] ?? '');
    return new SyntaxFailure(start + leadingBlanks(rest), `${message}, but found "${shorten(found)}"`);
  }

  report(error: unknown): void {
    if (!(error instanceof SyntaxFailure)) throw error;
    const offset = this.#prepared.originOf(Math.min(error.position, this.#prepared.text.length));
    // A broken statement of several lines is read again from its second line on.
    if (this.problems.some((problem) => problem.offset === offset)) return;
    this.isBeyondHope ||= this.problems.length >= mostProblems;
    this.problems.push({ code: error.code, offset, message: error.message });
  }

  /** Goes on behind the line where the broken statement began. */
  skipLine(start: number): void {
    const lineEnd = this.text.indexOf('\n', start);
    this.#lexer.restart(lineEnd < 0 || this.isBeyondHope ? this.text.length : lineEnd + 1);
    this.advance();
  }

  rangeFrom(start: number): Range {
    return this.originRange({ start, end: Math.max(start, this.#lastEnd) });
  }

  /** Without the blanks that tokens carry at their end. */
  originRange({ start, end }: Range): Range {
    let last = end;
    while (last > start && isBlank(this.text[last - 1])) last--;
    const origin = this.#prepared.originOf(start);
    return { start: origin, end: last === start ? origin : this.#prepared.originOf(last - 1) + 1 };
  }
}

export function leadingBlanks(text: string): number {
  return text.length - text.trimStart().length;
}

function shorten(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 20 ? `${line.slice(0, 20)}…` : line;
}
