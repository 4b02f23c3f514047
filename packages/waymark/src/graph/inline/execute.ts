import type { User } from '../../kit/index.ts';
import { schemaCheck } from '../check/schemas.ts';
import { compileNode } from '../compile.ts';
import type { ToolCaller } from '../connections/connection.ts';
import { NodeFailure } from '../errors.ts';
import type { Answer, Question } from '../events.ts';
import { after, type MaybePromise } from '../expressions/maybe-promise.ts';
import type { Token } from '../interpreter/state.ts';
import { readToolResult } from '../mcp-result.ts';
import type { ApproveNode, CallNode, GraphTool, McpNode } from '../model.ts';
import { pause } from './timing.ts';

/** What executing a node needs of the run around it. */
export interface Surroundings {
  readonly run: string;
  readonly caller: ToolCaller | undefined;
  /** On whose behalf tools are called. */
  readonly user: User | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly now: () => number;
  ask(question: Omit<Question, 'id'>, signal: AbortSignal): Promise<Answer>;
  progress(token: Token, progress: { progress: number; total?: number; message?: string }): void;
}

/** What a node is given beside its context: arguments, items, a duration, a message. */
export function inputOf(token: Token): MaybePromise<unknown> {
  const { node, scope, view } = token;
  const { fill } = compileNode(node, scope.document.limits);
  if (!fill) return undefined;
  if (node.type === 'foreach') return after(fill(view), toItems);
  if (node.type === 'call') return after(fill(view), (args) => checkCall(args, node, token));
  return fill(view);
}

function toItems(items: unknown): unknown[] {
  if (items === undefined || items === null) return [];
  return Array.isArray(items) ? items : [items];
}

function checkCall(args: unknown, node: CallNode, { scope }: Token): unknown {
  const document = node.graph === undefined ? scope.document : scope.document.graphs.get(node.graph);
  const tool = document?.tools.get(node.tool);
  if (!tool) throw new NodeFailure('MISSING_TOOL', `There is no tool "${node.tool}"`);
  if (scope.callDepth + 1 > scope.document.limits.maxCallDepth) {
    const { maxCallDepth } = scope.document.limits;
    throw new NodeFailure('CALL_DEPTH', `Calls nest deeper than the limit of ${maxCallDepth}`);
  }
  checkArguments(args, tool);
  return args;
}

/** @throws NodeFailure with every argument that does not fit. */
export function checkArguments(args: unknown, tool: GraphTool): void {
  const issues = schemaCheck(tool.inputSchema)(args);
  if (issues.length === 0) return;
  const problems = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message));
  throw new NodeFailure('INVALID_INPUT', `Invalid arguments for ${tool.name}: ${problems.join('; ')}`, { issues });
}

function checkOutput(output: unknown, tool: GraphTool): unknown {
  const value = output ?? null;
  const issues = tool.outputSchema ? schemaCheck(tool.outputSchema)(value) : [];
  if (issues.length === 0) return value;
  const problems = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message));
  throw new NodeFailure(
    'INVALID_OUTPUT',
    `The result of ${tool.name} does not fit its output schema: ${problems.join('; ')}`,
    {
      issues,
    },
  );
}

/** Runs a node that needs no others: everything but `foreach`, `call` and the end of a `parallel`. */
export function executeNode(
  token: Token,
  input: unknown,
  surroundings: Surroundings,
  signal: () => AbortSignal,
): MaybePromise<unknown> {
  const { node, scope, view } = token;
  switch (node.type) {
    case 'entry':
      return scope.input;
    case 'join':
      return token.outcome && 'output' in token.outcome ? token.outcome.output : undefined;
    case 'exit':
      return checkOutput(token.chain.previous(1), scope.tool);
    case 'parallel':
      return node.branches;
    case 'transform':
      return compileNode(node, scope.document.limits).expression?.evaluate(view);
    case 'switch':
      return compileNode(node, scope.document.limits).choose?.(view);
    case 'mcp':
      return callTool(token, node, input, surroundings, signal());
    case 'wait':
      return wait(input, surroundings, signal());
    case 'approve':
      return approve(token, node, String(input), surroundings, signal());
    default:
      throw new NodeFailure('INTERNAL_ERROR', `A ${node.type} node is not executed by itself`);
  }
}

async function callTool(
  token: Token,
  node: McpNode,
  input: unknown,
  { caller, user, dryRun, meta, run, ask, progress }: Surroundings,
  signal: AbortSignal,
): Promise<unknown> {
  const { document } = token.scope;
  const args = input as Record<string, unknown>;
  if (dryRun) return { dryRun: true, server: node.server, tool: node.tool, args };
  const server = document.servers.get(node.server);
  if (!server) throw new NodeFailure('SERVER_UNAVAILABLE', `There is no server "${node.server}"`);
  if (!caller) throw new NodeFailure('SERVER_UNAVAILABLE', `Server "${node.server}" cannot be reached from here`);
  if (server.missing.length > 0) {
    const message = `Server "${node.server}" needs ${server.missing.join(', ')} in the environment`;
    throw new NodeFailure('SERVER_UNAVAILABLE', message);
  }
  const timeoutMs = node.timeoutMs ?? server.timeoutMs ?? document.limits.maxExecutionTimeMs;
  const result = await caller.call(server, node.tool, args, {
    signal,
    user,
    timeoutMs,
    meta: {
      ...meta,
      'waymark/idempotencyKey': `${run}:${token.path}:${node.id}:${token.scope.count(node.id)}:${token.attempt}`,
    },
    onProgress: (step) => progress(token, step),
    onElicit: async (request) => {
      const form = 'requestedSchema' in request ? (request.requestedSchema as Record<string, unknown>) : undefined;
      const answer = await ask(
        { kind: 'elicit', node: node.id, path: token.path, message: request.message, ...(form ? { form } : {}) },
        signal,
      );
      return {
        action: answer.action,
        ...(answer.content ? { content: { ...answer.content } as Record<string, string> } : {}),
      };
    },
  });
  return readToolResult(result, node.result, document.limits.maxPayloadBytes);
}

async function wait(input: unknown, { now, dryRun }: Surroundings, signal: AbortSignal): Promise<unknown> {
  const until = typeof input === 'string' ? Date.parse(input) : now() + Number(input);
  if (!Number.isFinite(until))
    throw new NodeFailure('WRONG_VALUE', `${JSON.stringify(input)} is no duration and no instant`);
  const started = now();
  if (!dryRun) await pause(Math.max(0, until - started), signal);
  return { waitedMs: now() - started };
}

async function approve(
  token: Token,
  node: ApproveNode,
  message: string,
  { ask, dryRun }: Surroundings,
  signal: AbortSignal,
): Promise<unknown> {
  if (dryRun) return { approved: true, dryRun: true };
  const question = {
    kind: 'approve' as const,
    node: node.id,
    path: token.path,
    message,
    ...(node.form ? { form: node.form } : {}),
  };
  const answer = await ask(question, signal);
  const approved = answer.action === 'accept' && answer.content?.['approved'] !== false;
  if (!approved && node.rejected === undefined) {
    throw new NodeFailure('REJECTED', `Node ${node.id}: the request was not approved`, { action: answer.action });
  }
  return {
    approved,
    action: answer.action,
    ...(answer.content ? { answers: answer.content } : {}),
    ...(answer.by ? { by: answer.by } : {}),
  };
}
