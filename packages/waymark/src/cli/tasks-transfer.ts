import { Command, Option } from 'commander';
import type { FormatName } from '../tasks/index.ts';
import { CliError } from './cli-error.ts';
import { type TaskFlags, withTaskOptions, withTasks } from './with-tasks.ts';

const formats: readonly FormatName[] = ['todoist-csv', 'icalendar', 'todo-txt'];

interface ImportFlags extends TaskFlags {
  readonly format?: FormatName;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface ExportFlags extends TaskFlags {
  readonly format: FormatName;
  readonly out?: string;
  readonly open?: boolean;
}

export function createImportCommand(): Command {
  return withTaskOptions(new Command('import'))
    .description('add the tasks of a file; tasks already there are left out')
    .argument('<file>', 'a Todoist CSV, iCalendar or todo.txt file, or - for standard input')
    .addOption(new Option('--format <name>', 'when the file name does not tell it').choices(formats))
    .option('--dry-run', 'only tell what would happen')
    .option('--json', 'print the report as JSON')
    .action(importFile);
}

export function createExportCommand(): Command {
  return withTaskOptions(new Command('export'))
    .description('write the tasks as a file')
    .addOption(new Option('--format <name>', 'the kind of file').choices(formats).makeOptionMandatory())
    .option('--out <file>', 'write here instead of standard output')
    .option('--open', 'only open tasks')
    .action(exportFile);
}

async function importFile(file: string, flags: ImportFlags): Promise<void> {
  const { importTasks, guessFormat } = await import('../tasks/index.ts');
  const text = await readText(file);
  const format = flags.format ?? guessFormat(file, text);
  if (!format) throw new CliError(`Cannot tell the format of ${file}; say it with --format ${formats.join('|')}`, 2);
  await withTasks(flags, async (service, circumstances) => {
    const report = await importTasks(service, circumstances, format, text, flags.dryRun ?? false);
    const { found, added, duplicates, problems } = report;
    if (flags.json) {
      const titles = report.tasks.map(({ title }) => title);
      process.stdout.write(
        `${JSON.stringify({ format, dry_run: flags.dryRun ?? false, found, added, duplicates, problems, titles })}\n`,
      );
      return;
    }
    for (const { line, message, skipped } of problems) {
      process.stderr.write(`${file}:${line} ${skipped ? 'skipped' : 'note'}: ${message}\n`);
    }
    const verb = flags.dryRun ? 'would be added' : 'added';
    process.stdout.write(`${added} ${added === 1 ? 'task' : 'tasks'} ${verb}, ${duplicates} already there\n`);
  });
}

async function exportFile(flags: ExportFlags): Promise<void> {
  const { exportTasks } = await import('../tasks/index.ts');
  await withTasks(flags, async (service, circumstances) => {
    const { content, count, notes } = await exportTasks(
      service,
      circumstances,
      flags.format,
      flags.open ? false : undefined,
    );
    for (const note of notes) process.stderr.write(`note: ${note}\n`);
    if (flags.out === undefined) process.stdout.write(content);
    else {
      await writeText(flags.out, content);
      process.stdout.write(`${count} ${count === 1 ? 'task' : 'tasks'} written to ${flags.out}\n`);
    }
  });
}

async function readText(file: string): Promise<string> {
  if (file === '-') {
    const { text } = await import('node:stream/consumers');
    return text(process.stdin);
  }
  const { readFile } = await import('node:fs/promises');
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException): never => {
    throw new CliError(`${file}: ${error.code === 'ENOENT' ? 'no such file' : 'cannot be read'}`, 2);
  });
}

async function writeText(file: string, content: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, content).catch((error: NodeJS.ErrnoException): never => {
    throw new CliError(`${file}: cannot be written (${error.code})`, 2);
  });
}
