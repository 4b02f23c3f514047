const edge = 512;
const newline = 0x0a;

/** A line that was longer than allowed: its middle is gone, its ends are kept to tell what it was. */
export interface OversizedLine {
  readonly oversized: true;
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

/** Splits bytes into lines and never holds more than `maxBytes` of one, whatever the other side sends. */
export class BoundedLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(chunk: Uint8Array): Generator<string | OversizedLine> {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(newline); end !== -1; end = buffer.indexOf(newline, start)) {
      this.#append(buffer.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#append(buffer.subarray(start));
  }

  #append(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#head) {
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-edge)]).subarray(-edge);
      return;
    }
    if (piece.length > 0) this.#parts.push(piece);
    if (this.#bytes <= this.#maxBytes) return;
    const kept = Buffer.concat(this.#parts);
    this.#head = Buffer.from(kept.subarray(0, edge));
    this.#tail = Buffer.from(kept.subarray(-edge));
    this.#parts = [];
  }

  #take(): string | OversizedLine {
    const line = this.#head
      ? ({
          oversized: true,
          bytes: this.#bytes,
          head: this.#head.toString('utf8'),
          tail: this.#tail.toString('utf8'),
        } as const)
      : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
    return line;
  }
}
