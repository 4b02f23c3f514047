import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Book } from '../../hnpx/book/book.ts';
import type { Violation } from '../../hnpx/model.ts';
import { createWorkshop, type Workshop } from '../../hnpx/workshop.ts';
import { createRoots, nearest, ToolError } from '../../kit/index.ts';
import { CliError } from '../cli-error.ts';

/** A workshop for one file a person named, wherever it lies. */
export async function workshopFor(file: string): Promise<Workshop> {
  const roots = await createRoots([dirname(resolve(file))]).catch(() => {
    throw new CliError(`${file} does not exist`, 2);
  });
  return createWorkshop({ roots });
}

/** The book in a file; what is wrong with it ends the command. */
export async function openBook(file: string): Promise<Book> {
  const { files } = await workshopFor(file);
  try {
    return (await files.read(resolve(file))).book;
  } catch (error) {
    throw await asCliError(error, file);
  }
}

/** Tells a refusal to a person. */
export async function asCliError(error: unknown, file: string): Promise<unknown> {
  if (!(error instanceof ToolError)) return error;
  const { code, message, details } = error;
  if (code === 'FILE_NOT_FOUND') {
    const siblings = await readdir(dirname(resolve(file))).catch(() => []);
    const suggestion = nearest(
      basename(file),
      siblings.filter((name) => !name.startsWith('.')),
    );
    return new CliError(
      `${file} does not exist${suggestion ? `; did you mean ${join(dirname(file), suggestion)}?` : ''}`,
      2,
    );
  }
  if (code === 'INVALID_PATH' || code === 'FILE_TOO_LARGE')
    return new CliError(message.replaceAll(resolve(file), file), 2);
  if (code === 'INVALID_XML') {
    return new CliError(
      `${file}:${String(details['line'])}:${String(details['column'])} error ${code} ${message}: ${String(details['reason'])}`,
    );
  }
  if (code === 'NOT_HNPX') {
    const violations = details['violations'] as readonly Violation[];
    return new CliError(violations.map((violation) => violationLine(file, violation)).join('\n'));
  }
  return new CliError(message);
}

export function violationLine(file: string, { line, column, severity, code, message }: Violation): string {
  return `${file}:${line}:${column} ${severity} ${code} ${message}`;
}
