import fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { ExpressionError } from './expression-error.ts';
import { compileFast, unusual } from './fast-path.ts';
import { compileExpression, defaultExpressionLimits } from './jsonata.ts';
import { toPlain } from './plain.ts';
import { dataScope, type ExpressionScope } from './scope.ts';
import type { SyntaxNode } from './syntax-tree.ts';

const evaluate = async (text: string, context: Record<string, unknown> = {}, constants = {}) =>
  compileExpression(text).evaluate(dataScope(context, constants));

async function failure(text: string, context: Record<string, unknown> = {}): Promise<ExpressionError> {
  try {
    await evaluate(text, context);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${text} did not fail`);
}

describe('an expression', () => {
  test.each([
    ['$.a.b', { a: { b: 3 } }, 3],
    ['a.b', { a: [{ b: 1 }, { b: 2 }] }, [1, 2]],
    ['{ "sum": $sum(xs), "first": xs[0] }', { xs: [4, 5] }, { sum: 9, first: 4 }],
    ['xs[n > 1].n', { xs: [{ n: 1 }, { n: 2 }] }, 2],
    ['a ?? "none"', {}, 'none'],
    ['$.missing', {}, undefined],
    ['($x := 2; $x * $.n)', { n: 4 }, 8],
    ['$count($split($.text, "\\n"))', { text: 'a\nb' }, 2],
  ])('%s gives what JSONata gives [GRAPH-013] [GRAPH-035] [GRAPH-056]', async (text, context, value) => {
    expect(await evaluate(text, context)).toEqual(value);
  });

  test('means the same on one line and on several [GRAPH-014] [GRAPH-015]', async () => {
    const context = { n: 3 };
    expect(await evaluate('$.n > 2 ? { "big": true } : { "big": false }', context)).toEqual(
      await evaluate('$.n > 2\n  ? { "big": true }\n  : { "big": false }\n', context),
    );
  });

  test('sees constants', async () => {
    expect(await evaluate('$constants.region & "-1"', {}, { region: 'eu' })).toBe('eu-1');
    expect(await evaluate('$lookup($constants, "region")', {}, { region: 'eu' })).toBe('eu');
  });

  test('gives plain data: no hidden flags, no functions, no missing prototypes', async () => {
    const value = (await evaluate('{ "list": xs.v, "f": $sum, "nested": { "one": [xs.v] } }', {
      xs: [{ v: 1 }, { v: 2 }],
    })) as Record<string, object>;
    expect(value).toStrictEqual({ list: [1, 2], nested: { one: [1, 2] } });
    expect(Object.getOwnPropertyNames(value['list'])).toEqual(['0', '1', 'length']);
  });

  test('is compiled once', () => {
    expect(compileExpression('$.once.only')).toBe(compileExpression('$.once.only'));
  });

  test.each([
    ['$.a +', 'S0207', 4],
    ['{ "a": ] }', 'S0211', 7],
    ['$foo(', 'S0203', 4],
  ])('with a mistake is refused with its place: %s [GRAPH-020]', (text, code, offset) => {
    expect(() => compileExpression(text)).toThrow(ExpressionError);
    try {
      compileExpression(text);
    } catch (error) {
      expect(error).toMatchObject({ code, offset, expression: text });
    }
  });

  test('that fails says where and shows itself [GRAPH-021]', async () => {
    const error = await failure('1 + $.name', { name: 'x' });
    expect(error).toMatchObject({ code: 'T2002', offset: 2 });
    expect(error.message).toBe(
      'JSONata evaluation failed: The right side of the "+" operator must evaluate to a number\nExpression: 1 + $.name',
    );
  });
});

describe('the history functions', () => {
  const scope: ExpressionScope = {
    ...dataScope({ a: 1 }),
    previous: (steps) => ['last', 'before'][steps - 1],
    count: (node) => (node === 'loop' ? 3 : 0),
    execution: (node, index) => (node === 'loop' ? ['x', 'y', 'z'].at(index) : undefined),
    executions: (node) => (node === 'loop' ? ['x', 'y', 'z'] : []),
  };
  test.each([
    ['$previousNode()', 'last'],
    ['$previousNode(2)', 'before'],
    ['$previousNode(0)', null],
    ['$previousNode(9)', null],
    ['$executionCount("loop")', 3],
    ['$executionCount("other")', 0],
    ['$nodeExecution("loop", 0)', 'x'],
    ['$nodeExecution("loop", -1)', 'z'],
    ['$nodeExecution("loop", 7)', null],
    ['$nodeExecutions("loop")', ['x', 'y', 'z']],
    ['$nodeExecutions("other")', []],
    ['$map(["loop", "other"], $executionCount)', [3, 0]],
    ['[1..2].$previousNode($)', ['last', 'before']],
  ])('%s is %j [GRAPH-016] [GRAPH-017] [GRAPH-018] [GRAPH-019]', async (text, value) => {
    expect(await compileExpression(text).evaluate(scope)).toEqual(value);
  });

  test.each(['$nodeExecution("loop")', '$executionCount(5)'])('%s has the wrong arguments', async (text) => {
    await expect(async () => compileExpression(text).evaluate(scope)).rejects.toThrow(
      'does not match function signature',
    );
  });
});

describe('no expression can hang the server', () => {
  const limits = { ...defaultExpressionLimits, timeoutMs: 150, sequence: 10_000, resultLength: 1_000_000 };
  const attempt = async (text: string, context: Record<string, unknown> = {}) => {
    await compileExpression(text, limits).evaluate(dataScope(context));
  };
  const long = 'a'.repeat(40);

  test.each([
    ['endless recursion', '($f := function($n) { $f($n + 1) }; $f(0))', {}],
    ['deep recursion', '($f := function($n) { 1 + $f($n + 1) }; $f(0))', {}],
    ['a wide sequence', '[1..1000000]', {}],
    ['nested loops', '$sum($map([1..9000], function($i) { $sum($map([1..9000], function($j) { $i * $j })) }))', {}],
    ['a hostile regular expression', '$match(text, /(a+)+$/)', { text: `${long}!` }],
    ['one in $replace', '$replace(text, /(a|aa)+$/, "")', { text: `${long}!` }],
    ['one in $split', '$split(text, /(a*)*b/)', { text: long }],
    ['one in $contains', '$contains(text, /^(([a-z])+.)+[A-Z]([a-z])+$/)', { text: long }],
    ['one quantifier on a long text', '$match(text, /a+b/)', { text: 'a'.repeat(400_000) }],
    ['$distinct of many', '$distinct(list)', { list: Array.from({ length: 60_000 }, (_, index) => ({ index })) }],
    ['a wide $pad', '$pad("x", 900000000)', {}],
    ['a text that doubles', '$reduce([1..40], function($text, $i) { $text & $text }, "xxxxxxxx")', {}],
    ['a value that repeats itself', '$reduce([1..60], function($value, $i) { { "a": $value, "b": $value } }, {})', {}],
    ['a list that repeats itself', '$reduce([1..60], function($value, $i) { [[$value], [$value]] }, [])', {}],
    ['$eval that evaluates itself', '$eval(code)', { code: '$eval(code)' }],
    ['a regular expression inside $eval', '$eval(code)', { code: `$match("${long}!", /(a+)+$/)` }],
  ])('%s', async (_name, text, context) => {
    const error: unknown = await attempt(text, context).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(['ExpressionError', 'PayloadTooLargeError']).toContain((error as Error | undefined)?.name);
  });

  test('ordinary patterns and pictures still work', async () => {
    expect(await evaluate('$match("ab12cd", /[a-z]+(\\d+)/).groups')).toEqual(['12']);
    expect(await evaluate('$replace("a.b.c", /\\./, "-")')).toBe('a-b-c');
    expect(await evaluate('$toMillis("2026-11-15", "[Y0001]-[M01]-[D01]")')).toBe(Date.UTC(2026, 10, 15));
    expect(await evaluate('$distinct([1, 2, 2, 1])')).toEqual([1, 2]);
    expect(await evaluate('$pad("x", -3, "-")')).toBe('--x');
    expect(await evaluate('$join(["a", "b"], ", ")')).toBe('a, b');
  });

  test('many evaluations at once each have their own time', async () => {
    // All together they take longer than one of them may.
    const expression = compileExpression('$sum($map([1..2000], function($i) { $i * $.n }))');
    const results = await Promise.all(Array.from({ length: 100 }, (_, n) => expression.evaluate(dataScope({ n }))));
    expect(results).toEqual(Array.from({ length: 100 }, (_, n) => 2_001_000 * n));
  });

  test('an object with very many fields is not taken for recursion', async () => {
    const fields = Array.from({ length: 800 }, (_, index) => `"f${index}": $.a.b + ${index} & ""`);
    expect(Object.keys((await evaluate(`{ ${fields.join(', ')} }`, { a: { b: 1 } })) as object)).toHaveLength(800);
  });
});

describe('the fast path', () => {
  /** Expressions of the forms it handles, over a context of mixed data. */
  const name = fc.constantFrom('a', 'b', 'c', 'n', 's', 'xs', 'missing', '`odd key`');
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .chain((names) => fc.constantFrom('', '$.', '$$.', '$constants.').map((prefix) => prefix + names.join('.')));
  const literal = fc.oneof(
    fc.integer({ min: -5, max: 5 }).map(String),
    fc.constantFrom('"x"', '""', 'true', 'false', 'null', '1.5', '[]', '{}', '$', '$$'),
  );
  const { expression } = fc.letrec<{ expression: string; operand: string }>((tie) => ({
    operand: fc.oneof(
      { weight: 3, arbitrary: path },
      { weight: 2, arbitrary: literal },
      { weight: 2, arbitrary: tie('expression') },
    ),
    expression: fc.oneof(
      { maxDepth: 4 },
      path,
      literal,
      fc
        .tuple(
          tie('operand'),
          fc.constantFrom('+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>=', '&', 'and', 'or', '??', '?:'),
          tie('operand'),
        )
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(tie('operand'), tie('operand'), tie('operand'))
        .map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`),
      fc.tuple(tie('operand'), tie('operand')).map(([first, second]) => `{ "x": ${first}, "y": ${second} }`),
      fc.array(tie('operand'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      tie('operand').map((operand) => `-(${operand})`),
      fc
        .tuple(fc.constantFrom('$count', '$exists', '$not'), tie('operand'))
        .map(([call, operand]) => `${call}(${operand})`),
    ),
  }));
  const leaf = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('x', '', 'text'),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'n', 's', 'xs', 'odd key'), tie('value'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    ),
  }));
  const context = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'n', 's', 'xs', 'odd key'), value, {
    maxKeys: 6,
    noNullPrototype: true,
  });

  test('agrees with JSONata wherever it answers at all', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(expression, context, async (text, data) => {
        const compiled = jsonata(text);
        const fast = compileFast(compiled.ast() as unknown as SyntaxNode);
        if (!fast) return;
        let mine: unknown;
        try {
          mine = toPlain(fast(dataScope(data, { a: 1 }), data));
        } catch (error) {
          expect(error).toBe(unusual);
          return;
        }
        answered++;
        expect(mine).toStrictEqual(toPlain(await compiled.evaluate(data, { constants: { a: 1 } })));
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 100_000 : 2000 },
    );
    expect(answered).toBeGreaterThan(500);
  });
});
