import type { Template } from '../model.ts';
import { compileExpression, type ExpressionLimits } from './jsonata.ts';
import { after, all, type MaybePromise } from './maybe-promise.ts';
import type { ExpressionScope } from './scope.ts';

export type Filler = (scope: ExpressionScope) => MaybePromise<unknown>;

/** A function that fills the expressions of a template in. Keys without a value are left out. */
export function compileTemplate(template: Template, limits: ExpressionLimits): Filler {
  switch (template.kind) {
    case 'literal':
      return () => template.value;
    case 'expression': {
      const expression = compileExpression(template.expression.text, limits);
      return (scope) => expression.evaluate(scope);
    }
    case 'array': {
      const items = template.items.map((item) => compileTemplate(item, limits));
      return (scope) => after(all(items.map((item) => item(scope))), (values) => values.map((value) => value ?? null));
    }
    case 'object': {
      const entries = template.entries.map(([key, value]) => [key, compileTemplate(value, limits)] as const);
      return (scope) => after(all(entries.map(([, fill]) => fill(scope))), (values) => assemble(entries, values));
    }
  }
}

function assemble(
  entries: readonly (readonly [string, Filler])[],
  values: readonly unknown[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [index, [key]] of entries.entries()) {
    if (values[index] === undefined) continue;
    Object.defineProperty(result, key, { value: values[index], enumerable: true, writable: true, configurable: true });
  }
  return result;
}
