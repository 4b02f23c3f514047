import type { GraphDocument, Problem, ServerDefinition } from './model.ts';

export interface LoadOptions {
  /** Shown in messages. */
  readonly file: string;
  /** Where relative paths start; the file's own directory by default. */
  readonly directory?: string;
  /** Servers of the file given with `-m`; the graph's own win. */
  readonly externalServers?: ReadonlyMap<string, ServerDefinition>;
  /** What `${VAR}` is read from. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Text of another graph file that a `call` node names; absent: such calls are errors. */
  readonly readGraph?: (path: string) => string;
}

export type LoadResult =
  | { readonly ok: true; readonly document: GraphDocument; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the text of a graph file. Pure: everything it needs is given, every mistake is in `problems`. */
export declare function loadGraph(source: string, options: LoadOptions): LoadResult;
