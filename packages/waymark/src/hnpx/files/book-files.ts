import { accessSync, type BigIntStats, constants, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Roots, ToolError } from '../../kit/index.ts';
import { Book } from '../book/book.ts';
import { withDeclaration } from '../book/splice.ts';
import type { Edited } from '../edit/edit.ts';
import type { Limits } from '../model.ts';
import { createDurably, removeLeftovers, writeDurably } from './durable-write.ts';
import { alreadyExists, cannotCreate, errnoOf, fileError, fileNotFound } from './file-errors.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';
import { type FileSignature, isSameFile, isYoung, signatureOf, statFile } from './file-signature.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { revisionOf } from './revision.ts';

/** A book as it lies on disk. */
export interface OpenBook {
  readonly book: Book;
  readonly revision: string;
  /** The real path. Never shown to a client. */
  readonly path: string;
}

export interface ChangeOptions {
  /** Refuse when the file is no longer at this revision. */
  readonly expectedRevision?: string | null | undefined;
  readonly signal?: AbortSignal;
  /** Write the bytes as they are, also without an XML declaration: going back must end where it began. */
  readonly isVerbatim?: boolean;
  /** Runs under the lock, before a changed book is written. */
  readonly beforeWrite?: (current: OpenBook) => void | Promise<void>;
  /** Runs under the lock, after a changed book was written. */
  readonly afterWrite?: (current: OpenBook, written: OpenBook) => void;
}

export interface ChangeOutcome<Result> {
  readonly result: Result;
  readonly current: OpenBook;
  readonly isChanged: boolean;
}

interface Cached extends OpenBook {
  readonly signature: FileSignature;
  /** The signature alone proves that the file is unchanged. */
  isSettled: boolean;
}

const maxCachedBytes = 128 * 1024 * 1024;
const maxReapplications = 5;

/** Reads and writes book files: cached, locked across processes, atomic and durable. */
export class BookFiles {
  readonly #roots: Roots;
  readonly #limits: Limits;
  readonly #mutex = new KeyedMutex();
  /** Least recently used first. */
  readonly #cache = new Map<string, Cached>();

  constructor({ roots, limits }: { roots: Roots; limits: Limits }) {
    this.#roots = roots;
    this.#limits = limits;
  }

  async read(filePath: string): Promise<OpenBook> {
    const path = await this.resolve(filePath);
    return this.#load(path, filePath);
  }

  /** The real path of a book inside the roots. */
  async resolve(filePath: string): Promise<string> {
    try {
      return await this.#roots.resolve(filePath);
    } catch (error) {
      if (!(error instanceof ToolError)) throw fileError(error, filePath, 'read') ?? error;
      if (error.code === 'FILE_NOT_FOUND') throw fileNotFound(filePath);
      if (error.code !== 'PATH_OUTSIDE_ROOTS') throw error;
      throw new ToolError('INVALID_PATH', 'Path is outside the allowed roots', { file_path: filePath });
    }
  }

  async #resolveNew(filePath: string): Promise<string> {
    try {
      return await this.resolve(filePath);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      throw cannotCreate(filePath, error.code === 'FILE_NOT_FOUND' ? {} : { reason: error.message });
    }
  }

  /** A path as it may be shown. */
  display(realPath: string): string {
    return this.#roots.display(realPath);
  }

  async create(filePath: string, bytes: Buffer): Promise<OpenBook> {
    const path = await this.#resolveNew(filePath);
    const book = Book.parse(bytes);
    try {
      await createDurably(path, bytes);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EEXIST') throw alreadyExists(filePath);
      throw errno === undefined ? error : cannotCreate(filePath, { errno });
    }
    return this.#remember({ book, revision: revisionOf(bytes), path, signature: signatureOf(statFile(path)) }, true);
  }

  /** Writes something made from a book, never over a book. */
  async writeOther(filePath: string, bytes: Buffer, overwrite: boolean): Promise<void> {
    const path = await this.#resolveNew(filePath);
    if (/\.hnpx$/i.test(path)) throw cannotCreate(filePath);
    try {
      const previous = overwrite ? statSync(path, { throwIfNoEntry: false }) : undefined;
      if (previous) await writeDurably({ path, bytes, previous });
      else await createDurably(path, bytes);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EEXIST') throw alreadyExists(filePath);
      throw errno === undefined ? error : cannotCreate(filePath, { errno });
    }
  }

  /** Applies an edit to the file's present state and writes the outcome, or nothing at all. */
  async change<Result>(
    filePath: string,
    edit: (book: Book, current: OpenBook) => Edited<Result>,
    options: ChangeOptions = {},
  ): Promise<ChangeOutcome<Result>> {
    const path = await this.resolve(filePath);
    return this.#mutex.run(path, async () => {
      this.#requireFile(path, filePath);
      try {
        accessSync(path, constants.R_OK | constants.W_OK);
        const lock = await acquireFileLock(`${path}.lock`, this.#limits.lockWaitMs, options.signal);
        try {
          if (lock.wasTakenOver) removeLeftovers(path);
          return await this.#changeLocked(path, filePath, edit, options, lock);
        } finally {
          lock.release();
        }
      } catch (error) {
        throw fileError(error, filePath, 'write') ?? error;
      }
    });
  }

  async #changeLocked<Result>(
    path: string,
    filePath: string,
    edit: (book: Book, current: OpenBook) => Edited<Result>,
    options: ChangeOptions,
    lock: FileLock,
  ): Promise<ChangeOutcome<Result>> {
    for (let attempt = 0; ; attempt++) {
      const current = await this.#load(path, filePath);
      const { expectedRevision } = options;
      if (expectedRevision && expectedRevision !== current.revision) throw conflict(expectedRevision, current.revision);
      const { book: edited, result } = edit(current.book, current);
      if (edited === current.book) return { result, current, isChanged: false };
      const complete = options.isVerbatim ? edited : withDeclaration(edited);
      this.#checkSize(complete.bytes.length, filePath);
      await options.beforeWrite?.(current);
      try {
        const written = await this.#write(current, complete, lock);
        options.afterWrite?.(current, written);
        return { result, current: written, isChanged: true };
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        // A program that knows no lock saved the file: do the edit again on what it wrote.
        if (expectedRevision || attempt >= maxReapplications) throw conflict(current.revision);
      }
    }
  }

  async #write(current: Cached, book: Book, lock: FileLock): Promise<OpenBook> {
    const { path } = current;
    const previous = statFile(path);
    const writing = writeDurably({
      path,
      bytes: book.bytes,
      previous: { mode: Number(previous.mode), uid: Number(previous.uid), gid: Number(previous.gid) },
      beforeReplace() {
        if (lock.isHeld() && isSameFile(signatureOf(statFile(path)), current.signature)) return;
        throw new ChangedMeanwhile();
      },
    });
    // The checksum is made while the disk syncs.
    const revision = revisionOf(book.bytes);
    await writing;
    return this.#remember({ book, revision, path, signature: signatureOf(statFile(path)) }, true);
  }

  async #load(path: string, filePath: string): Promise<Cached> {
    const signature = signatureOf(this.#requireFile(path, filePath));
    const cached = this.#cache.get(path);
    const isUnchanged = cached !== undefined && isSameFile(cached.signature, signature);
    if (isUnchanged && cached.isSettled) return this.#touch(cached);
    const isSettled = !isYoung(signature, Date.now());
    const bytes = await readFile(path).catch((error: unknown) => {
      throw fileError(error, filePath, 'read') ?? error;
    });
    this.#checkSize(bytes.length, filePath);
    const revision = revisionOf(bytes);
    if (isUnchanged && cached.revision === revision) {
      cached.isSettled = isSettled;
      return this.#touch(cached);
    }
    return this.#remember({ book: Book.parse(bytes), revision, path, signature }, isSettled);
  }

  #requireFile(path: string, filePath: string): BigIntStats {
    let stat: BigIntStats;
    try {
      stat = statFile(path);
    } catch (error) {
      throw fileError(error, filePath, 'read') ?? error;
    }
    if (!stat.isFile()) {
      const what = stat.isDirectory() ? 'a directory' : 'not a regular file';
      throw new ToolError('INVALID_PATH', `Cannot read ${filePath}: it is ${what}`, { file_path: filePath });
    }
    this.#checkSize(Number(stat.size), filePath);
    return stat;
  }

  #checkSize(size: number, filePath: string): void {
    const { maxFileBytes } = this.#limits;
    if (size <= maxFileBytes) return;
    const message = `${filePath} has ${size} bytes; the limit is ${maxFileBytes}`;
    throw new ToolError('FILE_TOO_LARGE', message, { file_path: filePath, size, limit: maxFileBytes });
  }

  #touch(cached: Cached): Cached {
    this.#cache.delete(cached.path);
    this.#cache.set(cached.path, cached);
    return cached;
  }

  #remember(entry: Omit<Cached, 'isSettled'>, isSettled: boolean): Cached {
    const cached = this.#touch({ ...entry, isSettled });
    let total = 0;
    for (const { book } of this.#cache.values()) total += book.bytes.length;
    for (const [path, { book }] of this.#cache) {
      if (total <= maxCachedBytes || path === cached.path) break;
      this.#cache.delete(path);
      total -= book.bytes.length;
    }
    return cached;
  }
}

class ChangedMeanwhile extends Error {}

function conflict(expected: string, current?: string): ToolError {
  return new ToolError('CONFLICT', `Document changed since revision ${expected}`, {
    expected_revision: expected,
    ...(current ? { revision: current } : {}),
  });
}
