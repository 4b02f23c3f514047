import { nearest } from '../../kit/nearest.ts';
import { lookUpPath } from './data-path.ts';
import { type ExpressionLimits, compileExpression, defaultExpressionLimits } from './jsonata.ts';
import { iterators, operators, type RuleFrame, type RulePart, truthy } from './json-logic-operators.ts';
import { after, all, type MaybePromise } from './maybe-promise.ts';
import type { ExpressionScope } from './scope.ts';

/** A rule that could not be read. `path` leads to the place inside the rule. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly path: readonly (string | number)[];
  /** Characters into the `var` expression at `path`, where it is about one. */
  readonly offset: number | undefined;

  constructor(message: string, path: readonly (string | number)[], offset?: number) {
    super(message);
    this.path = path;
    this.offset = offset;
  }
}

export interface Rule {
  /** What the rule gives; data that comes out of `var` is never read as a rule. */
  value(scope: ExpressionScope): MaybePromise<unknown>;
  /** Whether the rule holds, by JSON Logic's truth: `[]`, `""`, 0, null and false do not. */
  holds(scope: ExpressionScope): MaybePromise<boolean>;
}

/** Compiles a JSON Logic rule. @throws RuleError */
export function compileRule(rule: unknown, limits: ExpressionLimits = defaultExpressionLimits): Rule {
  const part = compilePart(rule, [], limits);
  const value = (scope: ExpressionScope) => part({ scope, data: scope.context });
  return { value, holds: (scope) => after(value(scope), truthy) };
}

type Path = readonly (string | number)[];

function compilePart(rule: unknown, path: Path, limits: ExpressionLimits): RulePart {
  if (Array.isArray(rule)) {
    const parts = rule.map((item, index) => compilePart(item, [...path, index], limits));
    return (frame) => all(parts.map((part) => part(frame)));
  }
  if (typeof rule !== 'object' || rule === null) return () => rule;
  const entries = Object.entries(rule);
  const [entry] = entries;
  if (!entry || entries.length > 1) return () => rule;
  const [operator, operands] = entry;
  const inner = [...path, operator];
  if (operator === 'var') return compileVar(operands, inner, limits);
  const list: unknown[] = Array.isArray(operands) ? operands : [operands];
  const place = (index: number) => (Array.isArray(operands) ? [...inner, index] : inner);
  const parts = list.map((item, index) => compilePart(item, place(index), limits));
  return compileOperation(operator, parts, inner);
}

function compileOperation(operator: string, parts: readonly RulePart[], path: Path): RulePart {
  if (operator === 'if' || operator === '?:') return conditional(parts);
  if (operator === 'and') return firstOf(parts, (value) => !truthy(value));
  if (operator === 'or') return firstOf(parts, truthy);
  if (operator === 'missing') return missing(parts);
  if (operator === 'missing_some') return missingSome(parts);
  const iterate = Object.hasOwn(iterators, operator) ? iterators[operator] : undefined;
  if (iterate) return iterate(parts);
  const operate = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (operate) return (frame) => after(all(parts.map((part) => part(frame))), operate);
  const suggestion = nearest(operator, allOperators);
  throw new RuleError(
    `Unknown JSON Logic operator "${operator}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`,
    path,
  );
}

const allOperators = [
  'var',
  'if',
  'and',
  'or',
  'missing',
  'missing_some',
  ...Object.keys(operators),
  ...Object.keys(iterators),
];

/** Names such as `a.0.b` and `1`, which JSONata would read as numbers. */
const hasIndexStep = /^[^.\s]*(?:\.[^.\s]*)*$/;

function compileVar(operands: unknown, path: Path, limits: ExpressionLimits): RulePart {
  const [name, fallback = null] = Array.isArray(operands) ? operands : [operands];
  const otherwise = compilePart(fallback, [...path, 1], limits);
  const orElse = (frame: RuleFrame) => (value: unknown) => value ?? otherwise(frame);
  const namePath = Array.isArray(operands) ? [...path, 0] : path;
  if (name === '' || name === null || name === undefined) {
    return (frame) => (frame.data === frame.scope.context ? { ...frame.scope.context } : frame.data);
  }
  if (typeof name === 'number') return (frame) => orElse(frame)(lookUpPath(frame.data, String(name)));
  if (typeof name !== 'string') {
    const computed = compilePart(name, namePath, limits);
    return (frame) => after(computed(frame), (key) => orElse(frame)(lookUpPath(frame.data, String(key))));
  }
  if (hasIndexStep.test(name) && name.split('.').some((step) => /^\d+$/.test(step))) {
    return (frame) => orElse(frame)(lookUpPath(frame.data, name));
  }
  const expression = compileVarExpression(name, namePath, limits);
  return (frame) => after(expression.evaluate(frame.scope, frame.data), orElse(frame));
}

function compileVarExpression(name: string, path: Path, limits: ExpressionLimits) {
  try {
    return compileExpression(name, limits);
  } catch (error) {
    const { reason, offset } = error as { reason: string; offset?: number };
    throw new RuleError(`Invalid JSONata in JSON Logic var "${name}": ${reason}`, path, offset);
  }
}

function conditional(parts: readonly RulePart[]): RulePart {
  return function choose(frame: RuleFrame, from = 0): MaybePromise<unknown> {
    const condition = parts[from];
    const consequence = parts[from + 1];
    if (!condition) return null;
    if (!consequence) return condition(frame);
    return after(condition(frame), (value) => (truthy(value) ? consequence(frame) : choose(frame, from + 2)));
  } as RulePart;
}

/** The first value that decides, else the last one. */
function firstOf(parts: readonly RulePart[], decides: (value: unknown) => boolean): RulePart {
  return function next(frame: RuleFrame, from = 0): MaybePromise<unknown> {
    const part = parts[from];
    if (!part) return null;
    if (from === parts.length - 1) return part(frame);
    return after(part(frame), (value) => (decides(value) ? value : next(frame, from + 1)));
  } as RulePart;
}

function missing(parts: readonly RulePart[]): RulePart {
  return (frame) => after(all(parts.map((part) => part(frame))), (names) => missingOf(frame.data, names.flat()));
}

function missingSome(parts: readonly RulePart[]): RulePart {
  return (frame) =>
    after(all(parts.map((part) => part(frame))), ([needed, names]) => {
      const wanted = Array.isArray(names) ? names : [names];
      const absent = missingOf(frame.data, wanted);
      return wanted.length - absent.length >= Number(needed) ? [] : absent;
    });
}

function missingOf(data: unknown, names: readonly unknown[]): unknown[] {
  return names.filter((name) => {
    const value = lookUpPath(data, String(name));
    return value === undefined || value === null || value === '';
  });
}
