import type { CallToolResult, ElicitRequestParams, ElicitResult, Tool } from '@modelcontextprotocol/client';
import type { User } from '../../kit/index.ts';
import type { ServerDefinition } from '../model.ts';

export interface ToolCallOptions {
  /** Aborting cancels the call downstream as well. */
  readonly signal: AbortSignal;
  /** On whose behalf, with which rights: Waymark's own toolsets answer for that person alone. The local user when absent. */
  readonly user?: User | undefined;
  readonly timeoutMs?: number;
  /** The request's `_meta`: the run's idempotency key and trace context. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** The downstream server asks a person something. */
  readonly onElicit?: (request: ElicitRequestParams) => Promise<ElicitResult>;
}

/** How the engine reaches downstream MCP servers. One connection per `server.key`, opened on first use. */
export interface ToolCaller {
  /**
   * Resolves with whatever the tool answered, `isError` results included.
   * @throws ToolCallFailure when there is no answer.
   */
  call(
    server: ServerDefinition,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: ToolCallOptions,
  ): Promise<CallToolResult>;
  /** Every page of the server's tool list. */
  listTools(server: ServerDefinition, signal?: AbortSignal): Promise<readonly Tool[]>;
  close(): Promise<void>;
}

export type ToolCallFailureCode =
  /** The server could not be started or reached, or the handshake failed. */
  | 'SERVER_UNAVAILABLE'
  /** The connection broke while the call ran. */
  | 'CONNECTION_LOST'
  | 'TIMEOUT'
  | 'CANCELLED'
  /** The server answered with a JSON-RPC error. */
  | 'PROTOCOL_ERROR'
  /** What came back is no tool result, or too large. */
  | 'INVALID_RESPONSE';

/** A tool call that got no answer. */
export class ToolCallFailure extends Error {
  override readonly name = 'ToolCallFailure';
  readonly code: ToolCallFailureCode;
  /** The JSON-RPC code, where there was one; -32000 when the server could not be reached. */
  readonly rpcCode: number | undefined;
  readonly data: unknown;
  /** The last lines a stdio server wrote to stderr, without secrets. */
  readonly stderr: readonly string[];

  constructor(
    code: ToolCallFailureCode,
    message: string,
    parts: { rpcCode?: number; data?: unknown; stderr?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.rpcCode = parts.rpcCode;
    this.data = parts.data;
    this.stderr = parts.stderr ?? [];
  }
}
