import { ToolError } from '../../kit/index.ts';
import type { BookFiles } from '../files/book-files.ts';
import type { Violation } from '../model.ts';
import { lint } from './lint.ts';

export interface ValidationReport {
  readonly valid: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly violations: readonly Violation[];
  readonly revision: string | null;
}

/** Unlike the other tools this one answers also for a file it cannot read as a book. */
export async function validate(files: BookFiles, path: string): Promise<ValidationReport> {
  try {
    const { book, revision } = await files.read(path);
    return summarize(lint(book), revision);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { line, column, reason, violations } = error.details;
    if (error.code === 'NOT_HNPX') return summarize(violations as Violation[], null);
    if (error.code !== 'INVALID_XML') throw error;
    const message = `${error.message}: ${String(reason)}`;
    return summarize(
      [{ severity: 'error', code: error.code, message, line: Number(line), column: Number(column) }],
      null,
    );
  }
}

function summarize(violations: readonly Violation[], revision: string | null): ValidationReport {
  const errors = violations.filter(({ severity }) => severity === 'error').length;
  return {
    valid: errors === 0,
    errors,
    warnings: violations.length - errors,
    violations: violations.slice(0, 500),
    revision,
  };
}
