import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Context } from './context.ts';
import { isInputRequired, Reply, toCallToolResult } from './result.ts';
import type { Tool } from './tool.ts';
import { InvalidInputError, ToolError } from './tool-error.ts';
import type { Toolset } from './toolset.ts';

/** Checks the arguments, runs the tool, and turns whatever happens into an answer. Never throws. */
export async function callTool(
  toolset: Toolset,
  tool: Tool,
  rawArguments: Record<string, unknown>,
  context: Context,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    requireScopes(tool, context);
    const parsed = tool.input.parse(tool.prepare ? tool.prepare(rawArguments) : rawArguments);
    if (!parsed.ok) throw new InvalidInputError(tool.name, parsed.issues);
    const answer = await tool.run(parsed.value, context);
    if (isInputRequired(answer)) return answer;
    checkOutput(tool, answer);
    return toCallToolResult(answer);
  } catch (error) {
    return refuse(toolset, tool, asToolError(error, tool, context), context);
  }
}

/** A refusal in the wire shape of its toolset. */
export function refuse(toolset: Toolset, tool: Tool, error: ToolError, context: Context): CallToolResult {
  const { structuredContent, ...result } = toCallToolResult(toolset.onError(error, tool.name, context));
  const keeps = structuredContent !== undefined && (tool.structuredErrors || result.isError !== true);
  return keeps ? { ...result, structuredContent } : result;
}

function requireScopes(tool: Tool, { user }: Context): void {
  const { scopes } = user;
  if (scopes === 'all') return;
  const missing = tool.scopes.filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  throw new ToolError('INSUFFICIENT_SCOPE', `${tool.name} needs the scope ${missing.join(' ')}`, { scopes: missing });
}

const checksOutput = process.env['NODE_ENV'] === 'test' || process.env['NODE_ENV'] === 'development';

function checkOutput(tool: Tool, answer: unknown): void {
  if (!checksOutput || !tool.output) return;
  if (answer instanceof Reply && (answer.isError || answer.structured === undefined)) return;
  const result = tool.output.parse(answer instanceof Reply ? answer.structured : answer);
  if (result.ok) return;
  const problems = result.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  throw new TypeError(`${tool.name} broke its own output schema: ${problems}`);
}

function asToolError(error: unknown, tool: Tool, context: Context): ToolError {
  if (error instanceof ToolError) return error;
  if (context.signal.aborted) return new ToolError('CANCELLED', `${tool.name} was cancelled`);
  const id = context.randomId().slice(0, 12);
  context.log.error('tool failed unexpectedly', { tool: tool.name, id, error });
  return new ToolError('INTERNAL_ERROR', `Something went wrong on our side (reference ${id}).`, { id });
}
