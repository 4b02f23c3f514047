import { createContext, Script } from 'node:vm';
import { ToolError } from '../../kit/index.ts';
import { invalidAttribute } from '../edit/rules.ts';

export interface Pattern {
  readonly query: string;
  readonly regex?: boolean | null | undefined;
  readonly case_sensitive?: boolean | null | undefined;
  readonly whole_word?: boolean | null | undefined;
}

export interface Match {
  readonly start: number;
  readonly end: number;
}

const timeLimitMs = 2000;
const maxMatchesPerText = 1000;

/** Turns what a caller looks for into a regular expression. */
function compile({ query, regex, case_sensitive: caseSensitive, whole_word: wholeWord }: Pattern): RegExp {
  if (query === '') throw invalidAttribute('query must be non-empty', { attribute: 'query' });
  const body = regex ? query : query.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const bounded = wholeWord ? String.raw`(?<![\p{L}\p{N}_])(?:${body})(?![\p{L}\p{N}_])` : body;
  try {
    return new RegExp(bounded, caseSensitive ? 'gu' : 'giu');
  } catch (error) {
    throw invalidAttribute(`query is not a regular expression: ${(error as Error).message}`, { attribute: 'query' });
  }
}

/** Where the pattern occurs in each text. */
export function findMatches(pattern: Pattern, texts: readonly string[]): Match[][] {
  const expression = compile(pattern);
  return guarded(
    `texts.map((text) => {
    const found = [];
    for (const match of text.matchAll(expression)) {
      if (match[0].length > 0) found.push({ start: match.index, end: match.index + match[0].length });
      if (found.length >= ${maxMatchesPerText}) break;
    }
    return found;
  })`,
    { texts, expression },
  ) as Match[][];
}

/** Each text with every occurrence replaced; `$1` and the like only mean something in a regular expression. */
export function replaceMatches(pattern: Pattern, replacement: string, texts: readonly string[]): string[] {
  const expression = compile(pattern);
  const literal = pattern.regex ? replacement : replacement.replaceAll('$', '$$$$');
  return guarded('texts.map((text) => text.replace(expression, replacement))', {
    texts,
    expression,
    replacement: literal,
  }) as string[];
}

/** A hostile expression can take forever, so it runs where a timer can stop it. */
function guarded(code: string, sandbox: object): unknown {
  try {
    return new Script(code).runInContext(createContext(sandbox), { timeout: timeLimitMs });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ToolError('TIMEOUT', 'The search took too long; use a simpler expression', { limit_ms: timeLimitMs });
  }
}
