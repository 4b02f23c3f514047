import jsonata from 'jsonata';
import { boundedRegExp } from './bounded-regexp.ts';
import { ExpressionError } from './expression-error.ts';
import { compileFast, type FastExpression, unusual } from './fast-path.ts';
import { type NativeFunctions, registerFunctions, scopeVariable, takeNativeFunctions } from './jsonata-functions.ts';
import type { MaybePromise } from './maybe-promise.ts';
import { PayloadTooLargeError, toPlain } from './plain.ts';
import type { ExpressionScope } from './scope.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import { takeTurn } from './turn.ts';

export interface ExpressionLimits {
  readonly timeoutMs: number;
  /** Evaluations open at the same time, one within or beside the other. */
  readonly depth: number;
  /** The most items of one sequence. */
  readonly sequence: number;
  /** The longest result, as JSON. */
  readonly resultLength: number;
}

export const defaultExpressionLimits: ExpressionLimits = {
  timeoutMs: 1000,
  depth: 20_000,
  sequence: 1_000_000,
  resultLength: 64 * 1024 * 1024,
};

/** A JSONata expression, compiled. It always ends: time, depth and size are bounded. */
export interface Expression {
  readonly text: string;
  readonly tree: SyntaxNode;
  /**
   * The value as plain JSON data, or undefined. The input is the scope's context unless another is given.
   * @throws ExpressionError
   */
  evaluate(scope: ExpressionScope, input?: unknown): MaybePromise<unknown>;
}

const cache = new Map<string, Expression>();
const cacheSize = 5000;

/** Compiles an expression, or takes it from the cache. @throws ExpressionError on a syntax error. */
export function compileExpression(text: string, limits: ExpressionLimits = defaultExpressionLimits): Expression {
  const key = `${limits.timeoutMs} ${text}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const expression = compile(text, limits);
  if (cache.size >= cacheSize) cache.delete(cache.keys().next().value as string);
  cache.set(key, expression);
  return expression;
}

let natives: NativeFunctions | undefined;

function compile(text: string, limits: ExpressionLimits): Expression {
  let compiled: jsonata.Expression;
  try {
    compiled = jsonata(text, {
      timeout: limits.timeoutMs,
      stack: limits.depth,
      sequence: limits.sequence,
      RegexEngine: boundedRegExp(limits.timeoutMs),
    });
  } catch (error) {
    throw new ExpressionError('syntax', text, error);
  }
  const tree = compiled.ast() as unknown as SyntaxNode;
  const fast = compileFast(tree);
  let isPrepared = false;

  async function evaluateFully(scope: ExpressionScope, input: unknown): Promise<unknown> {
    natives ??= await takeNativeFunctions(jsonata);
    if (!isPrepared) registerFunctions(compiled, limits.timeoutMs, natives);
    isPrepared = true;
    const bindings = { [scopeVariable]: scope, constants: scope.constants };
    try {
      return toPlain(await takeTurn(() => compiled.evaluate(input, bindings)), limits.resultLength);
    } catch (error) {
      if (error instanceof PayloadTooLargeError) throw error;
      throw new ExpressionError('evaluation', text, error);
    }
  }

  function evaluateFast(fast: FastExpression, scope: ExpressionScope, input: unknown): MaybePromise<unknown> {
    try {
      const value = fast(scope, input);
      return typeof value === 'object' && value !== null ? toPlain(value, limits.resultLength) : value;
    } catch (error) {
      if (error === unusual) return evaluateFully(scope, input);
      throw error;
    }
  }

  return {
    text,
    tree,
    evaluate(scope, input = scope.context) {
      return fast ? evaluateFast(fast, scope, input) : evaluateFully(scope, input);
    },
  };
}
