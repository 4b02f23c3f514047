/** The outputs along one line of execution, so that `$previousNode(n)` is a look-up. A branch goes on from where its parent stood. */
export class Chain {
  readonly #outputs: unknown[] = [];
  readonly #parent: Chain | undefined;
  readonly #parentLength: number;

  constructor(parent?: Chain) {
    this.#parent = parent;
    this.#parentLength = parent ? parent.length : 0;
  }

  get length(): number {
    return this.#parentLength + this.#outputs.length;
  }

  push(output: unknown): void {
    this.#outputs.push(output);
  }

  replaceLast(output: unknown): void {
    if (this.#outputs.length > 0) this.#outputs[this.#outputs.length - 1] = output;
  }

  /** The n-th output from the end, 1 being the last. */
  previous(steps: number): unknown {
    return this.#at(this.length - steps);
  }

  #at(index: number): unknown {
    if (index >= this.length || index < 0) return undefined;
    if (index >= this.#parentLength) return this.#outputs[index - this.#parentLength];
    return this.#parent === undefined ? undefined : this.#parent.#at(index);
  }
}
