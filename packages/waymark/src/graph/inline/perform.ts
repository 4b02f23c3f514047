import type { OutputCache } from '../cache.ts';
import { compileNode } from '../compile.ts';
import { NodeFailure } from '../errors.ts';
import { after, type MaybePromise } from '../expressions/maybe-promise.ts';
import type { Execution } from './executions.ts';
import { executeNode, inputOf, type Surroundings } from './execute.ts';
import type { Mocks, Substitute } from './mocks.ts';

/** The node goes on through others; it ends when they have. */
export const held = Symbol('held');

export interface Performance {
  readonly surroundings: Surroundings;
  readonly mocks: Mocks;
  readonly cache: OutputCache;
  /** Says that the node starts, with what it is given. */
  started(execution: Execution, input?: unknown): void;
}

/** Computes a node's input, says that it starts, and runs it, at once where nothing has to be waited for. */
export function perform(execution: Execution, performance: Performance): MaybePromise<unknown> {
  const { token } = execution;
  const { surroundings, mocks, started } = performance;
  const mock = mocks.take(token.node.id, token.node.type, token.path);
  if (mock) {
    execution.from = 'mock';
    started(execution);
    return substitute(mock);
  }
  return after(inputOf(token), (input) => {
    execution.input = input;
    return after(cachedOutput(execution, performance), (hit) => {
      if (hit) {
        execution.from = 'cache';
        started(execution);
        return hit.value;
      }
      started(execution, input);
      const { type } = token.node;
      if (type === 'foreach' || type === 'call') return held;
      return executeNode(token, input, surroundings, () => execution.signal);
    });
  });
}

function substitute(mock: Substitute): unknown {
  if ('output' in mock) return mock.output;
  const { code = 'TOOL_ERROR', message, details } = mock.error;
  throw new NodeFailure(code, message, details && { ...details });
}

/** Outputs are shared by runs of the same person only: what a tool answers may be theirs alone. */
function cachedOutput(
  execution: Execution,
  { cache, surroundings }: Performance,
): MaybePromise<{ value: unknown } | undefined> {
  const { node, scope, view } = execution.token;
  if (!('cache' in node) || !node.cache) return undefined;
  const { cacheKey } = compileNode(node, scope.document.limits);
  return after(cacheKey ? cacheKey.evaluate(view) : (execution.input ?? scope.context), (value) => {
    const owner = surroundings.user?.id ?? 'local';
    execution.cacheKey = JSON.stringify([owner, scope.document.hash, scope.tool.name, node.id, value ?? null]);
    return cache.get(execution.cacheKey, surroundings.now());
  });
}

/** Keeps what a node with `cache` came to. */
export function keepOutput(execution: Execution, output: unknown, { cache, surroundings }: Performance): void {
  const { node } = execution.token;
  if (execution.cacheKey === undefined || execution.from !== undefined || !('cache' in node) || !node.cache) return;
  cache.set(execution.cacheKey, output, surroundings.now() + node.cache.ttlMs);
}
