import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fixSop } from '../../sop/fix.ts';
import { lintSop } from '../../sop/lint.ts';
import type { Problem } from '../../sop/model.ts';
import { parseSop } from '../../sop/parse-sop.ts';
import { readText } from './read-file.ts';

interface CheckFlags {
  readonly fix?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export async function checkFiles(files: readonly string[], flags: CheckFlags): Promise<void> {
  const sources = await Promise.all(files.map(async (file) => ({ file, source: await readText(file) })));
  const reports: { file: string; problems: Problem[]; fixed: readonly string[] }[] = [];
  for (const { file, source } of sources) {
    const { source: text, changes } = flags.fix ? fixSop(source) : { source, changes: [] };
    if (text !== source) await writeFile(file, text);
    reports.push({ file, problems: lintSop(parseSop(text, basename(file, '.md'))), fixed: changes });
  }
  const all = reports.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
  if (flags.json) {
    const fixed = reports.flatMap(({ file, fixed: changes }) => changes.map((change) => ({ file, change })));
    const problems = all.map(({ file, line, column, severity, code, message }) => ({
      file,
      line,
      column,
      severity,
      code,
      message,
    }));
    process.stdout.write(`${JSON.stringify({ problems, ...(flags.fix ? { fixed } : {}) }, null, 2)}\n`);
  } else {
    for (const { file, line, column, severity, code, message } of all) {
      process.stdout.write(`${file}:${line}:${column} ${severity} ${code} ${message}\n`);
    }
    for (const { file, fixed } of reports) for (const change of fixed) process.stderr.write(`${file}: ${change}\n`);
    process.stderr.write(`${summary(all, files.length)}\n`);
  }
  const failed = all.some(({ severity }) => severity === 'error' || flags.strict);
  if (failed) process.exitCode = 1;
}

function summary(problems: readonly Problem[], files: number): string {
  const where = files === 1 ? '' : ` in ${files} files`;
  if (problems.length === 0) return `No problems${where}.`;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}${where}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
