import { describe, expect, test } from 'vitest';
import { compileRule, type RuleError } from './json-logic.ts';
import { dataScope } from './scope.ts';

const valueOf = async (rule: unknown, data: Record<string, unknown> = {}) => compileRule(rule).value(dataScope(data));
const holds = async (rule: unknown, data: Record<string, unknown> = {}) => compileRule(rule).holds(dataScope(data));

/** rule, data, value: every operator of jsonlogic.com with its ordinary, odd and edge cases. */
const table: [rule: unknown, data: Record<string, unknown>, value: unknown][] = [
  // values that are no rules
  [true, {}, true],
  [17, {}, 17],
  ['apple', {}, 'apple'],
  [null, {}, null],
  [['a', 'b'], {}, ['a', 'b']],
  [[{ '+': [1, 1] }, 3], {}, [2, 3]],
  [{}, {}, {}],
  [{ a: 1, b: 2 }, {}, { a: 1, b: 2 }],
  // equality
  [{ '==': [1, 1] }, {}, true],
  [{ '==': [1, '1'] }, {}, true],
  [{ '==': [1, 2] }, {}, false],
  [{ '==': [0, false] }, {}, true],
  [{ '===': [1, 1] }, {}, true],
  [{ '===': [1, '1'] }, {}, false],
  [{ '!=': [1, 2] }, {}, true],
  [{ '!=': [1, '1'] }, {}, false],
  [{ '!==': [1, '1'] }, {}, true],
  [{ '!==': [1, 1] }, {}, false],
  // order
  [{ '>': [2, 1] }, {}, true],
  [{ '>': [1, 1] }, {}, false],
  [{ '>': ['2', 1] }, {}, true],
  [{ '>=': [1, 1] }, {}, true],
  [{ '<': [1, 2] }, {}, true],
  [{ '<': ['1', 2] }, {}, true],
  [{ '<=': [1, 1] }, {}, true],
  [{ '<': [1, 2, 3] }, {}, true],
  [{ '<': [1, 1, 3] }, {}, false],
  [{ '<': [1, 4, 3] }, {}, false],
  [{ '<=': [1, 1, 3] }, {}, true],
  [{ '<=': [1, 4, 3] }, {}, false],
  // not
  [{ '!': [false] }, {}, true],
  [{ '!': false }, {}, true],
  [{ '!': [0] }, {}, true],
  [{ '!': 1 }, {}, false],
  [{ '!': [[]] }, {}, true],
  [{ '!!': [[]] }, {}, false],
  [{ '!!': ['0'] }, {}, true],
  [{ '!!': [''] }, {}, false],
  // or, and: the value that decides
  [{ or: [true, false] }, {}, true],
  [{ or: [false, 'a'] }, {}, 'a'],
  [{ or: [false, 0, ''] }, {}, ''],
  [{ or: [[], 3] }, {}, 3],
  [{ and: [true, true, 3] }, {}, 3],
  [{ and: [1, 0, 3] }, {}, 0],
  [{ and: [[], 3] }, {}, []],
  // if
  [{ if: [] }, {}, null],
  [{ if: [true] }, {}, true],
  [{ if: [true, 'yes'] }, {}, 'yes'],
  [{ if: [false, 'yes'] }, {}, null],
  [{ if: [false, 'yes', 'no'] }, {}, 'no'],
  [{ if: [[], 'yes', 'no'] }, {}, 'no'],
  [{ if: [false, 'a', false, 'b', 'c'] }, {}, 'c'],
  [{ if: [false, 'a', true, 'b', 'c'] }, {}, 'b'],
  [{ '?:': [true, 1, 2] }, {}, 1],
  // in, cat, substr
  [{ in: ['Bart', ['Bart', 'Lisa']] }, {}, true],
  [{ in: ['Milhouse', ['Bart', 'Lisa']] }, {}, false],
  [{ in: ['Spring', 'Springfield'] }, {}, true],
  [{ in: ['i', 'team'] }, {}, false],
  [{ in: ['a', null] }, {}, false],
  [{ cat: 'ice' }, {}, 'ice'],
  [{ cat: ['ice', 'cream'] }, {}, 'icecream'],
  [{ cat: [1, 2] }, {}, '12'],
  [{ cat: ['Robocop', 2] }, {}, 'Robocop2'],
  [{ cat: ['we all scream for ', 'ice', 'cream'] }, {}, 'we all scream for icecream'],
  [{ substr: ['jsonlogic', 4] }, {}, 'logic'],
  [{ substr: ['jsonlogic', -5] }, {}, 'logic'],
  [{ substr: ['jsonlogic', 0, 1] }, {}, 'j'],
  [{ substr: ['jsonlogic', -1, 1] }, {}, 'c'],
  [{ substr: ['jsonlogic', 4, 5] }, {}, 'logic'],
  [{ substr: ['jsonlogic', -5, 5] }, {}, 'logic'],
  [{ substr: ['jsonlogic', -5, -2] }, {}, 'log'],
  [{ substr: ['jsonlogic', 1, -5] }, {}, 'son'],
  // numbers
  [{ '+': [1, 2] }, {}, 3],
  [{ '+': [2, 2, 2] }, {}, 6],
  [{ '+': [1] }, {}, 1],
  [{ '+': ['1', 1] }, {}, 2],
  [{ '+': '3.14' }, {}, 3.14],
  [{ '*': [3, 2] }, {}, 6],
  [{ '*': [2, 2, 2] }, {}, 8],
  [{ '*': ['2', '3'] }, {}, 6],
  [{ '-': [2, 3] }, {}, -1],
  [{ '-': [3] }, {}, -3],
  [{ '-': ['1', 1] }, {}, 0],
  [{ '/': [4, 2] }, {}, 2],
  [{ '/': [1, 2] }, {}, 0.5],
  [{ '%': [3, 2] }, {}, 1],
  [{ '%': [2, 2] }, {}, 0],
  [{ max: [1, 2, 3] }, {}, 3],
  [{ max: [1, 3, 3] }, {}, 3],
  [{ min: [1, 2, 3] }, {}, 1],
  [{ min: [3, 2, '1'] }, {}, 1],
  // var
  [{ var: ['a'] }, { a: 1 }, 1],
  [{ var: 'a' }, { a: 1 }, 1],
  [{ var: ['b'] }, { a: 1 }, null],
  [{ var: ['b', 2] }, { a: 1 }, 2],
  [{ var: 'a.b' }, { a: { b: 'c' } }, 'c'],
  [{ var: ['a.q', 9] }, { a: { b: 'c' } }, 9],
  [{ var: 'list.1' }, { list: ['apple', 'banana'] }, 'banana'],
  [{ var: 'list.1.1' }, { list: ['apple', ['banana', 'beer']] }, 'beer'],
  [{ var: '' }, { a: 1 }, { a: 1 }],
  [{ var: null }, { a: 1 }, { a: 1 }],
  [{ var: [] }, { a: 1 }, { a: 1 }],
  [{ var: ['b', { var: 'a' }] }, { a: 5 }, 5],
  [{ var: 'zero' }, { zero: 0 }, 0],
  [{ var: ['none', 'given'] }, { none: null }, 'given'],
  // missing
  [{ missing: [] }, {}, []],
  [{ missing: ['a'] }, {}, ['a']],
  [{ missing: 'a' }, {}, ['a']],
  [{ missing: ['a'] }, { a: 'apple' }, []],
  [{ missing: ['a', 'b'] }, { a: 'apple' }, ['b']],
  [{ missing: ['a.b'] }, { a: { b: 'x' } }, []],
  [{ missing: ['a.c'] }, { a: { b: 'x' } }, ['a.c']],
  [{ missing: ['a'] }, { a: '' }, ['a']],
  [{ missing: { merge: ['vin', { if: [{ var: 'financing' }, ['apr'], []] }] } }, { financing: true }, ['vin', 'apr']],
  [{ missing_some: [1, ['a', 'b']] }, { a: 'apple' }, []],
  [{ missing_some: [2, ['a', 'b', 'c']] }, { a: 'apple' }, ['b', 'c']],
  [{ missing_some: [1, ['a', 'b']] }, {}, ['a', 'b']],
  // filter, map, reduce, all, some, none, merge
  [{ filter: [{ var: 'integers' }, true] }, { integers: [1, 2, 3] }, [1, 2, 3]],
  [{ filter: [{ var: 'integers' }, { '>=': [{ var: '' }, 2] }] }, { integers: [1, 2, 3] }, [2, 3]],
  [
    { filter: [{ var: 'people' }, { var: 'adult' }] },
    { people: [{ adult: true }, { adult: false }] },
    [{ adult: true }],
  ],
  [{ filter: [{ var: 'nothing' }, true] }, {}, []],
  [{ map: [{ var: 'integers' }, { '*': [{ var: '' }, 2] }] }, { integers: [1, 2, 3] }, [2, 4, 6]],
  [{ map: [{ var: 'desserts' }, { var: 'qty' }] }, { desserts: [{ qty: 1 }, { qty: 2 }] }, [1, 2]],
  [{ map: [{ var: 'nothing' }, 1] }, {}, []],
  [
    { reduce: [{ var: 'integers' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] },
    { integers: [1, 2, 3, 4] },
    10,
  ],
  [{ reduce: [{ var: 'nothing' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] }, {}, 0],
  [
    { reduce: [{ var: 'desserts' }, { '+': [{ var: 'accumulator' }, { var: 'current.qty' }] }, 0] },
    { desserts: [{ qty: 1 }, { qty: 2 }] },
    3,
  ],
  [{ all: [{ var: 'xs' }, { '>=': [{ var: '' }, 1] }] }, { xs: [1, 2] }, true],
  [{ all: [{ var: 'xs' }, { '>': [{ var: '' }, 1] }] }, { xs: [1, 2] }, false],
  [{ all: [{ var: 'xs' }, true] }, { xs: [] }, false],
  [{ some: [{ var: 'items' }, { '>=': [{ var: 'qty' }, 2] }] }, { items: [{ qty: 1 }, { qty: 2 }] }, true],
  [{ some: [{ var: 'items' }, { '>': [{ var: 'qty' }, 2] }] }, { items: [{ qty: 1 }] }, false],
  [{ some: [{ var: 'items' }, true] }, { items: [] }, false],
  [{ none: [{ var: 'items' }, { '>': [{ var: 'qty' }, 2] }] }, { items: [{ qty: 1 }] }, true],
  [{ none: [{ var: 'items' }, true] }, { items: [] }, true],
  [{ merge: [] }, {}, []],
  [{ merge: [[1], [2]] }, {}, [1, 2]],
  [{ merge: [1, [2, 3]] }, {}, [1, 2, 3]],
  [{ merge: { var: 'foo' } }, { foo: [1, 2] }, [1, 2]],
  [{ log: [{ var: 'a' }] }, { a: 1 }, 1],
  // combinations
  [
    { and: [{ '<': [{ var: 'temp' }, 110] }, { '==': [{ var: 'pie.filling' }, 'apple'] }] },
    { temp: 100, pie: { filling: 'apple' } },
    true,
  ],
  [{ if: [{ missing: 'a' }, 'missing it', 'have it'] }, { a: 1 }, 'have it'],
  [
    { var: [{ if: [{ '<': [{ var: 'temp' }, 110] }, 'pie.filling', 'pie.eta'] }] },
    { temp: 100, pie: { filling: 'apple', eta: '60s' } },
    'apple',
  ],
];

describe('JSON Logic', () => {
  test.each(table)('%j of %j is %j [GRAPH-023] [GRAPH-024]', async (rule, data, value) => {
    expect(await valueOf(rule, data)).toEqual(value);
  });

  test.each([
    [{ var: '$.entry.n' }, 5],
    [{ var: 'entry.n' }, 5],
    [{ var: 'entry.list[1]' }, 'b'],
    [{ var: '$sum(entry.numbers)' }, 6],
    [{ var: 'entry.`odd-key`' }, 'odd'],
    [{ var: '$previousNode().count' }, 12],
    [{ map: [{ var: 'entry.people' }, { var: '$uppercase(name)' }] }, ['ANN', 'BOB']],
    [{ '+': [{ var: '$executionCount("x")' }, 1] }, 1],
  ])('a var is JSONata: %j [GRAPH-025] [GRAPH-026]', async (rule, value) => {
    const entry = {
      n: 5,
      list: ['a', 'b'],
      numbers: [1, 2, 3],
      'odd-key': 'odd',
      people: [{ name: 'Ann' }, { name: 'Bob' }],
    };
    const scope = { ...dataScope({ entry }), previous: () => ({ count: 12 }) };
    expect(await compileRule(rule).value(scope)).toEqual(value);
  });

  test('data is never read as a rule, whatever it looks like [GRAPH-027]', async () => {
    const data = { entry: { rule: { var: 'entry.secret' }, operator: { nosuchoperator: 1 }, secret: 'hidden' } };
    expect(await valueOf({ var: 'entry.rule' }, data)).toEqual({ var: 'entry.secret' });
    expect(await valueOf({ '==': [{ var: 'entry.rule' }, 'hidden'] }, data)).toBe(false);
    expect(await valueOf({ var: 'entry.operator' }, data)).toEqual({ nosuchoperator: 1 });
    expect(await valueOf({ map: [{ merge: { var: 'entry.rule' } }, { var: '' }] }, data)).toEqual([
      { var: 'entry.secret' },
    ]);
    expect(await valueOf({ var: { var: 'entry.path' } }, { entry: { path: '$eval("1+1")' } })).toBeNull();
  });

  test.each([
    [{ missing: ['a'] }, { a: 1 }, false],
    [{ var: 'a' }, { a: [] }, false],
    [{ var: 'a' }, { a: '0' }, true],
    [{ var: 'a' }, { a: {} }, true],
  ])('%j of %j holds: %s', async (rule, data, expected) => {
    expect(await holds(rule, data)).toBe(expected);
  });

  test.each([
    [{ foo: 1 }, 'Unknown JSON Logic operator "foo"', ['foo']],
    [{ and: [true, { fliter: [] }] }, 'did you mean "filter"?', ['and', 1, 'fliter']],
    [{ '>': [{ var: '$.a +' }, 1] }, 'Unexpected end of expression', ['>', 0, 'var']],
    [{ method: ['x', 'toString'] }, 'Unknown JSON Logic operator "method"', ['method']],
    [{ constructor: [] }, 'Unknown JSON Logic operator', ['constructor']],
  ])('%j is refused', (rule, message, path) => {
    expect(() => compileRule(rule)).toThrow(message);
    try {
      compileRule(rule);
    } catch (error) {
      expect((error as RuleError).path).toEqual(path);
    }
  });

  test('an operator that does not matter is not evaluated', async () => {
    expect(await valueOf({ if: [true, 1, { var: '$error("no")' }] })).toBe(1);
    expect(await valueOf({ or: [1, { var: '$error("no")' }] })).toBe(1);
    await expect(async () => valueOf({ and: [1, { var: '$error("no")' }] })).rejects.toThrow('no');
  });
});
