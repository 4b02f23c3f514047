/** Says that a value fits. A value it does not vouch for may fit all the same. */
export type QuickCheck = (value: unknown) => boolean;

const accept: QuickCheck = () => true;

type TypeTest = (value: unknown) => boolean;

const types: Readonly<Record<string, TypeTest>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const texts = new Set(['title', 'description', '$comment', 'format']);
const notes = new Set(['default', 'examples']);

/**
 * Most schemas use a handful of keywords. For those this gives a check that needs no schema
 * compiler, which takes longer to load than everything else a small graph needs. Undefined where the
 * schema says anything unusual, or anything wrong: then the compiler has to look at it.
 */
export function compilePlainSchema(schema: unknown): QuickCheck | undefined {
  if (!isObject(schema)) return undefined;
  const checks: QuickCheck[] = [];
  for (const [keyword, argument] of Object.entries(schema)) {
    const check = compileKeyword(keyword, argument);
    if (!check) return undefined;
    if (check !== accept) checks.push(check);
  }
  if (checks.length === 0) return accept;
  return (value) => checks.every((check) => check(value));
}

function compileKeyword(keyword: string, argument: unknown): QuickCheck | undefined {
  if (texts.has(keyword)) return typeof argument === 'string' ? accept : undefined;
  if (notes.has(keyword)) return keyword === 'examples' && !Array.isArray(argument) ? undefined : accept;
  switch (keyword) {
    case 'type':
      return compileType(argument);
    case 'properties':
      return compileProperties(argument);
    case 'required':
      return compileRequired(argument);
    case 'items': {
      const items = compilePlainSchema(argument);
      return items && ((value) => !Array.isArray(value) || value.every(items));
    }
    case 'enum':
      return Array.isArray(argument) && argument.length > 0 && argument.every(isPrimitive)
        ? (value) => argument.includes(value)
        : undefined;
    case 'const':
      return isPrimitive(argument) ? (value) => value === argument : undefined;
    case 'minimum':
      return bound(argument, (value, limit) => value >= limit);
    case 'maximum':
      return bound(argument, (value, limit) => value <= limit);
    default:
      return undefined;
  }
}

function compileType(argument: unknown): QuickCheck | undefined {
  const names: unknown[] = Array.isArray(argument) ? argument : [argument];
  if (names.length === 0 || new Set(names).size < names.length) return undefined;
  const tests: TypeTest[] = [];
  for (const name of names) {
    const typeTest = typeof name === 'string' && Object.hasOwn(types, name) ? types[name] : undefined;
    if (!typeTest) return undefined;
    tests.push(typeTest);
  }
  return (value) => tests.some((typeTest) => typeTest(value));
}

function compileProperties(argument: unknown): QuickCheck | undefined {
  if (!isObject(argument)) return undefined;
  const checks: [key: string, check: QuickCheck][] = [];
  for (const [key, schema] of Object.entries(argument)) {
    const check = compilePlainSchema(schema);
    // Names that every object inherits are better left to the compiler.
    if (!check || key in Object.prototype) return undefined;
    checks.push([key, check]);
  }
  return (value) => !isObject(value) || checks.every(([key, check]) => !Object.hasOwn(value, key) || check(value[key]));
}

function compileRequired(argument: unknown): QuickCheck | undefined {
  if (!Array.isArray(argument) || !argument.every((key) => typeof key === 'string')) return undefined;
  if (new Set(argument).size < argument.length) return undefined;
  return (value) => !isObject(value) || argument.every((key) => Object.hasOwn(value, key) && value[key] !== undefined);
}

function bound(argument: unknown, fits: (value: number, limit: number) => boolean): QuickCheck | undefined {
  if (typeof argument !== 'number' || !Number.isFinite(argument)) return undefined;
  return (value) => typeof value !== 'number' || fits(value, argument);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPrimitive(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
