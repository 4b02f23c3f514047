import type { NodeEnded, NodeStarted, RunError, RunEvent, RunStarted } from '../events.ts';
import { Chain } from './chain.ts';
import { advance, fail } from './moves.ts';
import { openCall, openItems } from './children.ts';
import { Scope } from './scope.ts';
import { addToken, dropChildren, enqueue, type RunState, Token } from './state.ts';

/**
 * The interpreter: what a run is after an event. Live runs, replays, time travel and tests all fold
 * the same events through this function. It reads no clock and starts nothing; what can be done next
 * is in `ready(state)`.
 */
export function apply(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run-started':
      startRun(state, event);
      break;
    case 'node-started':
      startNode(state, event);
      break;
    case 'node-ended':
      endNode(state, event);
      break;
    case 'node-retried': {
      const token = state.tokens.get(event.path);
      if (!token) break;
      dropChildren(state, token);
      token.attempt = event.attempt + 1;
      enqueue(state, token, 'ready');
      break;
    }
    case 'value-changed':
      changeValue(state, event.path, event.node, event.value);
      break;
    case 'run-ended':
      state.status = event.status;
      break;
    default:
  }
  return state;
}

function startRun(state: RunState, event: RunStarted): void {
  const { document, tool } = state;
  const scope = new Scope({ document, tool, body: tool.body, path: '' });
  state.root = scope;
  state.status = 'running';
  openEntry(state, scope, event.input);
}

/** Puts a token at the start of a scope; the arguments are what its entry will give. */
export function openEntry(state: RunState, scope: Scope, input: unknown): void {
  const node = scope.body.nodes.get(scope.body.start);
  if (!node) return;
  const token = new Token(scope, node, scope.path, new Chain());
  scope.input = input;
  if (scope.document.dialect === 'old' && !scope.body.nodes.has('input')) scope.context['input'] = input;
  addToken(state, token);
}

function startNode(state: RunState, event: NodeStarted): void {
  const token = state.tokens.get(event.path);
  if (!token) return;
  unqueue(state, token);
  token.phase = 'running';
  token.startedAt = event.at;
  if (event.attempt === 1) state.started++;
  if (event.input === undefined) return;
  if (token.node.type === 'foreach') openItems(state, token, token.node, event.input);
  else if (token.node.type === 'call') openCall(state, token, token.node, event.input, openEntry);
}

/** Whoever drives the run has usually taken the token from the queue already. */
function unqueue(state: RunState, token: Token): void {
  const position = state.queue.indexOf(token);
  if (position >= 0) state.queue.splice(position, 1);
}

function endNode(state: RunState, event: NodeEnded): void {
  const token = state.tokens.get(event.path);
  if (!token || token.node.id !== event.node) return;
  unqueue(state, token);
  const { index, node, nodeType, path, at, durationUs, output, error } = event;
  state.history.push({
    index,
    node,
    nodeType,
    path,
    startedAt: token.startedAt,
    endedAt: at,
    durationUs,
    output,
    ...(error ? { error } : {}),
  });
  if (token.called || token.loop) dropChildren(state, token);
  if (error && !isHandled(token, error)) {
    fail(state, token, error);
    return;
  }
  token.outcome = undefined;
  token.attempt = 1;
  token.scope.record(node, output);
  token.chain.push(output);
  advance(state, token, output, error);
}

/** Whether the graph says how to go on after a failure of this node. */
export function isHandled({ node }: Token, { code }: RunError): boolean {
  if (code === 'CANCELLED' || code === 'LIMIT_EXCEEDED' || code === 'STOPPED') return false;
  return (
    ('onError' in node && node.onError !== undefined) || ('continueOnError' in node && node.continueOnError === true)
  );
}

function changeValue(state: RunState, path: string, node: string, value: unknown): void {
  const token = state.tokens.get(path);
  const scope = token?.scope ?? state.root;
  scope?.replaceLatest(node, value);
  if (token && state.history.findLast((record) => record.path === path)?.node === node) token.chain.replaceLast(value);
}
