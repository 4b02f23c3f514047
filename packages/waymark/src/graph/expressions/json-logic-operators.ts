import { after, type MaybePromise } from './maybe-promise.ts';
import type { ExpressionScope } from './scope.ts';

/** What a part of a rule sees: the run's scope, and the data `var` reads, which is an item inside `map` and the like. */
export interface RuleFrame {
  readonly scope: ExpressionScope;
  readonly data: unknown;
}

export type RulePart = (frame: RuleFrame) => MaybePromise<unknown>;

export function truthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

type Operator = (operands: readonly unknown[]) => unknown;

/** Numbers and texts are compared as JavaScript does, which is what JSON Logic prescribes. */
type Comparable = number;

const chain =
  (compare: (left: Comparable, right: Comparable) => boolean): Operator =>
  ([first, second, third]) =>
    compare(first as Comparable, second as Comparable) &&
    (third === undefined || compare(second as Comparable, third as Comparable));

// oxlint-disable-next-line eqeqeq -- JSON Logic's == is JavaScript's
const looselyEqual = (left: unknown, right: unknown) => left == right;

const toNumber = (value: unknown) => Number.parseFloat(String(value));

/** The operators that see nothing but their operands. */
export const operators: Readonly<Record<string, Operator>> = {
  '==': ([left, right]) => looselyEqual(left, right),
  '===': ([left, right]) => left === right,
  '!=': ([left, right]) => !looselyEqual(left, right),
  '!==': ([left, right]) => left !== right,
  '!': ([value]) => !truthy(value),
  '!!': ([value]) => truthy(value),
  '<': chain((left, right) => left < right),
  '<=': chain((left, right) => left <= right),
  '>': chain((left, right) => left > right),
  '>=': chain((left, right) => left >= right),
  '+': (values) => values.reduce((sum: number, value) => sum + toNumber(value), 0),
  '-': ([left, right]) => (right === undefined ? -Number(left) : Number(left) - Number(right)),
  '*': (values) => values.map(toNumber).reduce((product, value) => product * value, 1),
  '/': ([left, right]) => Number(left) / Number(right),
  '%': ([left, right]) => Number(left) % Number(right),
  max: (values) => values.reduce((most: number, value) => Math.max(most, Number(value)), -Infinity),
  min: (values) => values.reduce((least: number, value) => Math.min(least, Number(value)), Infinity),
  cat: (values) => values.flat().map(toText).join(''),
  merge: (values) => values.flat(),
  in: ([item, container]) =>
    typeof container === 'string' || Array.isArray(container) ? container.includes(item as never) : false,
  substr: ([text, start, length]) => substring(toText(text), Number(start), length),
  log: ([value]) => value,
};

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

function substring(text: string, start: number, length: unknown): string {
  const rest = text.slice(start);
  if (length === undefined || length === null) return rest;
  const count = Number(length);
  return count < 0 ? rest.slice(0, Math.max(0, rest.length + count)) : rest.slice(0, count);
}

type Iterator = (parts: readonly RulePart[]) => RulePart;

const nothing: RulePart = () => null;

/** Runs the second operand with each item of the first as its data. */
function eachItem(collect: (items: readonly unknown[], results: readonly unknown[]) => unknown): Iterator {
  return ([list = nothing, body = nothing]) =>
    (frame) =>
      after(list(frame), (items) => {
        const array: unknown[] = Array.isArray(items) ? items : [];
        return after(
          inOrder(array, (item) => body({ ...frame, data: item })),
          (results) => collect(array, results),
        );
      });
}

function inOrder(
  items: readonly unknown[],
  run: (item: unknown) => MaybePromise<unknown>,
): MaybePromise<readonly unknown[]> {
  const results: unknown[] = [];
  const from = (start: number): MaybePromise<readonly unknown[]> => {
    for (let index = start; index < items.length; index++) {
      const result = run(items[index]);
      if (result instanceof Promise) {
        return result.then((value) => {
          results.push(value);
          return from(index + 1);
        });
      }
      results.push(result);
    }
    return results;
  };
  return from(0);
}

const reduce: Iterator =
  ([list = nothing, body = nothing, initial = nothing]) =>
  (frame) =>
    after(list(frame), (items) =>
      after(initial(frame), (start) => (Array.isArray(items) ? fold(items, start, body, frame) : start)),
    );

function fold(
  items: readonly unknown[],
  start: unknown,
  body: RulePart,
  frame: RuleFrame,
  from = 0,
): MaybePromise<unknown> {
  let accumulator = start;
  for (let index = from; index < items.length; index++) {
    const result = body({ ...frame, data: { current: items[index], accumulator } });
    if (result instanceof Promise) return result.then((value) => fold(items, value, body, frame, index + 1));
    accumulator = result;
  }
  return accumulator;
}

/** The operators that read their second operand anew for every item. */
export const iterators: Readonly<Record<string, Iterator>> = {
  map: eachItem((_items, results) => results),
  filter: eachItem((items, results) => items.filter((_item, index) => truthy(results[index]))),
  all: eachItem((items, results) => items.length > 0 && results.every(truthy)),
  some: eachItem((_items, results) => results.some(truthy)),
  none: eachItem((_items, results) => !results.some(truthy)),
  reduce,
};
