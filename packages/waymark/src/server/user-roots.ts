import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRoots, type Roots, ToolError } from '../kit/index.ts';

/**
 * The roots of whoever is calling: a directory of their own, then the shared ones. The caller is set
 * once around each request, so file tools need not know that there are several people.
 */
export class UserRoots implements Roots {
  readonly #caller = new AsyncLocalStorage<Roots>();
  readonly #known = new Map<string, Promise<Roots>>();
  readonly #directory: string;
  readonly #shared: readonly string[];

  constructor(directory: string, shared: readonly string[]) {
    this.#directory = directory;
    this.#shared = shared;
  }

  async runAs<T>(userId: string, work: () => Promise<T>): Promise<T> {
    let roots = this.#known.get(userId);
    if (!roots) {
      roots = this.#open(userId);
      this.#known.set(userId, roots);
      roots.catch(() => this.#known.delete(userId));
    }
    return this.#caller.run(await roots, work);
  }

  get directories(): readonly string[] {
    return this.#current().directories;
  }

  resolve(path: string): Promise<string> {
    return this.#current().resolve(path);
  }

  display(realPath: string): string {
    return this.#current().display(realPath);
  }

  #current(): Roots {
    const roots = this.#caller.getStore();
    if (!roots) throw new ToolError('PATH_OUTSIDE_ROOTS', 'Files can be reached only by somebody who has signed in');
    return roots;
  }

  async #open(userId: string): Promise<Roots> {
    const { own, owner } = placesOfUser(this.#directory, userId);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(owner, `${userId}\n`, { mode: 0o600 });
    return createRoots([own, ...this.#shared]);
  }
}

/** The directory of a user's own files, and the file that says whose it is. */
export function placesOfUser(directory: string, userId: string): { own: string; owner: string } {
  const own = join(directory, createHash('sha256').update(userId).digest('hex').slice(0, 32));
  return { own, owner: `${own}.owner` };
}

/** Where the server keeps a directory for each user. */
export function filesIn(dataDirectory: string): string {
  return join(dataDirectory, 'files');
}
