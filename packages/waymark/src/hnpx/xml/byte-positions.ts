/** Turns rising positions in a text into byte offsets of its UTF-8 form, in one pass over the text. */
export class BytePositions {
  readonly #text: string;
  readonly #isAscii: boolean;
  #position = 0;
  #byte = 0;

  constructor(text: string, byteLength: number) {
    this.#text = text;
    this.#isAscii = text.length === byteLength;
  }

  /** The byte offset of `position`, which must not lie before the last one asked for. */
  at(position: number): number {
    if (this.#isAscii) return position;
    let byte = this.#byte;
    for (let index = this.#position; index < position; index++) {
      const unit = this.#text.charCodeAt(index);
      // Each half of a surrogate pair stands for two of its four bytes.
      byte += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
    }
    this.#position = position;
    this.#byte = byte;
    return byte;
  }
}

/** Line and column (both from 1) of a position in a text. */
export function lineAndColumn(text: string, position: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: position - lineStart + 1 };
}
