/** An expression that could not be read or evaluated. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** JSONata's own code, such as `S0207` or `T2001`; `D1012` when time ran out. */
  readonly code: string;
  /** What went wrong, without the expression. */
  readonly reason: string;
  readonly expression: string;
  /** Characters into the expression, from 0. */
  readonly offset: number | undefined;

  constructor(kind: 'syntax' | 'evaluation', expression: string, cause: unknown) {
    const { code, message, position } = readCause(cause);
    const lead = kind === 'syntax' ? 'Invalid JSONata syntax' : 'JSONata evaluation failed';
    super(`${lead}: ${message}\nExpression: ${expression}`);
    this.code = code;
    this.reason = message;
    this.expression = expression;
    this.offset = position;
  }
}

function readCause(cause: unknown): { code: string; message: string; position: number | undefined } {
  if (cause instanceof RangeError && /call stack/.test(cause.message)) {
    return { code: 'D1011', message: 'The expression nests too deeply', position: undefined };
  }
  const { code, message, position } = (cause ?? {}) as { code?: unknown; message?: unknown; position?: unknown };
  return {
    code: typeof code === 'string' ? code : 'ERROR',
    message: typeof message === 'string' && message !== '' ? message : String(cause),
    // JSONata counts the characters up to the end of the token; what a person looks for is the last of them.
    position: typeof position === 'number' ? Math.max(0, position - 1) : undefined,
  };
}
