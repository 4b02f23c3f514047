export interface Token {
  /** Lower case. */
  readonly text: string;
  readonly kind: 'word' | 'number' | 'mark';
  readonly start: number;
  readonly end: number;
}

const pattern = /(?<word>\p{L}+(?:['’]\p{L}+)*)|(?<number>\d+)|(?<mark>[^\s])/gu;

export function tokenize(text: string): Token[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    text: match[0].toLowerCase().replaceAll('’', "'"),
    kind: match.groups?.['word'] ? 'word' : match.groups?.['number'] ? 'number' : 'mark',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Walks over tokens. A rule that fails puts the cursor back where it was. */
export class Cursor {
  readonly source: string;
  readonly tokens: readonly Token[];
  index: number;

  constructor(source: string, tokens: readonly Token[] = tokenize(source), index = 0) {
    this.source = source;
    this.tokens = tokens;
    this.index = index;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.index + ahead];
  }

  get atEnd(): boolean {
    return this.index >= this.tokens.length;
  }

  /** Whether nothing, not even a space, lies before the current token. */
  get isGlued(): boolean {
    const before = this.tokens[this.index - 1];
    return before !== undefined && before.end === this.peek()?.start;
  }

  /** Takes the next token if it is one of these. */
  take(...texts: readonly string[]): string | undefined {
    const token = this.peek();
    if (!token || !texts.includes(token.text)) return undefined;
    this.index++;
    return token.text;
  }

  /** Takes a whole sequence such as `day after tomorrow`, or nothing. */
  takeWords(sequence: string): boolean {
    const first = this.peek();
    if (!first || !sequence.startsWith(first.text)) return false;
    const words = sequence.split(' ');
    if (!words.every((word, offset) => this.peek(offset)?.text === word)) return false;
    this.index += words.length;
    return true;
  }

  /** Takes the next token if the table knows it. */
  lookUp<T>(table: ReadonlyMap<string, T>): T | undefined {
    const token = this.peek();
    const found = token && table.get(token.text);
    if (found !== undefined) this.index++;
    return found;
  }

  /** Takes a run of digits of a given length. */
  takeNumber(minimum = 1, maximum = 4): number | undefined {
    const token = this.peek();
    if (token?.kind !== 'number' || token.text.length < minimum || token.text.length > maximum) return undefined;
    this.index++;
    return Number(token.text);
  }

  /** Takes the source text a sticky pattern matches from here on, if the match ends with a token. */
  takePattern(pattern: RegExp): string | undefined {
    const token = this.peek();
    if (!token) return undefined;
    pattern.lastIndex = token.start;
    const found = pattern.exec(this.source)?.[0];
    if (!found) return undefined;
    const end = token.start + found.length;
    const last = this.tokens.findIndex((candidate, index) => index >= this.index && candidate.end === end);
    if (last === -1) return undefined;
    this.index = last + 1;
    return found;
  }

  /** Runs a rule; when it finds nothing, it has taken nothing. */
  attempt<T>(rule: (cursor: Cursor) => T | undefined): T | undefined {
    const start = this.index;
    const result = rule(this);
    if (result === undefined) this.index = start;
    return result;
  }

  /** The first rule that finds something. */
  firstOf<T>(...rules: readonly ((cursor: Cursor) => T | undefined)[]): T | undefined {
    for (const rule of rules) {
      const result = this.attempt(rule);
      if (result !== undefined) return result;
    }
    return undefined;
  }
}
