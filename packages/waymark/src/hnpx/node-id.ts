import { ToolError } from '../kit/index.ts';

const length = 6;
const space = 36 ** length;
const pattern = /^[a-z0-9]{6}$/;

export function isNodeId(text: string): boolean {
  return pattern.test(text);
}

/** Six characters of base 36 fit in 32 bits, so an index of ids is a flat array of numbers. */
export function packId(id: string): number {
  return Number.parseInt(id, 36);
}

export function unpackId(packed: number): string {
  return packed.toString(36).padStart(length, '0');
}

/** A uniformly random integer in [0, bound). The server's is `crypto.randomInt`. */
export type RandomInteger = (bound: number) => number;

const attempts = 3;

export function newNodeId(random: RandomInteger, isTaken: (packed: number) => boolean): string {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const packed = random(space);
    if (!isTaken(packed)) return unpackId(packed);
  }
  throw new ToolError('DUPLICATE_ID', 'Could not generate a unique id', { attempts, retryable: true });
}
