import { resolve } from 'node:path';
import type { Violation } from '../../hnpx/model.ts';
import { validate } from '../../hnpx/read/validate.ts';
import { asCliError, violationLine, workshopFor } from './open-book.ts';

interface CheckFlags {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export async function checkBooks(files: readonly string[], flags: CheckFlags): Promise<void> {
  const problems: (Violation & { file: string })[] = [];
  for (const file of files) {
    const workshop = await workshopFor(file);
    try {
      const { violations } = await validate(workshop.files, resolve(file));
      problems.push(...violations.map((violation) => ({ file, ...violation })));
    } catch (error) {
      throw await asCliError(error, file);
    }
  }
  if (flags.json) process.stdout.write(`${JSON.stringify({ problems }, null, 2)}\n`);
  else {
    for (const problem of problems) process.stdout.write(`${violationLine(problem.file, problem)}\n`);
    process.stderr.write(`${summary(problems, files.length)}\n`);
  }
  if (problems.some(({ severity }) => severity === 'error' || flags.strict)) process.exitCode = 1;
}

function summary(problems: readonly Violation[], files: number): string {
  const where = files === 1 ? '' : ` in ${files} files`;
  if (problems.length === 0) return `No problems${where}.`;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return `${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}${where}.`;
}
