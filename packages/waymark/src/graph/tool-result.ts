import { type JsonSchema, Reply, ToolError } from '../kit/index.ts';
import type { RunOutcome } from './engine.ts';
import type { GraphTool, JsonSchemaDocument } from './model.ts';

/**
 * What a client is told of a tool's output. Structured content is an object on most wires, so any
 * other kind of result is wrapped as `{result}`, in the schema and in the answer alike.
 */
export function advertisedOutput({ outputSchema }: GraphTool): JsonSchema | undefined {
  if (!outputSchema) return undefined;
  const { $schema: _omitted, ...schema } = outputSchema;
  if (schema['type'] === 'object') return schema;
  const { $defs, definitions, ...inner } = schema;
  return {
    type: 'object',
    properties: { result: inner },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

export function advertisedInput(inputSchema: JsonSchemaDocument): JsonSchema {
  const { $schema: _omitted, ...schema } = inputSchema;
  return schema;
}

/** The answer to a tool call: the text is always the result itself as JSON, whatever its kind. */
export function replyWith(outcome: RunOutcome, tool: GraphTool): Reply {
  if (outcome.status !== 'succeeded') throw toToolError(outcome);
  const result = outcome.result ?? null;
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  const isDeclaredObject = tool.outputSchema === undefined || tool.outputSchema['type'] === 'object';
  return new Reply({
    structured: isObject && isDeclaredObject ? result : { result },
    text: JSON.stringify(result),
    meta: { 'waymark/run': outcome.run },
  });
}

/** Why a run did not succeed: code, message, node and run, as the client gets them. */
export function toToolError(outcome: Exclude<RunOutcome, { status: 'succeeded' }>): ToolError {
  const { code, message, node, path, details } = outcome.error;
  return new ToolError(code, message, {
    ...(node === undefined ? {} : { node }),
    ...(path ? { path } : {}),
    run: outcome.run,
    ...(details ? { details } : {}),
  });
}
