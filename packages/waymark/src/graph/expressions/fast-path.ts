import type { ExpressionScope } from './scope.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/**
 * Most expressions in graphs are paths, literals, small objects and a little arithmetic. Those are
 * turned into closures here and run without JSONata's interpreter. A closure handles only the plain
 * case: whatever JSONata would treat specially (arrays in a path, mixed types, errors) throws
 * `unusual`, and the expression is evaluated again by JSONata itself.
 */
export type FastExpression = (scope: ExpressionScope, input: unknown) => unknown;

export const unusual = Symbol('unusual');

export function compileFast(tree: SyntaxNode): FastExpression | undefined {
  if (Object.hasOwn(tree, 'predicate') || Object.hasOwn(tree, 'group') || Object.hasOwn(tree, 'keepArray')) {
    return undefined;
  }
  switch (tree.type) {
    case 'string':
    case 'number':
    case 'value': {
      const { value } = tree;
      return () => value;
    }
    case 'path':
      return compilePath(tree);
    case 'variable':
      return compileVariable(tree);
    case 'unary':
      return compileUnary(tree);
    case 'binary':
      return compileBinary(tree);
    case 'condition':
      return compileCondition(tree);
    case 'block':
      return tree.expressions?.length === 1 && tree.expressions[0] ? compileFast(tree.expressions[0]) : undefined;
    case 'function':
      return compileFunction(tree);
    default:
      return undefined;
  }
}

function compileVariable({ value }: SyntaxNode): FastExpression | undefined {
  if (value === '' || value === '$') return (_scope, input) => requireSingle(input);
  if (value === 'constants') return (scope) => scope.constants;
  return undefined;
}

const plainStepKeys = new Set(['type', 'value', 'position']);

function compilePath(tree: SyntaxNode): FastExpression | undefined {
  const steps = tree.steps ?? [];
  if (Object.keys(tree).some((key) => key !== 'type' && key !== 'steps')) return undefined;
  const [first, ...rest] = steps;
  if (
    !first ||
    rest.some((step) => step.type !== 'name' || !Object.keys(step).every((key) => plainStepKeys.has(key)))
  ) {
    return undefined;
  }
  if (first.type !== 'name' && first.type !== 'variable' && first.type !== 'function') return undefined;
  if (Object.hasOwn(first, 'stages')) return undefined;
  const names = rest.map((step) => step.value as string);
  if (first.type === 'name') {
    if (!Object.keys(first).every((key) => plainStepKeys.has(key))) return undefined;
    const all = [first.value as string, ...names];
    return (_scope, input) => walk(requireSingle(input), all);
  }
  const start = compileFast(first);
  if (!start) return undefined;
  return (scope, input) => walk(requireSingle(start(scope, input)), names);
}

function walk(start: unknown, names: readonly string[]): unknown {
  let value = start;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) throw unusual;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  if (typeof value === 'function' || (Array.isArray(value) && value.length < 2 && Object.hasOwn(value, 'sequence'))) {
    throw unusual;
  }
  return value;
}

function requireSingle(value: unknown): unknown {
  if (Array.isArray(value)) throw unusual;
  return value;
}

const unsafeKeys = new Set(['__proto__', '_jsonata_lambda', '_jsonata_function']);

function compileUnary(tree: SyntaxNode): FastExpression | undefined {
  if (tree.value === '[') return tree.expressions && compileArray(tree.expressions);
  if (tree.value === '{') return compileObject(tree.lhs as readonly (readonly [SyntaxNode, SyntaxNode])[]);
  if (tree.value === '-' && tree.expression) {
    const operand = compileFast(tree.expression);
    return operand && ((scope, input) => negate(operand(scope, input)));
  }
  return undefined;
}

function negate(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw unusual;
  return -value;
}

function compileArray(items: readonly SyntaxNode[]): FastExpression | undefined {
  const compiled = items.map(compileFast);
  if (!compiled.every((item) => item !== undefined)) return undefined;
  const nested = items.map((item) => item.value === '[');
  return (scope, input) => {
    const result: unknown[] = [];
    for (const [index, item] of compiled.entries()) {
      const value = item(scope, input);
      if (value === undefined) continue;
      if (Array.isArray(value) && !nested[index]) result.push(...requireShort(value));
      else result.push(value);
    }
    return result;
  };
}

function requireShort(array: unknown[]): unknown[] {
  if (array.length > 1000) throw unusual;
  return array;
}

function compileObject(pairs: readonly (readonly [SyntaxNode, SyntaxNode])[]): FastExpression | undefined {
  const keys: string[] = [];
  const values: FastExpression[] = [];
  for (const [key, value] of pairs) {
    const compiled = compileFast(value);
    if (key.type !== 'string' || Object.hasOwn(key, 'predicate') || compiled === undefined) return undefined;
    if (unsafeKeys.has(key.value as string) || keys.includes(key.value as string)) return undefined;
    keys.push(key.value as string);
    values.push(compiled);
  }
  return (scope, input) => {
    requireSingle(input);
    const result: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index++) {
      const value = (values[index] as FastExpression)(scope, input);
      if (value !== undefined) result[keys[index] as string] = value;
    }
    return result;
  };
}

function compileCondition(tree: SyntaxNode): FastExpression | undefined {
  const condition = tree.condition && compileFast(tree.condition);
  const yes = tree.then && compileFast(tree.then);
  const no = tree.else ? compileFast(tree.else) : () => undefined;
  if (!condition || !yes || !no) return undefined;
  return (scope, input) => (toBoolean(condition(scope, input)) ? yes(scope, input) : no(scope, input));
}

function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) throw unusual;
  return Boolean(value);
}

type Operator = (left: unknown, right: unknown) => unknown;

const operators: Record<string, Operator> = {
  '+': arithmetic((left, right) => left + right),
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
  '=': (left, right) => left !== undefined && right !== undefined && primitive(left) === primitive(right),
  '!=': (left, right) => left !== undefined && right !== undefined && primitive(left) !== primitive(right),
  '<': comparison((left, right) => left < right),
  '<=': comparison((left, right) => left <= right),
  '>': comparison((left, right) => left > right),
  '>=': comparison((left, right) => left >= right),
  '&': (left, right) => toText(left) + toText(right),
};

function compileBinary(tree: SyntaxNode): FastExpression | undefined {
  const left = tree.lhs && compileFast(tree.lhs as SyntaxNode);
  const right = tree.rhs && compileFast(tree.rhs);
  if (!left || !right) return undefined;
  if (tree.value === 'and') return (scope, input) => toBoolean(left(scope, input)) && toBoolean(right(scope, input));
  if (tree.value === 'or') return (scope, input) => toBoolean(left(scope, input)) || toBoolean(right(scope, input));
  const operator = Object.hasOwn(operators, String(tree.value)) ? operators[String(tree.value)] : undefined;
  return operator && ((scope, input) => operator(left(scope, input), right(scope, input)));
}

function arithmetic(operate: (left: number, right: number) => number): Operator {
  return (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') throw unusual;
    const result = operate(left, right);
    if (!Number.isFinite(result)) throw unusual;
    return result;
  };
}

function comparison(compare: (left: number | string, right: number | string) => boolean): Operator {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return compare(left, right);
    if (typeof left === 'string' && typeof right === 'string') return compare(left, right);
    throw unusual;
  };
}

function primitive(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw unusual;
  return value;
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value);
  throw unusual;
}

type FastFunction = (scope: ExpressionScope, args: readonly unknown[]) => unknown;

const functions: Record<string, FastFunction> = {
  previousNode: (scope, [steps = 1]) => scope.previous(requireNumber(steps)) ?? null,
  executionCount: (scope, [id]) => scope.count(requireString(id)),
  nodeExecution: (scope, [id, index]) => scope.execution(requireString(id), requireNumber(index)) ?? null,
  exists: (_scope, [value]) => value !== undefined,
  not: (_scope, [value]) => (value === undefined ? undefined : !toBoolean(value)),
  count: (_scope, [value]) => (value === undefined ? 0 : Array.isArray(value) ? value.length : 1),
};

const argumentCounts: Record<string, readonly number[]> = {
  previousNode: [0, 1],
  executionCount: [1],
  nodeExecution: [2],
  exists: [1],
  not: [1],
  count: [1],
};

function compileFunction(tree: SyntaxNode): FastExpression | undefined {
  const name = tree.procedure?.type === 'variable' ? String(tree.procedure.value) : '';
  const implementation = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const args = (tree.arguments ?? []).map(compileFast);
  if (!implementation || !argumentCounts[name]?.includes(args.length)) return undefined;
  if (!args.every((argument) => argument !== undefined)) return undefined;
  return (scope, input) =>
    implementation(
      scope,
      args.map((argument) => argument(scope, input)),
    );
}

function requireNumber(value: unknown): number {
  if (typeof value !== 'number') throw unusual;
  return value;
}

function requireString(value: unknown): string {
  if (typeof value !== 'string') throw unusual;
  return value;
}
