import type { RunError } from '../events.ts';
import type { GraphNode, JoinNode, ParallelNode } from '../model.ts';
import { targetsOf } from '../targets.ts';
import { Chain } from './chain.ts';
import { endIteration, endIterationWithError } from './children.ts';
import type { Scope } from './scope.ts';
import { addToken, type BranchFrame, dropScope, dropToken, enqueue, type RunState, Token } from './state.ts';

/** Moves a token on after its node has ended. */
export function advance(state: RunState, token: Token, output: unknown, error: RunError | undefined): void {
  const { node } = token;
  if (node.type === 'exit') {
    endScope(state, token.scope, output);
  } else if (node.type === 'parallel') {
    split(state, token, node);
  } else {
    const target = targetAfter(node, output, error);
    if (target === undefined) endScope(state, token.scope, output);
    else moveTo(state, token, target);
  }
}

function targetAfter(node: GraphNode, output: unknown, error: RunError | undefined): string | undefined {
  if (error && 'onError' in node && node.onError !== undefined) return node.onError;
  if (node.type === 'switch') return error ? node.otherwise : (output as string);
  if (node.type === 'approve' && node.rejected !== undefined && !error) {
    return (output as { approved?: unknown } | undefined)?.approved === true ? node.next : node.rejected;
  }
  return node.next;
}

function moveTo(state: RunState, token: Token, target: string): void {
  const node = token.scope.body.nodes.get(target);
  if (!node) {
    fail(state, token, {
      code: 'MISSING_NODE',
      message: `There is no node "${target}"`,
      node: token.node.id,
      path: token.path,
    });
  } else if (node.type === 'join' && token.frame) {
    arrive(state, token, token.frame, node);
  } else {
    token.node = node;
    enqueue(state, token, 'ready');
  }
}

function split(state: RunState, token: Token, node: ParallelNode): void {
  const frame: BranchFrame = {
    parent: token,
    node,
    results: new Map(),
    tokens: new Set(),
    remaining: node.branches.length,
  };
  token.phase = 'waiting';
  for (const branch of node.branches) {
    const first = token.scope.body.nodes.get(branch);
    if (!first) continue;
    const path = joinPath(token.path, `${node.id}>${branch}`);
    const child = new Token(token.scope, first, path, new Chain(token.chain), frame, branch);
    frame.tokens.add(child);
    addToken(state, child);
  }
}

export function joinPath(path: string, step: string): string {
  return path === '' ? step : `${path}/${step}`;
}

function arrive(state: RunState, token: Token, frame: BranchFrame, join: JoinNode): void {
  frame.results.set(token.branch, token.chain.previous(1));
  dropToken(state, token);
  frame.remaining--;
  if (join.mode === 'any') for (const other of frame.tokens) dropToken(state, other);
  if (frame.remaining === 0 || join.mode === 'any') completeFrame(state, frame, join);
}

function completeFrame(state: RunState, frame: BranchFrame, join: JoinNode): void {
  const output: Record<string, unknown> = {};
  for (const branch of frame.node.branches) {
    if (!frame.results.has(branch)) continue;
    Object.defineProperty(output, branch, {
      value: frame.results.get(branch),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  const { parent } = frame;
  parent.node = join;
  parent.outcome = { output };
  enqueue(state, parent, 'ready');
}

/** A failure nobody handled: it ends the branch, the iteration, the called tool or the run it happened in. */
export function fail(state: RunState, token: Token, error: RunError): void {
  const { frame } = token;
  if (!frame) {
    endScopeWithError(state, token.scope, error);
    return;
  }
  const join = findJoin(token.scope, frame.node);
  dropToken(state, token);
  frame.remaining--;
  if (join?.mode === 'settled') frame.results.set(token.branch, { error });
  if (join?.mode === 'settled' || (join?.mode === 'any' && frame.remaining > 0)) {
    if (frame.remaining === 0) completeFrame(state, frame, join);
    return;
  }
  for (const other of frame.tokens) dropToken(state, other);
  fail(state, frame.parent, error);
}

const joins = new WeakMap<ParallelNode, JoinNode | null>();

/** The join that closes a parallel node; the loader has made sure that there is just one. */
function findJoin(scope: Scope, parallel: ParallelNode): JoinNode | undefined {
  let found = joins.get(parallel);
  if (found === undefined) {
    found = searchJoin(scope, parallel) ?? null;
    joins.set(parallel, found);
  }
  return found ?? undefined;
}

function searchJoin(scope: Scope, parallel: ParallelNode): JoinNode | undefined {
  const seen = new Set<string>();
  const waiting: [id: string, depth: number][] = parallel.branches.map((branch) => [branch, 0]);
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const [id, depth] = entry;
    const node = scope.body.nodes.get(id);
    if (!node || seen.has(`${depth} ${id}`) || depth > scope.body.nodes.size) continue;
    seen.add(`${depth} ${id}`);
    if (node.type === 'join' && depth === 0) return node;
    const inner = node.type === 'parallel' ? depth + 1 : node.type === 'join' ? depth - 1 : depth;
    for (const target of targetsOf(node)) waiting.push([target, inner]);
  }
  return undefined;
}

function endScope(state: RunState, scope: Scope, output: unknown): void {
  dropScope(state, scope);
  const { owner } = scope;
  if (!owner) {
    state.outcome = { result: output };
  } else if (owner.loop) {
    endIteration(state, owner, scope, output);
  } else {
    owner.called = undefined;
    owner.outcome = { output };
    enqueue(state, owner, 'finish');
  }
}

function endScopeWithError(state: RunState, scope: Scope, error: RunError): void {
  dropScope(state, scope);
  const { owner } = scope;
  if (!owner) {
    state.outcome = { error };
  } else if (owner.loop) {
    endIterationWithError(state, owner, scope, error);
  } else {
    owner.called = undefined;
    owner.outcome = { error };
    enqueue(state, owner, 'finish');
  }
}
