import { ToolError } from '../kit/tool-error.ts';

/** The database cannot be reached, or went away during the call. The same call may be tried again. */
export class StoreUnavailableError extends ToolError {
  readonly retryable = true;

  constructor(message: string, options?: ErrorOptions) {
    super('STORE_UNAVAILABLE', message, { retryable: true }, options);
  }
}

/**
 * The store cannot be opened as asked, and trying again will not help. The message is for whoever runs Waymark: it
 * says what to do and may name a path, so it is not a `ToolError` and no client is told.
 */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly code = 'STORE_NOT_OPEN';
}

const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  // SQLSTATE: the server is shutting down, crashed, starting, or out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

const connectionErrorMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'The server closed the connection',
];

function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionErrorCodes.has(code) || code.startsWith('08')) return true;
  return connectionErrorMessages.some((message) => error.message.includes(message));
}

/** Turns the many faces of a lost connection into one error; leaves every other error alone. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof ToolError || error instanceof StoreOpenError || !isConnectionError(error)) return error;
  return new StoreUnavailableError('The database is not available right now. Try again.', { cause: error });
}
