import { type Context, ToolError } from '../../kit/index.ts';
import { compileRule } from '../expressions/json-logic.ts';
import { compileExpression } from '../expressions/jsonata.ts';
import { dataScope } from '../expressions/scope.ts';
import { compileTemplate } from '../expressions/template.ts';
import { expressionLimits } from '../compile.ts';
import type { ToolCaller } from '../connections/connection.ts';
import { toRunError } from '../errors.ts';
import { readToolResult } from '../mcp-result.ts';
import type { GraphDocument, ServerDefinition, Template } from '../model.ts';
import { createRedactor } from '../redact.ts';
import { shorten } from './describe-run.ts';

export interface TryOut {
  readonly result: unknown;
  readonly error?: { readonly message: string; readonly details?: unknown };
}

type Data = Readonly<Record<string, unknown>>;

export function tryExpression(text: string, context: Data, { limits, constants }: GraphDocument): Promise<TryOut> {
  return attempt(() => compileExpression(text, expressionLimits(limits)).evaluate(dataScope(context, constants)));
}

export function tryRule(rule: unknown, context: Data, { limits, constants }: GraphDocument): Promise<TryOut> {
  return attempt(() => compileRule(rule, expressionLimits(limits)).value(dataScope(context, constants)));
}

async function attempt(evaluate: () => unknown): Promise<TryOut> {
  try {
    return { result: (await evaluate()) ?? null };
  } catch (error) {
    const { message, details } = toRunError(error);
    return { result: null, error: { message, ...(details ? { details } : {}) } };
  }
}

export interface ToolTryOut {
  readonly output: unknown;
  readonly evaluatedArgs?: unknown;
  readonly executionTime: number;
  readonly error?: { readonly message: string; readonly details?: unknown };
}

/** Calls a tool of a downstream server the way an `mcp` node would, and shows what its output would be. */
export async function tryTool(
  request: { server: ServerDefinition; tool: string; args: Data; context: Data | undefined },
  document: GraphDocument,
  caller: ToolCaller,
  { signal, user }: Context,
): Promise<ToolTryOut> {
  const { server, tool, context = {} } = request;
  const redact = createRedactor(document.secrets);
  const template = toTemplate(request.args);
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  let args = request.args;
  try {
    args = (await compileTemplate(
      template,
      expressionLimits(document.limits),
    )(dataScope(context, document.constants))) as Data;
    const timeoutMs = server.timeoutMs ?? 60_000;
    const result = await caller.call(server, tool, args, { signal, user, timeoutMs });
    const output = readToolResult(result, 'value', document.limits.maxPayloadBytes);
    return { output: redact(shorten(output)), ...evaluated(template, args), executionTime: elapsed() };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const { message, details } = redact(toRunError(error));
    const told = { message, ...(details ? { details } : {}) };
    return { output: null, ...evaluated(template, args), executionTime: elapsed(), error: told };
  }
}

function evaluated(template: Template, args: Data): { evaluatedArgs?: Data } {
  return template.kind === 'literal' ? {} : { evaluatedArgs: args };
}

function toTemplate(value: unknown): Template {
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value };
  if (Array.isArray(value)) {
    const items = value.map(toTemplate);
    return items.every(({ kind }) => kind === 'literal') ? { kind: 'literal', value } : { kind: 'array', items };
  }
  const entries = Object.entries(value);
  const [only] = entries;
  if (only?.[0] === 'expr' && entries.length === 1 && typeof only[1] === 'string') {
    return { kind: 'expression', expression: { text: only[1], position: { line: 1, column: 1 }, verbatim: false } };
  }
  const filled = entries.map(([key, item]) => [key, toTemplate(item)] as const);
  return filled.every(([, { kind }]) => kind === 'literal')
    ? { kind: 'literal', value }
    : { kind: 'object', entries: filled };
}
