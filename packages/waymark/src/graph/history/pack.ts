import { createHash } from 'node:crypto';

/** A part of a value, stored once under the hash of its text. */
export interface Blob {
  readonly hash: string;
  readonly text: string;
}

export interface Packed {
  /** JSON text of the value, with large parts replaced by `{"$":"<hash>"}`. */
  readonly text: string;
  /** The parts this packer has not handed out before. */
  readonly blobs: readonly Blob[];
}

const inlineLimit = 512;
const fanOut = 32;

/**
 * Turns values into small texts and content-addressed parts. A value that grows by a little with
 * every step of a loop then costs a little per step, not its whole size: equal parts have equal
 * hashes, and long arrays are trees whose finished branches no longer change.
 *
 * Values are taken as immutable: an object met again is not walked again.
 */
export class Packer {
  readonly #known = new WeakMap<object, string>();
  readonly #given = new Set<string>();

  pack(value: unknown): Packed {
    const blobs: Blob[] = [];
    let text: string;
    try {
      text = this.#pack(value, blobs) ?? 'null';
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      text = '"[too deeply nested to record]"';
    }
    for (const blob of blobs) this.#given.add(blob.hash);
    return { text, blobs };
  }

  #pack(value: unknown, blobs: Blob[]): string | undefined {
    if (typeof value === 'bigint') return `"${value}"`;
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value) as string | undefined;
      return text === undefined ? undefined : this.#settle(text, blobs);
    }
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = this.#packObject(value, blobs);
    if (text !== undefined) this.#known.set(value, text);
    return text;
  }

  #packObject(value: object, blobs: Blob[]): string | undefined {
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#pack(value.toJSON(), blobs);
    if (Array.isArray(value)) return this.#packArray(value, blobs);
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const text = this.#pack(item, blobs);
      return text === undefined ? [] : [[JSON.stringify(key), text] as const];
    });
    if (Object.hasOwn(value, '$')) {
      return this.#settle(`{"$":{"o":[${entries.map(([key, text]) => `[${key},${text}]`).join(',')}]}}`, blobs);
    }
    return this.#settle(`{${entries.map(([key, text]) => `${key}:${text}`).join(',')}}`, blobs);
  }

  #packArray(items: readonly unknown[], blobs: Blob[]): string {
    let level = Array.from(items, (item) => this.#pack(item, blobs) ?? 'null');
    let wrap = (texts: readonly string[]) => `[${texts.join(',')}]`;
    while (level.length > fanOut) {
      const groups: string[] = [];
      for (let start = 0; start < level.length; start += fanOut) {
        groups.push(this.#settle(wrap(level.slice(start, start + fanOut)), blobs));
      }
      level = groups;
      wrap = (texts) => `{"$":{"c":[${texts.join(',')}]}}`;
    }
    return this.#settle(wrap(level), blobs);
  }

  #settle(text: string, blobs: Blob[]): string {
    if (text.length <= inlineLimit) return text;
    const hash = hashText(text);
    if (!this.#given.has(hash)) blobs.push({ hash, text });
    return `{"$":"${hash}"}`;
  }
}

/** SHA-256 of the text, cut to 128 bits, in hexadecimal. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const reference = /\{"\$":"([0-9a-f]{32})"\}/g;

/** The hashes a packed text points at. May name too many (a string can look like one), never too few. */
export function referencesOf(text: string): string[] {
  return Array.from(text.matchAll(reference), (match) => match[1] as string);
}

/** The value behind a packed text. */
export function unpack(text: string, blobs: ReadonlyMap<string, string>): unknown {
  const opened = new Map<string, unknown>();
  const open = (packed: unknown): unknown => {
    if (Array.isArray(packed)) return packed.map(open);
    if (typeof packed !== 'object' || packed === null) return packed;
    if (!Object.hasOwn(packed, '$')) {
      const result: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(packed)) define(result, key, open(item));
      return result;
    }
    const { $: marker } = packed as { $: string | { o?: [string, unknown][]; c?: unknown[] } };
    if (typeof marker === 'string') return openReference(marker);
    if (marker.c) return marker.c.flatMap((part) => open(part) as unknown[]);
    const result: Record<string, unknown> = {};
    for (const [key, item] of marker.o ?? []) define(result, key, open(item));
    return result;
  };
  const openReference = (hash: string): unknown => {
    if (opened.has(hash)) return opened.get(hash);
    const found = blobs.get(hash);
    const value = found === undefined ? '[no longer stored]' : open(JSON.parse(found));
    opened.set(hash, value);
    return value;
  };
  return open(JSON.parse(text));
}

/** Assigns without meaning anything special by `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
