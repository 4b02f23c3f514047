import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./member.mjs', import.meta.url));

export interface Failure {
  readonly code: string | undefined;
  readonly message: string;
}

/** A child process with the store open, asked over IPC. */
export class Member {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  #nextId = 1;
  /** Everything it said that answers nothing: rows written, notifications heard. */
  readonly said: Record<string, unknown>[] = [];
  #onSaid: () => void = () => {};

  constructor(options: { readonly uid?: number; readonly gid?: number } = {}) {
    this.#child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...options });
    this.#child.on('message', (message: Record<string, unknown>) => {
      const pending = this.#pending.get(message['id'] as number);
      if (!pending) {
        this.said.push(message);
        this.#onSaid();
      } else if ('error' in message) {
        const { code, message: text } = message['error'] as Failure;
        pending.reject(Object.assign(new Error(text), { code }));
      } else {
        pending.resolve(message['result']);
      }
      this.#pending.delete(message['id'] as number);
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#pending.values()) reject(Object.assign(new Error('killed'), { code: 'KILLED' }));
      this.#pending.clear();
    });
  }

  ask<T = unknown>(command: string, parameters: Record<string, unknown> = {}): Promise<T> {
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.send({ id, command, ...parameters });
    });
  }

  query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.ask<Row[]>('query', { text, values });
  }

  /** Waits until it has said enough. */
  async until(enough: (said: readonly Record<string, unknown>[]) => boolean): Promise<void> {
    while (!enough(this.said)) await new Promise<void>((resolve) => (this.#onSaid = resolve));
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
