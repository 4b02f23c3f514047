import { nearest } from '../../kit/nearest.ts';
import type { Position, Problem } from '../model.ts';
import { showPath, type YamlPath, type YamlSource } from './yaml-source.ts';

/** Collects what is wrong with one file. */
export class Report {
  readonly problems: Problem[] = [];
  readonly file: string;
  readonly source: YamlSource;
  /** Where each node stands in the YAML. */
  readonly places = new WeakMap<object, YamlPath>();

  constructor(file: string, source: YamlSource) {
    this.file = file;
    this.source = source;
  }

  get hasErrors(): boolean {
    return this.problems.some((problem) => problem.severity === 'error');
  }

  error(path: YamlPath, code: string, message: string, extra: ProblemExtra = {}): void {
    this.#add('error', path, code, message, extra);
  }

  warn(path: YamlPath, code: string, message: string, extra: ProblemExtra = {}): void {
    this.#add('warning', path, code, message, extra);
  }

  #add(severity: Problem['severity'], path: YamlPath, code: string, message: string, extra: ProblemExtra): void {
    const { position = this.source.positionOf(path), ...about } = extra;
    this.problems.push({ severity, code, message, file: this.file, position, path: showPath(path), ...about });
  }
}

interface ProblemExtra {
  readonly position?: Position;
  readonly tool?: string;
  readonly node?: string;
}

/** A mapping of the file, read key by key; everything that does not fit is reported where it stands. */
export class Section {
  readonly report: Report;
  readonly path: YamlPath;
  readonly about: { tool?: string; node?: string };
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(
    report: Report,
    path: YamlPath,
    value: Readonly<Record<string, unknown>>,
    about: { tool?: string; node?: string } = {},
  ) {
    this.report = report;
    this.path = path;
    this.about = about;
    this.#value = value;
  }

  /** Undefined, with an error reported, when the value is no mapping. */
  static read(
    report: Report,
    path: YamlPath,
    value: unknown,
    what: string,
    about: { tool?: string; node?: string } = {},
  ): Section | undefined {
    if (isRecord(value)) return new Section(report, path, value, about);
    report.error(path, 'wrong-type', `${what} must be a mapping, not ${nameType(value)}`, about);
    return undefined;
  }

  get keys(): string[] {
    return Object.keys(this.#value);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#value, key) && this.#value[key] !== undefined && this.#value[key] !== null;
  }

  raw(key: string): unknown {
    return Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
  }

  at(...keys: (string | number)[]): YamlPath {
    return [...this.path, ...keys];
  }

  error(key: string, code: string, message: string): void {
    this.report.error(this.has(key) ? this.at(key) : this.path, code, message, this.about);
  }

  warn(key: string, code: string, message: string): void {
    this.report.warn(this.has(key) ? this.at(key) : this.path, code, message, this.about);
  }

  string(key: string): string | undefined {
    return this.#typed(key, 'a text', (value): value is string => typeof value === 'string');
  }

  requiredString(key: string, what: string): string | undefined {
    const value = this.string(key);
    if (!this.has(key)) this.report.error(this.path, 'missing-key', `${what} needs "${key}"`, this.about);
    else if (value === '') this.error(key, 'empty', `"${key}" must not be empty`);
    return value;
  }

  boolean(key: string): boolean | undefined {
    return this.#typed(key, 'true or false', (value): value is boolean => typeof value === 'boolean');
  }

  integer(key: string, least: number): number | undefined {
    return this.#typed(
      key,
      `a whole number of at least ${least}`,
      (value): value is number => Number.isSafeInteger(value) && (value as number) >= least,
    );
  }

  number(key: string, least: number, most: number): number | undefined {
    return this.#typed(
      key,
      `a number from ${least} to ${most}`,
      (value): value is number => typeof value === 'number' && value >= least && value <= most,
    );
  }

  oneOf<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.string(key);
    if (value === undefined || choices.includes(value as T)) return value as T | undefined;
    const help = hint(value, choices) || `; it can be ${list(choices)}`;
    this.error(key, 'wrong-value', `"${key}" cannot be "${value}"${help}`);
    return undefined;
  }

  list(key: string): unknown[] | undefined {
    return this.#typed(key, 'a list', (value): value is unknown[] => Array.isArray(value));
  }

  strings(key: string): string[] | undefined {
    const values = this.list(key);
    return values?.filter((value, index): value is string => {
      if (typeof value === 'string') return true;
      this.report.error(
        this.at(key, index),
        'wrong-type',
        `"${key}" must hold texts, not ${nameType(value)}`,
        this.about,
      );
      return false;
    });
  }

  section(key: string): Section | undefined {
    if (!this.has(key)) return undefined;
    return Section.read(this.report, this.at(key), this.raw(key), `"${key}"`, this.about);
  }

  record(key: string): Readonly<Record<string, unknown>> | undefined {
    return this.#typed(key, 'a mapping', isRecord);
  }

  /** Reports every key that means nothing here, with the nearest one that does. */
  allow(known: readonly string[], what: string, severity: Problem['severity'] = 'error'): void {
    for (const key of this.keys) {
      if (known.includes(key)) continue;
      const message = `${what} has no "${key}"${hint(key, known) || `; it has ${list(known)}`}`;
      const position = this.report.source.positionOfKey(this.at(key));
      const extra = { ...this.about, position };
      if (severity === 'error') this.report.error(this.at(key), 'unknown-key', message, extra);
      else this.report.warn(this.at(key), 'unknown-key', message, extra);
    }
  }

  #typed<T>(key: string, wanted: string, fits: (value: unknown) => value is T): T | undefined {
    if (!this.has(key)) return undefined;
    const value = this.raw(key);
    if (fits(value)) return value;
    this.error(key, 'wrong-type', `"${key}" must be ${wanted}, not ${nameType(value)}`);
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `; did you mean "next"?` */
export function hint(word: string, known: Iterable<string>): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}

export function list(words: Iterable<string>): string {
  return [...words].map((word) => `"${word}"`).join(', ');
}

export function nameType(value: unknown): string {
  if (value === null) return 'nothing';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 40))}`;
  return `the ${typeof value} ${String(value as number | boolean)}`;
}
