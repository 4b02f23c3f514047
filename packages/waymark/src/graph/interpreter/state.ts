import type { NodeRecord } from '../engine.ts';
import type { EndStatus, RunError } from '../events.ts';
import type { GraphDocument, GraphNode, GraphTool, ParallelNode } from '../model.ts';
import type { Chain } from './chain.ts';
import { type Scope, TokenScope } from './scope.ts';

/**
 * A line of execution: it stands at one node and moves along the edges. Its path names it; the paths
 * of a run's tokens are unique.
 */
export class Token {
  readonly scope: Scope;
  readonly path: string;
  readonly chain: Chain;
  readonly view: TokenScope;
  /** The parallel node this token is a branch of. */
  readonly frame: BranchFrame | undefined;
  readonly branch: string;
  node: GraphNode;
  /**
   * `ready`: its node can start. `running`: it has started. `waiting`: branches, items or a called tool
   * run on its behalf. `finish`: those have ended and the node can be ended.
   */
  phase: 'ready' | 'running' | 'waiting' | 'finish' = 'ready';
  attempt = 1;
  startedAt = 0;
  loop: Loop | undefined;
  called: Scope | undefined;
  /** What a called tool, the items or the branches came to. */
  outcome: { readonly output: unknown } | { readonly error: RunError } | undefined;

  constructor(scope: Scope, node: GraphNode, path: string, chain: Chain, frame?: BranchFrame, branch = '') {
    this.scope = scope;
    this.node = node;
    this.path = path;
    this.chain = chain;
    this.frame = frame;
    this.branch = branch;
    this.view = new TokenScope(scope, chain);
  }
}

/** The items of a `foreach` under way. */
export interface Loop {
  readonly items: readonly unknown[];
  readonly results: unknown[];
  readonly scopes: Set<Scope>;
  next: number;
  done: number;
}

/** The branches of a `parallel` under way. */
export interface BranchFrame {
  readonly parent: Token;
  readonly node: ParallelNode;
  readonly results: Map<string, unknown>;
  readonly tokens: Set<Token>;
  remaining: number;
}

/**
 * The whole state of a run. It belongs to whoever folds the events: `apply` changes it in place and
 * hands it back, so a state must not be used after it was given to `apply`.
 */
export interface RunState {
  readonly document: GraphDocument;
  readonly tool: GraphTool;
  status: 'new' | 'running' | EndStatus;
  readonly tokens: Map<string, Token>;
  /** Tokens whose node can be started or ended, in the order they became so. */
  readonly queue: Token[];
  readonly history: NodeRecord[];
  /** Nodes started so far; further attempts of one do not count. */
  started: number;
  root: Scope | undefined;
  /** Set when the exit was reached or a failure was not handled; the run can be ended. */
  outcome: { readonly result: unknown } | { readonly error: RunError } | undefined;
  /** Tokens that were given up while their node ran; whoever runs them stops them and empties this. */
  readonly abandoned: Token[];
}

export function createState(document: GraphDocument, tool: GraphTool): RunState {
  return {
    document,
    tool,
    status: 'new',
    tokens: new Map(),
    queue: [],
    history: [],
    started: 0,
    root: undefined,
    outcome: undefined,
    abandoned: [],
  };
}

/** The tokens whose node can be started, or ended in phase `finish`. */
export function ready(state: RunState): readonly Token[] {
  return state.status === 'running' && !state.outcome ? state.queue : [];
}

export function addToken(state: RunState, token: Token): void {
  state.tokens.set(token.path, token);
  token.scope.tokens.add(token);
  enqueue(state, token, 'ready');
}

export function enqueue(state: RunState, token: Token, phase: 'ready' | 'finish'): void {
  token.phase = phase;
  state.queue.push(token);
}

/** Removes a token for good, with everything that runs on its behalf. */
export function dropToken(state: RunState, token: Token): void {
  if (state.tokens.get(token.path) !== token) return;
  state.tokens.delete(token.path);
  token.scope.tokens.delete(token);
  token.frame?.tokens.delete(token);
  const queued = state.queue.indexOf(token);
  if (queued >= 0) state.queue.splice(queued, 1);
  if (token.phase === 'running' || token.phase === 'waiting') state.abandoned.push(token);
  dropChildren(state, token);
}

export function dropChildren(state: RunState, token: Token): void {
  if (token.called) dropScope(state, token.called);
  for (const scope of token.loop?.scopes ?? []) dropScope(state, scope);
  token.called = undefined;
  token.loop = undefined;
  token.outcome = undefined;
}

export function dropScope(state: RunState, scope: Scope): void {
  for (const token of scope.tokens) dropToken(state, token);
}
