import type { RunError } from '../events.ts';

/** A run that failed. `executionHistory` and more are on the controller's state; this says why. */
export class GraphRunError extends Error {
  override readonly name: string = 'GraphRunError';
  /** Such as `LIMIT_EXCEEDED`, `EXPRESSION_ERROR`, `TIMEOUT`. */
  readonly errorCode: string;
  readonly nodeId: string | undefined;
  readonly runId: string;

  constructor(error: RunError, runId: string, message = error.message) {
    super(message);
    this.errorCode = error.code;
    this.nodeId = error.node;
    this.runId = runId;
  }
}

/** A tool answered with an error. */
export class ToolCallError extends GraphRunError {
  override readonly name = 'ToolCallError';
  readonly result: { isError?: boolean; content: unknown[]; [key: string]: unknown };

  constructor(error: RunError, runId: string) {
    const result = (error.details?.['result'] ?? { content: [], isError: true }) as ToolCallError['result'];
    super(error, runId, `${error.message}\n\nTool call result:\n${JSON.stringify(result, null, 2)}`);
    this.result = result;
  }
}

/** A tool gave no answer: the server could not be started, died, or refused the call. */
export class ToolCallMcpError extends GraphRunError {
  override readonly name = 'ToolCallMcpError';
  /** The JSON-RPC code; -32000 when there was no connection. */
  readonly code: number;
  readonly data: unknown;
  /** What the server wrote to stderr. */
  readonly stderr: string[];

  constructor(error: RunError, runId: string) {
    super(error, runId);
    this.code = (error.details?.['rpcCode'] as number | undefined) ?? -32_000;
    this.data = error.details?.['data'];
    this.stderr = [...((error.details?.['stderr'] as string[] | undefined) ?? [])];
  }
}

const callFailures = new Set(['SERVER_UNAVAILABLE', 'CONNECTION_LOST', 'PROTOCOL_ERROR', 'INVALID_RESPONSE']);

export function toException(error: RunError, runId: string): GraphRunError {
  if (error.code === 'TOOL_ERROR' && error.details?.['result']) return new ToolCallError(error, runId);
  if (callFailures.has(error.code)) return new ToolCallMcpError(error, runId);
  return new GraphRunError(error, runId);
}
