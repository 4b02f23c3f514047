import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { OversizedLine } from './bounded-lines.ts';

/** The JSON-RPC code under which a response that was too large is reported to the waiting call. */
export const responseTooLargeCode = -32_099;
/** The code for a response that is none: it has an id, but neither a result nor an error. */
export const notAResponseCode = -32_098;

const idAtEnd = /"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/;
const idAtStart = /^\s*(?:data:\s*)?\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/;

/**
 * The error that takes the place of a response too large to read. Servers write `id` first or last,
 * so the ends of the line say which call it answers; undefined when they do not.
 */
export function replyToOversized(line: OversizedLine, maxBytes: number): JSONRPCMessage | undefined {
  const id = idAtEnd.exec(line.tail)?.[1] ?? idAtStart.exec(line.head)?.[1];
  return id === undefined ? undefined : tooLarge(JSON.parse(id) as string | number, line.bytes, maxBytes);
}

export function tooLarge(id: string | number, bytes: number, maxBytes: number): JSONRPCMessage {
  const message = `The response is larger than the limit of ${maxBytes} bytes`;
  return { jsonrpc: '2.0', id, error: { code: responseTooLargeCode, message, data: { bytes, maxBytes } } };
}

/** Garbage that names a call is turned into an error for that call, which would otherwise wait for ever. */
export function readMessage(parsed: unknown): JSONRPCMessage {
  const { id, method, result, error } = (parsed ?? {}) as Record<string, unknown>;
  const answersCall = (typeof id === 'number' || typeof id === 'string') && method === undefined;
  if (!answersCall || isObject(result) || isObject(error)) return parsed as JSONRPCMessage;
  const message = 'The server answered with something that is no MCP result';
  return { jsonrpc: '2.0', id, error: { code: notAResponseCode, message } };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
