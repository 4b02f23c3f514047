/** Containers already known to be plain JSON, so that a large value is walked only once however often it is passed on. */
const known = new WeakSet<object>();

export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError';
}

/**
 * JSONata answers with arrays that carry hidden flags, objects without prototype, and now and then
 * functions. This gives the same value as plain JSON data; parts that are plain already are kept as they are.
 */
export function toPlain(value: unknown, maxLength = Infinity): unknown {
  if (typeof value === 'function') return undefined;
  if (typeof value === 'string' && value.length > maxLength) {
    throw new PayloadTooLargeError(`A text of ${value.length} characters is over the limit of ${maxLength}`);
  }
  if (typeof value !== 'object' || value === null || known.has(value)) return value;
  if (isJsonataFunction(value)) return undefined;
  return Array.isArray(value) ? plainArray(value, maxLength) : plainObject(value as Record<string, unknown>, maxLength);
}

/** Marks data that came from JSON, or that an expression built only from such data. */
export function markPlain<T extends object>(value: T): T {
  known.add(value);
  return value;
}

function plainArray(array: unknown[], maxLength: number): unknown[] {
  const isPlain = !Object.hasOwn(array, 'sequence') && !Object.hasOwn(array, 'cons');
  let copy: unknown[] | undefined = isPlain ? undefined : [];
  for (let index = 0; index < array.length; index++) {
    const item = array[index];
    const plain = toPlain(item, maxLength) ?? null;
    if (copy === undefined && plain !== item) copy = array.slice(0, index);
    copy?.push(plain);
  }
  return markPlain(copy ?? array);
}

function plainObject(object: Record<string, unknown>, maxLength: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined = Object.getPrototypeOf(object) === null ? {} : undefined;
  const keys = Object.keys(object);
  for (const [position, key] of keys.entries()) {
    const value = object[key];
    const plain = toPlain(value, maxLength);
    if (copy === undefined && (plain !== value || plain === undefined)) {
      copy = {};
      for (const earlier of keys.slice(0, position)) setOwn(copy, earlier, object[earlier]);
    }
    if (copy !== undefined && plain !== undefined) setOwn(copy, key, plain);
  }
  return markPlain(copy ?? object);
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function isJsonataFunction(value: object): boolean {
  return '_jsonata_function' in value || '_jsonata_lambda' in value;
}
