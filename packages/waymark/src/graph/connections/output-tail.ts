const maxLines = 50;
const maxLineLength = 500;

/** The last lines a server wrote to stderr, for the error that needs them. */
export class OutputTail {
  #lines: string[] = [];
  #unfinished = '';
  #written = 0;

  /** A position to ask `since` from. */
  get position(): number {
    return this.#written;
  }

  push(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = (lines.pop() ?? '').slice(-maxLineLength);
    for (const line of lines) this.add(line);
  }

  add(line: string): void {
    const plain = line.replaceAll(controlCharacters, '').trimEnd();
    if (plain === '') return;
    this.#written++;
    this.#lines.push(plain.length > maxLineLength ? `${plain.slice(0, maxLineLength)}…` : plain);
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  /** The kept lines written after `position`, oldest first. */
  since(position = 0): string[] {
    const wanted = this.#written - position;
    const lines = wanted > 0 ? this.#lines.slice(-wanted) : [];
    const rest = this.#unfinished.replaceAll(controlCharacters, '').trim();
    return rest === '' ? lines : [...lines, rest];
  }
}

// Terminal colours and other control characters must not travel into errors and logs.
// oxlint-disable-next-line no-control-regex
const controlCharacters = /\u001B\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000B-\u001F\u007F]/g;
