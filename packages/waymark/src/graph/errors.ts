import { ToolCallFailure } from './connections/connection.ts';
import type { RunError } from './events.ts';
import { OutOfTimeError } from './expressions/bounded.ts';
import { ExpressionError } from './expressions/expression-error.ts';
import { PayloadTooLargeError } from './expressions/plain.ts';

/** A failure of a node with a code of its own. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, details?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Errors of these kinds may pass by themselves, so `retry` tries them again unless it names others. */
const passing = new Set([
  'TOOL_ERROR',
  'SERVER_UNAVAILABLE',
  'CONNECTION_LOST',
  'TIMEOUT',
  'PROTOCOL_ERROR',
  'INVALID_RESPONSE',
]);

export function canRetry(error: RunError, on: readonly string[] | undefined): boolean {
  return on ? on.includes(error.code) : passing.has(error.code);
}

/** Whatever was thrown, as data. What we did not foresee says no more than that it happened. */
export function toRunError(error: unknown, node?: string, path?: string): RunError {
  const where = { ...(node === undefined ? {} : { node }), ...(path ? { path } : {}) };
  if (error instanceof NodeFailure) {
    return { code: error.code, message: error.message, ...where, ...(error.details ? { details: error.details } : {}) };
  }
  if (error instanceof ToolCallFailure) {
    const { rpcCode, data, stderr } = error;
    const details = {
      ...(rpcCode === undefined ? {} : { rpcCode }),
      ...(data === undefined ? {} : { data }),
      ...(stderr.length > 0 ? { stderr } : {}),
    };
    return {
      code: error.code,
      message: error.message,
      ...where,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    };
  }
  if (error instanceof ExpressionError) {
    const { code, expression, offset, reason } = error;
    const details = { jsonata: code, reason, expression, ...(offset === undefined ? {} : { offset }) };
    return { code: 'EXPRESSION_ERROR', message: error.message, ...where, details };
  }
  if (error instanceof OutOfTimeError) return { code: 'TIMEOUT', message: error.message, ...where };
  if (error instanceof PayloadTooLargeError) return { code: 'PAYLOAD_TOO_LARGE', message: error.message, ...where };
  return { code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : String(error), ...where };
}
