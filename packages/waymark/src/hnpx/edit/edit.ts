import type { Book } from '../book/book.ts';
import type { Limits } from '../model.ts';
import { newNodeId, type RandomInteger } from '../node-id.ts';

/** What an edit may use besides the book and its arguments. */
export interface EditTools {
  readonly random: RandomInteger;
  readonly limits: Limits;
}

/** A new book and what to tell about it. The old book is untouched, so nothing needs to be rolled back. */
export interface Edited<Result> {
  readonly book: Book;
  readonly result: Result;
}

export function freshId(book: Book, { random }: EditTools): string {
  return newNodeId(random, (packed) => book.hasPacked(packed));
}
