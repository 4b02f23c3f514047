import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { nearest, type Roots, ToolError } from '../kit/index.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { Problem, Sop } from './model.ts';

/** Fetches an SOP by URL; given only where the operator allows it. */
export type FetchText = (url: string, signal: AbortSignal) => Promise<string>;

export interface LoadedSop {
  readonly sop: Sop;
  /** The file as it may be shown: relative to its root, or the URL. */
  readonly file: string;
  readonly warnings: readonly Problem[];
}

/** Of an SOP file, in bytes. */
export const sizeLimit = 2 * 1024 * 1024;
const keptSops = 256;
const watchedFiles = 1000;
const statEveryMilliseconds = 1000;

interface WatchedFile {
  readonly path: string;
  readonly stamp: string;
  checkedAt: number;
  changed: boolean;
}

/** The SOPs of this process, parsed once per content and shared by all conversations. */
export class Library {
  readonly #roots: Roots;
  readonly #log: ConversationLog;
  readonly #fetchText: FetchText | undefined;
  readonly #byHash = new Map<string, { sop: Sop; warnings: readonly Problem[] }>();
  readonly #files = new Map<string, WatchedFile>();
  /** Files the operator named, by agent. They may lie outside the roots. */
  readonly #named = new Map<string, string>();

  constructor(roots: Roots, log: ConversationLog, fetchText: FetchText | undefined) {
    this.#roots = roots;
    this.#log = log;
    this.#fetchText = fetchText;
  }

  /** Reads a file the operator named; from then on its agent's name stands for it. */
  async offer(path: string): Promise<Sop> {
    const { text } = await readText(path, path);
    const { sop } = await this.#parse(text, path, nameOf(path));
    this.#named.set(sop.agent, path);
    return sop;
  }

  /** The agents whose files the operator named. */
  get agents(): readonly string[] {
    return [...this.#named.keys()];
  }

  /** Those files, as they may be shown. */
  namedFiles(): Promise<{ agent: string; shown: string; modifiedAt: string }[]> {
    return Promise.all(
      [...this.#named].map(async ([agent, path]) => {
        const modified = await stat(path).then(
          ({ mtime }) => mtime,
          () => new Date(0),
        );
        return { agent, shown: this.#roots.display(path), modifiedAt: modified.toISOString() };
      }),
    );
  }

  async load(file: string, signal: AbortSignal): Promise<LoadedSop> {
    const { text, name, shown, watch } = await this.read(file, signal);
    const loaded = await this.#parse(text, shown, name);
    if (watch) this.#watch(`${shown}\n${loaded.sop.hash}`, watch);
    return loaded;
  }

  /** The text of an SOP by path, URL or agent name; `shown` is how it may be called in answers. */
  async read(
    file: string,
    signal: AbortSignal,
  ): Promise<{ text: string; name: string; shown: string; watch?: { path: string; stamp: string } }> {
    if (/^https?:\/\//i.test(file)) {
      return { text: await this.#fetch(file, signal), name: nameOf(new URL(file).pathname), shown: file };
    }
    const path = await this.#locate(file);
    const { text, stamp } = await readText(path, file);
    return { text, name: nameOf(path), shown: this.#roots.display(path), watch: { path, stamp } };
  }

  /** The SOP a conversation is bound to, also after a restart or when its file has changed since. */
  async byHash(hash: string, agent: string): Promise<Sop | undefined> {
    const known = this.#byHash.get(hash);
    if (known) return known.sop;
    const text = await this.#log.readSource(hash);
    if (text === undefined) return undefined;
    const { parseSop } = await import('./parse-sop.ts');
    const { sop, warnings } = parseSop(text, agent);
    if (sop?.hash !== hash) return undefined;
    this.#remember(sop, warnings);
    return sop;
  }

  /** Whether the file has changed since it was loaded. Looks at its date at most once a second. */
  async isStale(file: string, hash: string, now: number): Promise<boolean> {
    const watched = this.#files.get(`${file}\n${hash}`);
    if (!watched) return false;
    if (watched.changed || now - watched.checkedAt < statEveryMilliseconds) return watched.changed;
    watched.checkedAt = now;
    const current = await stat(watched.path).then(stampOf, () => undefined);
    watched.changed = current !== watched.stamp;
    return watched.changed;
  }

  #watch(key: string, { path, stamp }: { path: string; stamp: string }): void {
    this.#files.delete(key);
    this.#files.set(key, { path, stamp, checkedAt: 0, changed: false });
    const [oldest] = this.#files.keys();
    if (this.#files.size > watchedFiles && oldest !== undefined) this.#files.delete(oldest);
  }

  async #fetch(url: string, signal: AbortSignal): Promise<string> {
    if (this.#fetchText) return this.#fetchText(url, signal);
    throw new ToolError('URLS_NOT_ALLOWED', 'Loading an SOP from a URL is switched off; give a file instead', {
      sop_file: url,
    });
  }

  async #parse(text: string, file: string, name: string): Promise<LoadedSop> {
    const { hashOf, parseSop } = await import('./parse-sop.ts');
    const known = this.#byHash.get(hashOf(text));
    if (known) return { ...known, file };
    const { sop, errors, warnings } = parseSop(text, name);
    if (!sop) throw invalidSop(file, errors, warnings);
    this.#remember(sop, warnings);
    this.#log.saveSource(sop.hash, text);
    return { sop, file, warnings };
  }

  #remember(sop: Sop, warnings: readonly Problem[]): void {
    this.#byHash.set(sop.hash, { sop, warnings });
    if (this.#byHash.size <= keptSops) return;
    const [oldest] = this.#byHash.keys();
    if (oldest !== undefined) this.#byHash.delete(oldest);
  }

  async #locate(file: string): Promise<string> {
    const named = this.#named.get(file.trim());
    if (named !== undefined) return named;
    const wanted = file.startsWith('file://') ? decodeURIComponent(new URL(file).pathname) : file;
    const path = await this.#roots.resolve(wanted);
    const status = await stat(path).catch(() => undefined);
    if (status?.isDirectory()) return this.#fileOfDirectory(path, file);
    if (status?.isFile()) return path;
    if (status) throw new ToolError('NOT_A_FILE', `"${file}" is not a file`, { sop_file: file });
    const siblings = await readdir(dirname(path)).catch(() => []);
    const suggestion = nearest(basename(path), siblings);
    const hint = suggestion ? `; did you mean "${this.#roots.display(join(dirname(path), suggestion))}"?` : '';
    throw new ToolError('FILE_NOT_FOUND', `"${file}" does not exist${hint}`, { sop_file: file });
  }

  /** A directory stands for the AGENTS.md in it. */
  async #fileOfDirectory(path: string, file: string): Promise<string> {
    const inside = join(path, 'AGENTS.md');
    if ((await stat(inside).catch(() => undefined))?.isFile()) return this.#roots.resolve(inside);
    const names = (await readdir(path)).filter((name) => name.endsWith('.md')).slice(0, 20);
    const hint = names.length > 0 ? ` It holds: ${names.join(', ')}` : '';
    throw new ToolError('IS_A_DIRECTORY', `"${file}" is a directory without an AGENTS.md; name a file in it.${hint}`, {
      sop_file: file,
    });
  }
}

async function readText(path: string, file: string): Promise<{ text: string; stamp: string }> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (!handle) throw new ToolError('FILE_NOT_READABLE', `"${file}" cannot be read`, { sop_file: file });
  try {
    const status = await handle.stat();
    if (status.size > sizeLimit) {
      const size = `${Math.ceil(status.size / 1024 / 1024)} MB`;
      throw new ToolError('FILE_TOO_LARGE', `"${file}" has ${size}; an SOP may have up to 2 MB`, { sop_file: file });
    }
    return { text: decodeText(await handle.readFile(), file), stamp: stampOf(status) };
  } finally {
    await handle.close();
  }
}

export function decodeText(bytes: Uint8Array, file: string): string {
  try {
    // The byte order mark stays, so that positions and edits fit the file.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Told below, like any other file that is not text.
  }
  throw new ToolError('NOT_TEXT', `"${file}" is not a UTF-8 text file`, { sop_file: file });
}

function stampOf({ mtimeMs, size }: { mtimeMs: number; size: number }): string {
  return `${mtimeMs}/${size}`;
}

function nameOf(path: string): string {
  const name = basename(path, extname(path));
  return /^(?:agents|sop|index|readme)$/i.test(name) ? basename(dirname(path)) || name : name;
}

function invalidSop(file: string, errors: readonly Problem[], warnings: readonly Problem[]): ToolError {
  const wire = ({ line, column, code, message }: Problem) => ({ line, col: column, code, message });
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const summary = first ? `line ${first.line}, column ${first.column}: ${first.message}${more}` : 'it has errors';
  return new ToolError('INVALID_SOP', `Cannot load "${file}": ${summary}`, {
    sop_file: file,
    errors: errors.map(wire),
    ...(warnings.length > 0 ? { warnings: warnings.map(wire) } : {}),
  });
}
