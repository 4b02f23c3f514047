import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../model.ts';
import { ToolCallFailure } from './connection.ts';
import { notAResponseCode, responseTooLargeCode } from './replies.ts';

const unreachable = -32_000;

interface Circumstances {
  readonly server: ServerDefinition;
  /** Undefined while the connection is being made. */
  readonly tool?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly stderr?: readonly string[];
  /** How the server's process ended. */
  readonly ending?: string | undefined;
}

/** Says what went wrong with a server in words that name the server, the tool and what to look at. */
export function toFailure(error: unknown, circumstances: Circumstances): ToolCallFailure {
  if (error instanceof ToolCallFailure) return error;
  const { server, tool, signal, stderr = [] } = circumstances;
  const shown = stderr.map((line) => withoutSecrets(line, server));
  const parts = { stderr: shown, cause: error };
  const what = tool === undefined ? `The MCP server "${server.name}"` : `Tool "${tool}" of server "${server.name}"`;
  if (signal?.aborted) return new ToolCallFailure('CANCELLED', `${what} was cancelled`, parts);
  if (tool === undefined) return unavailable(error, circumstances, parts);
  if (error instanceof ProtocolError) {
    const { code: rpcCode, data } = error;
    if (rpcCode === responseTooLargeCode || rpcCode === notAResponseCode) {
      return new ToolCallFailure('INVALID_RESPONSE', `${what}: ${error.message}`, { ...parts, rpcCode, data });
    }
    return new ToolCallFailure('PROTOCOL_ERROR', `${what}: ${error.message}`, { ...parts, rpcCode, data });
  }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) {
      const after = circumstances.timeoutMs === undefined ? '' : ` within ${circumstances.timeoutMs} ms`;
      return new ToolCallFailure('TIMEOUT', `${what} did not answer${after}`, parts);
    }
    if (error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.UnsupportedResultType) {
      return new ToolCallFailure('INVALID_RESPONSE', `${what} answered with something that is no tool result`, parts);
    }
  }
  return new ToolCallFailure('CONNECTION_LOST', `${what}: Connection closed${describeEnding(error, circumstances)}`, {
    ...parts,
    rpcCode: unreachable,
  });
}

function unavailable(error: unknown, circumstances: Circumstances, parts: { stderr: string[]; cause: unknown }) {
  const { server } = circumstances;
  return new ToolCallFailure(
    'SERVER_UNAVAILABLE',
    `The MCP server "${server.name}" is not available: ${startProblem(error, circumstances)}`,
    { ...parts, rpcCode: unreachable },
  );
}

function startProblem(error: unknown, circumstances: Circumstances): string {
  const { server } = circumstances;
  const { code, syscall } = (error ?? {}) as { code?: string; syscall?: string };
  if (server.type === 'stdio' && syscall?.startsWith('spawn')) {
    if (code === 'ENOENT') return `the command "${server.command}" or its directory was not found`;
    if (code === 'EACCES') return `the command "${server.command}" may not be executed`;
  }
  if (error instanceof UnauthorizedError) return 'it asks for authorization; set an Authorization header';
  if (error instanceof SdkHttpError) return `it answered with HTTP status ${error.data.status}`;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return 'it did not answer the handshake in time';
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    return `Connection closed${describeEnding(error, circumstances)}`;
  }
  if (error instanceof ProtocolError) return `it refused the handshake: ${error.message}`;
  return networkProblem(error) ?? (error instanceof Error ? error.message : String(error));
}

function describeEnding(error: unknown, { ending }: Circumstances): string {
  if (ending) return ` (the process ${ending})`;
  const network = networkProblem(error);
  return network ? ` (${network})` : '';
}

/** `fetch failed` says nothing; what is behind it does. */
function networkProblem(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string' && /^(?:E[A-Z]{3,}|UND_ERR_\w+)$/.test(code)) return code;
    if (current instanceof TypeError && current.cause === undefined) return current.message;
  }
  return undefined;
}

function withoutSecrets(line: string, server: ServerDefinition): string {
  const values =
    server.type === 'stdio' ? Object.values(server.env) : 'headers' in server ? Object.values(server.headers) : [];
  return values.filter((value) => value.length >= 6).reduce((text, value) => text.replaceAll(value, '***'), line);
}
