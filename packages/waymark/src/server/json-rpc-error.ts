/** The body of a refusal on an MCP endpoint, before any server has seen the request. */
export function jsonRpcError(code: number, message: string, data?: Record<string, unknown>) {
  return { jsonrpc: '2.0' as const, error: { code, message, ...(data ? { data } : {}) }, id: null };
}
