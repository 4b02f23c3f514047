import type { Secret } from '../model.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Replaces `${VAR}` and `${VAR:-default}`; `$${` stands for a literal `${`. */
export class Variables {
  readonly #environment: Environment;
  readonly #secrets = new Map<string, Secret>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The values that came from the environment. */
  get secrets(): readonly Secret[] {
    return [...this.#secrets.values()];
  }

  /** The text with its variables filled in, what they were, and the names of those that are not set. */
  fill(text: string): { value: string; missing: string[]; secrets: Secret[] } {
    const missing: string[] = [];
    const secrets: Secret[] = [];
    const value = text.replace(reference, (match, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return '${';
      const found = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined;
      if (found !== undefined && found !== '') {
        secrets.push({ name, value: found });
        this.#secrets.set(name, { name, value: found });
        return found;
      }
      if (fallback !== undefined) return fallback;
      missing.push(name);
      return match;
    });
    return { value, missing, secrets };
  }

  /** Fills every text inside a value. */
  fillDeep(value: unknown, missing: string[]): unknown {
    if (typeof value === 'string') {
      const filled = this.fill(value);
      missing.push(...filled.missing);
      return filled.value;
    }
    if (Array.isArray(value)) return value.map((item) => this.fillDeep(item, missing));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fillDeep(item, missing)]));
  }
}
