import type jsonata from 'jsonata';
import { runBounded } from './bounded.ts';
import type { ExpressionScope } from './scope.ts';

/** No JSONata program can write this name, so a program can neither read nor replace the scope. */
export const scopeVariable = 'scope of the run';

interface NativeFunction {
  readonly implementation: (this: jsonata.Focus, ...args: unknown[]) => unknown;
  readonly signature: { readonly definition: string };
}

export type NativeFunctions = ReadonlyMap<string, NativeFunction>;

const replaced = ['pad', 'distinct', 'join', 'eval'] as const;

/** JSONata's own functions that need a bound, taken from the library so that only the bound is ours. */
export async function takeNativeFunctions(library: typeof jsonata): Promise<NativeFunctions> {
  const functions = new Map<string, NativeFunction>();
  for (const name of replaced) {
    functions.set(name, (await library(`$${name}`).evaluate(null)) as NativeFunction);
  }
  return functions;
}

const longestText = 1_000_000;
const deepestEval = 8;

/** How many `$eval`s are under way in one evaluation; its errors double in length with each. */
const evalDepths = new WeakMap<ExpressionScope, number>();

/** Adds the history functions, and puts bounds on the functions whose cost grows faster than their input. */
export function registerFunctions(expression: jsonata.Expression, timeoutMs: number, natives: NativeFunctions): void {
  const scopeOf = (focus: jsonata.Focus) => focus.environment.lookup(scopeVariable) as ExpressionScope;
  expression.registerFunction(
    'previousNode',
    function (this: jsonata.Focus, steps: number | undefined) {
      return scopeOf(this).previous(steps ?? 1) ?? null;
    },
    '<n?:x>',
  );
  expression.registerFunction(
    'executionCount',
    function (this: jsonata.Focus, id: string) {
      return scopeOf(this).count(id);
    },
    '<s:n>',
  );
  expression.registerFunction(
    'nodeExecution',
    function (this: jsonata.Focus, id: string, index: number) {
      return scopeOf(this).execution(id, index) ?? null;
    },
    '<s-n:x>',
  );
  expression.registerFunction(
    'nodeExecutions',
    function (this: jsonata.Focus, id: string) {
      return scopeOf(this).executions(id);
    },
    '<s:a>',
  );

  const nativeEval = natives.get('eval');
  if (nativeEval) {
    expression.registerFunction(
      'eval',
      async function (this: jsonata.Focus, ...args: unknown[]) {
        const scope = scopeOf(this);
        const depth = evalDepths.get(scope) ?? 0;
        if (depth >= deepestEval) throw { code: 'D1011', message: `$eval nests deeper than ${deepestEval} levels` };
        evalDepths.set(scope, depth + 1);
        try {
          return await nativeEval.implementation.apply(this, args);
        } finally {
          evalDepths.set(scope, depth);
        }
      },
      nativeEval.signature.definition,
    );
  }

  const bound = (name: (typeof replaced)[number], isSuspect: (args: unknown[]) => boolean) => {
    const native = natives.get(name);
    if (!native) return;
    expression.registerFunction(
      name,
      function (this: jsonata.Focus, ...args: unknown[]) {
        const work = () => native.implementation.apply(this, args);
        return isSuspect(args) ? runBounded(work, timeoutMs, `$${name}`) : work();
      },
      native.signature.definition,
    );
  };
  bound('pad', ([, width]) => {
    if (Math.abs(width as number) > longestText) {
      throw { code: 'D2015', message: `$pad: the width ${String(width)} is over the limit of ${longestText}` };
    }
    return false;
  });
  bound('distinct', ([array]) => Array.isArray(array) && array.length > 300);
  bound('join', ([array, separator]) => {
    const count = Array.isArray(array) ? array.length : 1;
    if ((typeof separator === 'string' ? separator.length : 0) * count > longestText * 50) {
      throw { code: 'D2015', message: '$join: the text would be too long' };
    }
    return false;
  });
}
