import type { Mock } from '../engine.ts';

/** Mocks by node id, used up in order where there are several outputs. */
export class Mocks {
  readonly #mocks: Readonly<Record<string, Mock>>;
  readonly #taken = new Map<string, number>();

  constructor(mocks: Readonly<Record<string, Mock>>) {
    this.#mocks = mocks;
  }

  /** What replaces this execution of the node, if anything does. The last of several outputs stays. */
  take(node: string): { output: unknown } | { error: { code?: string; message: string } } | undefined {
    const mock = Object.hasOwn(this.#mocks, node) ? this.#mocks[node] : undefined;
    if (!mock || !('outputs' in mock)) return mock;
    const count = this.#taken.get(node) ?? 0;
    this.#taken.set(node, count + 1);
    return { output: mock.outputs[Math.min(count, mock.outputs.length - 1)] };
  }
}
