/**
 * Containers known to be plain JSON, with about how long they are as JSON. A large value is walked
 * only once however often it is passed on, and a value that repeats a part of itself is measured
 * with every repetition although it is stored once.
 */
const known = new WeakMap<object, number>();

export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError';
}

/**
 * JSONata answers with arrays that carry hidden flags, objects without prototype, and now and then
 * functions. This gives the same value as plain JSON data; parts that are plain already are kept as they are.
 * @throws PayloadTooLargeError when its JSON would be longer than `maxLength`
 */
export function toPlain(value: unknown, maxLength = Infinity): unknown {
  const walk = new Walk();
  const plain = walk.convert(value);
  if (walk.length > maxLength) {
    throw new PayloadTooLargeError(`The value is about ${walk.length} characters long, over the limit of ${maxLength}`);
  }
  return plain;
}

class Walk {
  /** Of the value converted last. */
  length = 0;
  readonly #copies = new Map<object, object>();

  convert(value: unknown): unknown {
    if (typeof value === 'string') {
      this.length = value.length + 2;
      return value;
    }
    if (typeof value !== 'object' || value === null) {
      this.length = 5;
      return typeof value === 'function' ? undefined : value;
    }
    const plain = (this.#copies.get(value) as typeof value | undefined) ?? value;
    const length = known.get(plain);
    if (length !== undefined) {
      this.length = length;
      return plain;
    }
    if (isJsonataFunction(value)) return undefined;
    const converted = Array.isArray(value) ? this.#array(value) : this.#object(value as Record<string, unknown>);
    known.set(converted, this.length);
    if (converted !== value) this.#copies.set(value, converted);
    return converted;
  }

  #array(array: unknown[]): unknown[] {
    const isPlain = !Object.hasOwn(array, 'sequence') && !Object.hasOwn(array, 'cons');
    let copy: unknown[] | undefined = isPlain ? undefined : [];
    let length = 2;
    for (let index = 0; index < array.length; index++) {
      const item = array[index];
      const plain = this.convert(item) ?? null;
      length += this.length + 1;
      if (copy === undefined && plain !== item) copy = array.slice(0, index);
      copy?.push(plain);
    }
    this.length = length;
    return copy ?? array;
  }

  #object(object: Record<string, unknown>): Record<string, unknown> {
    let copy: Record<string, unknown> | undefined = Object.getPrototypeOf(object) === null ? {} : undefined;
    let length = 2;
    const keys = Object.keys(object);
    for (let position = 0; position < keys.length; position++) {
      const key = keys[position] as string;
      const value = object[key];
      const plain = this.convert(value);
      if (plain !== undefined) length += key.length + this.length + 4;
      if (copy === undefined && (plain !== value || plain === undefined)) {
        copy = {};
        for (const earlier of keys.slice(0, position)) setOwn(copy, earlier, object[earlier]);
      }
      if (copy !== undefined && plain !== undefined) setOwn(copy, key, plain);
    }
    this.length = length;
    return copy ?? object;
  }
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function isJsonataFunction(value: object): boolean {
  return Object.hasOwn(value, '_jsonata_function') || Object.hasOwn(value, '_jsonata_lambda');
}
