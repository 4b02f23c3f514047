import type { Range } from './syntax.ts';

export type TokenKind =
  | 'header'
  | 'direction'
  | 'noDirection'
  | 'directionStatement'
  | 'keyword'
  | 'click'
  | 'href'
  | 'callback'
  | 'linkTarget'
  | 'linkId'
  | 'number'
  | 'word'
  | 'letters'
  | 'symbol'
  | 'link'
  | 'linkStart'
  | 'text'
  | 'string'
  | 'markdown'
  | 'attributes'
  | 'open'
  | 'close'
  | 'pipe'
  | 'accessibility'
  | 'space'
  | 'newline'
  | 'endOfText'
  | 'invalid';

export interface Token extends Range {
  readonly kind: TokenKind;
  /** For strings without their quotes, otherwise as written. */
  readonly text: string;
}

/** What the scanner is inside of. Brackets and half-open arrows nest, and each has its own rules. */
type Mode = 'statement' | 'direction' | 'label' | 'slantedLabel' | 'ellipseLabel' | keyof typeof edgeLabels;

const patterns = {
  accessibility: /(?:accTitle|accDescr)\s*:\s*[^\n]*|accDescr\s*\{[^}]*\}?/y,
  attributes: /@\{(?:[^}^"]|"[^"]*")*\}/y,
  callback: /call\s+[^(]*(?:\([^)]*\)?)?/y,
  click: /click\s+[^\s"]\S*\s?/y,
  href: /href\s/y,
  header: /(?:flowchart-elk|flowchart|graph)\b/y,
  firstHeader: /(?:flowchart-elk|flowchart|graph|swimlane-beta)\b/y,
  keyword: /(?:style|default|linkStyle|interpolate|classDef|class|subgraph)\b|end\b\s*/y,
  linkTarget: /_(?:self|blank|parent|top)\b/y,
  directionStatement: /.*direction\s+(?:TB|BT|RL|LR)[^\n]*/y,
  linkId: /[^\s"]+@(?=[^{"])/y,
  number: /[0-9]+/y,
  symbol: /:::|[:&;,*]|#(?!\w+;)/y,
  link: /\s*[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?)\s*/y,
  solidStart: /\s*[xo<]?--\s*/y,
  thickStart: /\s*[xo<]?==\s*/y,
  dottedStart: /\s*[xo<]?-\.\s*/y,
  invisibleLink: /\s*~~~+\s*/y,
  down: /v\b/y,
  word: /(?:[A-Za-z0-9!"$%&'*+.`?\\_/]|#(?!\w+;)|-(?=[^>\-.]))+/y,
  letters: /\p{L}/uy,
  newline: /\n+/y,
  space: /\s/y,
  directionValue: /\s*(?:(?:LR|RL|TB|BT|TD|BR|v)\b|[<>^])/y,
  noDirection: /\n*\s*\n/y,
  string: /"[^"]*"(?!`)/y,
  markdown: /"`[^`"]*`"/y,
  opening: /\(\(\(|\(-|\(\[|\[\[|\[\(|\[\/|\[\\|[([{]/y,
  closing: /\]\)|\]\]|\)\]|\)\)\)|[)\]}]/y,
  label: /[^[\](){}|"]+/y,
  slantedClose: /[\\(?=\])]\]|\/\]/y,
  slantedLabel: /[^\\/[\](){}]+|[\\/](?!\])/y,
  ellipseClose: /[-/)]\)/y,
  ellipseLabel: /[^()[\]{}]/y,
} as const;

/** Inside `-- text -->`: what ends the label, and what may stand in it. A run skips what can end nothing. */
const edgeLabels = {
  solid: { close: /\s*[xo<]?--+[-xo>]\s*/y, text: /[^-\s"xo<]+|[^-"]|-(?!-)/y },
  thick: { close: /\s*[xo<]?==+[=xo>]\s*/y, text: /[^=\s"xo<]+|[^="]/y },
  dotted: { close: /\s*[xo<]?-?\.+-[xo>]?\s*/y, text: /[^-.\s"xo<]+|[^."]/y },
} as const;

/** What is tried at a place follows from its first character, so that most places need one pattern only. */
const linkStarts = new Set('-=.xo< \t\n');
const nestedStarts = new Set('~()[]{}|> \t\n');
const blanks = new Set(' \t\n\r\f\v\u00a0\ufeff');
const labelBreaks = new Set('"~()[]{}| \t\n');
/** Begin an ordinary word and nothing else. */
const wordStarts = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZbjkmnpqrtuwyz!$%'+?/`");

/**
 * Cuts prepared flowchart text into tokens. Which rules apply depends only on what is open at that
 * point, never on the parser; their order decides where two could match. Both are as in mermaid's own
 * scanner, so that the same text has the same meaning here and in a drawn diagram.
 */
export class Lexer {
  readonly #text: string;
  readonly #mayHaveDirections: boolean;
  readonly #mayHaveLinkIds: boolean;
  #position = 0;
  #modes: Mode[] = ['statement'];
  #sawHeader = false;
  /** Where the blanks end that the position is among; found once for each run of them. */
  #blanksEnd = 0;

  constructor(text: string) {
    this.#text = text;
    this.#mayHaveDirections = text.includes('direction');
    this.#mayHaveLinkIds = text.includes('@');
  }

  /** Forgets everything that is open and goes on at `position`: how the parser recovers from an error. */
  restart(position: number): void {
    this.#position = position;
    this.#blanksEnd = 0;
    this.#modes = ['statement'];
  }

  next(): Token {
    const start = this.#position;
    if (start >= this.#text.length) return { kind: 'endOfText', text: '', start, end: start };
    return this.#scan() ?? this.#invalid();
  }

  #scan(): Token | undefined {
    const mode = this.#modes.at(-1) ?? 'statement';
    switch (mode) {
      case 'statement':
        return this.#scanStatement();
      case 'direction':
        return this.#scanDirection();
      case 'label':
        if (!labelBreaks.has(this.#text[this.#position] ?? '')) return this.#take('text', patterns.label);
        return this.#scanQuoted() ?? this.#scanNested(patterns.closing) ?? this.#take('text', patterns.label);
      case 'slantedLabel':
        return this.#scanNestedLabel(patterns.slantedClose, patterns.slantedLabel);
      case 'ellipseLabel':
        return this.#scanNestedLabel(patterns.ellipseClose, patterns.ellipseLabel);
      default:
        return this.#scanEdgeLabel(mode);
    }
  }

  #scanStatement(): Token | undefined {
    if (!this.#sawHeader) {
      const header = this.#take('header', patterns.firstHeader);
      if (header) {
        this.#sawHeader = true;
        this.#modes.push('direction');
        return header;
      }
    }
    const first = this.#text[this.#position] ?? '';
    if (!this.#mayHaveDirections && !this.#mayHaveLinkIds) {
      if (wordStarts.has(first)) return this.#take('word', patterns.word);
      if (isBlank(first) && !this.#linkFollows()) return this.#scanBlank(first);
    }
    return (
      this.#scanByFirstLetter(first) ??
      (first === '_' ? this.#take('linkTarget', patterns.linkTarget) : undefined) ??
      (this.#mayHaveDirections ? this.#take('directionStatement', patterns.directionStatement) : undefined) ??
      (this.#mayHaveLinkIds ? this.#take('linkId', patterns.linkId) : undefined) ??
      this.#take('number', patterns.number) ??
      this.#take('symbol', patterns.symbol) ??
      this.#scanLink(first) ??
      (nestedStarts.has(first) ? this.#scanNested() : undefined) ??
      this.#scanBlank(first) ??
      (first === 'v' ? this.#take('symbol', patterns.down) : undefined) ??
      this.#take('word', patterns.word) ??
      this.#literal('symbol', '-') ??
      this.#take('letters', patterns.letters)
    );
  }

  /** Whether an arrow comes next, which would take the blanks before it with it. */
  #linkFollows(): boolean {
    if (this.#blanksEnd <= this.#position) {
      this.#blanksEnd = this.#position;
      while (isBlank(this.#text[this.#blanksEnd])) this.#blanksEnd++;
    }
    const next = this.#text[this.#blanksEnd] ?? '';
    return next === '~' || linkStarts.has(next);
  }

  #scanBlank(first: string): Token | undefined {
    if (first === '\n') return this.#take('newline', patterns.newline);
    return first === ' ' ? this.#literal('space', ' ') : this.#take('space', patterns.space);
  }

  /** What is recognised by its first letters, before anything else is tried. */
  #scanByFirstLetter(first: string): Token | undefined {
    switch (first) {
      case 'a':
        return this.#take('accessibility', patterns.accessibility);
      case '@':
        return this.#take('attributes', patterns.attributes);
      case '"':
        return this.#scanQuoted();
      case 'c':
        return (
          this.#take('callback', patterns.callback) ??
          this.#take('keyword', patterns.keyword) ??
          this.#take('click', patterns.click)
        );
      case 'h':
        return this.#take('href', patterns.href);
      case 'd':
      case 'e':
      case 'i':
      case 'l':
      case 's':
        return this.#take('keyword', patterns.keyword);
      case 'f':
      case 'g':
        return this.#take('header', patterns.header);
      default:
        return undefined;
    }
  }

  #scanDirection(): Token | undefined {
    const token = this.#take('noDirection', patterns.noDirection) ?? this.#take('direction', patterns.directionValue);
    this.#modes.pop();
    return token;
  }

  #scanLink(first: string): Token | undefined {
    if (isBlank(first) && !this.#linkFollows()) return undefined;
    if (linkStarts.has(first)) {
      const link = this.#take('link', patterns.link);
      if (link) return link;
      const opened =
        this.#open('solid', this.#take('linkStart', patterns.solidStart)) ??
        this.#open('thick', this.#take('linkStart', patterns.thickStart)) ??
        this.#open('dotted', this.#take('linkStart', patterns.dottedStart));
      if (opened) return opened;
    }
    return nestedStarts.has(first) ? this.#take('link', patterns.invisibleLink) : undefined;
  }

  #scanEdgeLabel(mode: keyof typeof edgeLabels): Token | undefined {
    const { close, text } = edgeLabels[mode];
    return this.#scanQuoted() ?? this.#close(this.#take('link', close)) ?? this.#take('text', text);
  }

  #scanNestedLabel(close: RegExp, text: RegExp): Token | undefined {
    return (
      this.#scanQuoted() ??
      this.#take('link', patterns.invisibleLink) ??
      this.#close(this.#take('close', close)) ??
      this.#take('text', text) ??
      this.#scanNested()
    );
  }

  #scanQuoted(): Token | undefined {
    if (this.#text[this.#position] !== '"') return undefined;
    const isMarkdown = this.#text[this.#position + 1] === '`';
    const token = isMarkdown ? this.#take('markdown', patterns.markdown) : this.#take('string', patterns.string);
    if (!token) return undefined;
    const { kind, text, start, end } = token;
    const width = isMarkdown ? 2 : 1;
    return { kind, text: text.slice(width, -width), start, end };
  }

  /** Brackets and bars, which open a label wherever they stand; in a label, also what ends it. */
  #scanNested(closing?: RegExp): Token | undefined {
    const inLabel = this.#modes.at(-1) === 'label';
    if (!isBlank(this.#text[this.#position]) || this.#linkFollows()) {
      const invisible = this.#take('link', patterns.invisibleLink);
      if (invisible) return invisible;
    }
    if (closing) {
      const closed = this.#close(this.#take('close', closing));
      if (closed) return closed;
    }
    if (this.#modes.length === 1) {
      const withProperties = this.#literal('open', '[|');
      if (withProperties) return withProperties;
      const flag = this.#open('label', this.#literal('open', '>'));
      if (flag) return flag;
    }
    const bar = this.#literal('pipe', '|');
    if (bar) return inLabel ? this.#close(bar) : this.#open('label', bar);
    const opening = this.#take('open', patterns.opening);
    if (!opening) return undefined;
    if (opening.text === '[/' || opening.text === '[\\') return this.#open('slantedLabel', opening);
    return this.#open(opening.text === '(-' ? 'ellipseLabel' : 'label', opening);
  }

  #open(mode: Mode, token: Token | undefined): Token | undefined {
    if (token) this.#modes.push(mode);
    return token;
  }

  #close(token: Token | undefined): Token | undefined {
    if (token && this.#modes.length > 1) this.#modes.pop();
    return token;
  }

  #take(kind: TokenKind, pattern: RegExp): Token | undefined {
    const start = this.#position;
    pattern.lastIndex = start;
    if (!pattern.test(this.#text) || pattern.lastIndex === start) return undefined;
    const end = (this.#position = pattern.lastIndex);
    return { kind, text: this.#text.slice(start, end), start, end };
  }

  #literal(kind: TokenKind, text: string): Token | undefined {
    const start = this.#position;
    if (!this.#text.startsWith(text, start)) return undefined;
    const end = (this.#position = start + text.length);
    return { kind, text, start, end };
  }

  #invalid(): Token {
    const start = this.#position;
    const text = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
    this.#position = start + text.length;
    return { kind: 'invalid', text, start, end: this.#position };
  }
}

export function isBlank(char: string | undefined): boolean {
  return char !== undefined && blanks.has(char);
}
