/**
 * A refusal that is part of a tool's contract. The code is stable, the message names the thing and
 * the alternatives, and both reach the client; anything else that is thrown stays in the log.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** One thing wrong with the arguments of a call. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
  /** zod's issue code, or the JSON Schema keyword that failed. */
  readonly code: string;
}

/** The arguments do not fit the tool's schema. Toolsets map it to the shape their contract asks for. */
export class InvalidInputError extends ToolError {
  readonly issues: readonly InputIssue[];

  constructor(toolName: string, issues: readonly InputIssue[]) {
    const problems = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message));
    super('INVALID_INPUT', `Invalid arguments for ${toolName}: ${problems.join('; ')}`, { issues });
    this.issues = issues;
  }
}
