import type { RunError } from '../events.ts';
import type { CallNode, ForeachNode } from '../model.ts';
import { Chain } from './chain.ts';
import { Scope } from './scope.ts';
import { addToken, dropScope, enqueue, type RunState, Token } from './state.ts';

/** Opens as many iterations of a `foreach` as may run at the same time. */
export function openItems(state: RunState, token: Token, node: ForeachNode, input: unknown): void {
  const items = Array.isArray(input) ? (input as unknown[]) : [input];
  token.phase = 'waiting';
  token.loop = {
    items,
    results: Array.from({ length: items.length }, () => null),
    scopes: new Set(),
    next: 0,
    done: 0,
  };
  if (items.length === 0) finishLoop(state, token);
  for (let count = 0; count < node.concurrency && count < items.length; count++) openNext(state, token, node);
}

function openNext(state: RunState, token: Token, node: ForeachNode): void {
  const { loop, scope } = token;
  if (!loop || loop.next >= loop.items.length) return;
  const index = loop.next++;
  const step = `${node.id}[${index}]`;
  const inner = new Scope({
    document: scope.document,
    tool: scope.tool,
    body: node.body,
    path: token.path === '' ? step : `${token.path}/${step}`,
    owner: token,
    parent: scope,
    index,
    callDepth: scope.callDepth,
  });
  const item = loop.items[index];
  inner.context[node.as] = item;
  inner.context['index'] = index;
  loop.scopes.add(inner);
  const start = node.body.nodes.get(node.body.start);
  if (!start) return;
  const chain = new Chain();
  chain.push(item);
  addToken(state, new Token(inner, start, inner.path, chain));
}

export function endIteration(state: RunState, owner: Token, scope: Scope, output: unknown): void {
  const { loop, node } = owner;
  if (!loop || node.type !== 'foreach') return;
  loop.scopes.delete(scope);
  loop.results[scope.index] = output ?? null;
  loop.done++;
  if (loop.done === loop.items.length) finishLoop(state, owner);
  else openNext(state, owner, node);
}

export function endIterationWithError(state: RunState, owner: Token, scope: Scope, error: RunError): void {
  const { loop, node } = owner;
  if (!loop || node.type !== 'foreach') return;
  if (node.itemErrors === 'keep' && error.code !== 'CANCELLED' && error.code !== 'LIMIT_EXCEEDED') {
    endIteration(state, owner, scope, { error });
    return;
  }
  loop.scopes.delete(scope);
  for (const other of loop.scopes) dropScope(state, other);
  owner.loop = undefined;
  owner.outcome = { error };
  enqueue(state, owner, 'finish');
}

function finishLoop(state: RunState, token: Token): void {
  const output = token.loop?.results ?? [];
  token.loop = undefined;
  token.outcome = { output };
  enqueue(state, token, 'finish');
}

/** Opens the graph of the tool a `call` node names. It sees nothing but its arguments. */
export function openCall(
  state: RunState,
  token: Token,
  node: CallNode,
  input: unknown,
  openEntry: (state: RunState, scope: Scope, input: unknown) => void,
): void {
  const { scope } = token;
  const document = node.graph === undefined ? scope.document : scope.document.graphs.get(node.graph);
  const tool = document?.tools.get(node.tool);
  if (!document || !tool) return;
  const step = `${node.id}()`;
  token.phase = 'waiting';
  token.called = new Scope({
    document,
    tool,
    body: tool.body,
    path: token.path === '' ? step : `${token.path}/${step}`,
    owner: token,
    callDepth: scope.callDepth + 1,
  });
  openEntry(state, token.called, input);
}
