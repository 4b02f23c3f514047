/** What an expression can see: the latest outputs as its input, the history through functions. */
export interface ExpressionScope {
  /** Latest output by node id; no prototype, so that any id is safe. */
  readonly context: Readonly<Record<string, unknown>>;
  /** `$constants`. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** The output of the n-th execution before this one, 1 being the last; undefined when there is none. */
  previous(steps: number): unknown;
  count(node: string): number;
  /** Negative indexes count from the end. */
  execution(node: string, index: number): unknown;
  executions(node: string): readonly unknown[];
}

/** A scope over plain data, for expressions outside a run. */
export function dataScope(
  context: Readonly<Record<string, unknown>>,
  constants: Readonly<Record<string, unknown>> = {},
): ExpressionScope {
  return {
    context,
    constants,
    previous: () => undefined,
    count: () => 0,
    execution: () => undefined,
    executions: () => [],
  };
}
