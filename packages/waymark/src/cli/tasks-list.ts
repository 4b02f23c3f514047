import { Command, InvalidArgumentError, Option } from 'commander';
import type { Priority, Task } from '../tasks/index.ts';
import { type TaskFlags, withTaskOptions, withTasks } from './with-tasks.ts';

interface ListFlags extends TaskFlags {
  readonly all?: boolean;
  readonly done?: boolean;
  readonly priority?: Priority;
  readonly dueBefore?: string;
  readonly dueAfter?: string;
  readonly search?: string;
  readonly label?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export function createAddCommand(): Command {
  return withTaskOptions(new Command('add'))
    .description('add a task from one line with date, repetition, p1-p3 and #labels')
    .argument('<text...>', 'such as: call mom tomorrow 5pm p1 #family')
    .option('--json', 'print the task as JSON')
    .action(add);
}

export function createListCommand(): Command {
  return withTaskOptions(new Command('list'))
    .description('list open tasks')
    .option('--all', 'done ones too')
    .option('--done', 'only done ones')
    .addOption(new Option('--priority <level>').choices(['low', 'medium', 'high']))
    .option('--due-before <date>', 'due before this date, such as "next monday"')
    .option('--due-after <date>', 'due on or after this date')
    .option('--search <text>', 'a part of title or description')
    .option('--label <name>', 'with this label')
    .option('--limit <number>', 'at most so many', parseLimit, 50)
    .option('--json', 'one JSON object per line')
    .action(list);
}

export function createDoneCommand(): Command {
  return withTaskOptions(new Command('done'))
    .description('mark tasks as done')
    .argument('<ids...>', 'ids as printed by tasks list')
    .action(done);
}

async function add(words: string[], flags: TaskFlags & { readonly json?: boolean }): Promise<void> {
  const [{ readQuickTask, readTitle, fullTask }, { dueInWords }] = await Promise.all([
    import('../tasks/index.ts'),
    import('../dates/index.ts'),
  ]);
  await withTasks(flags, async (service, circumstances) => {
    const zone = await service.zone(circumstances);
    const quick = readQuickTask(words.join(' '), circumstances.now, zone);
    const task = await service.insert(circumstances, {
      ...quick,
      title: readTitle(quick.title),
      description: null,
      completed: false,
      completedAt: null,
    });
    if (flags.json) return void process.stdout.write(`${JSON.stringify(fullTask(task))}\n`);
    const due = task.dueDate === null ? '' : `, due ${dueInWords(task.dueDate, circumstances.now, zone)}`;
    process.stdout.write(`Added ${task.title}${due} (${task.id})\n`);
  });
}

async function list(flags: ListFlags): Promise<void> {
  const [{ fullTask }, { dueInWords, isOverdue }] = await Promise.all([
    import('../tasks/index.ts'),
    import('../dates/index.ts'),
  ]);
  await withTasks(flags, async (service, circumstances) => {
    const completed = flags.done ? true : flags.all ? undefined : false;
    const { priority, dueBefore, dueAfter, search, label, limit } = flags;
    const request = { completed, priority, dueBefore, dueAfter, search, label, limit };
    const { tasks, next } = await service.list(circumstances, request);
    const zone = await service.zone(circumstances);
    const describe = (task: Task): string => {
      const due = task.dueDate === null ? '' : `  due ${dueInWords(task.dueDate, circumstances.now, zone)}`;
      const late = !task.completed && task.dueDate !== null && isOverdue(task.dueDate, circumstances.now, zone);
      const marks = [
        task.priority === 'medium' ? '' : `  ${task.priority}`,
        ...task.labels.map((name) => `  #${name}`),
      ];
      return `${task.completed ? '[x]' : '[ ]'} ${task.title}${due}${late ? ' (overdue)' : ''}${marks.join('')}  ${task.id}`;
    };
    for (const task of tasks) {
      process.stdout.write(`${flags.json ? JSON.stringify(fullTask(task)) : describe(task)}\n`);
    }
    if (tasks.length === 0 && !flags.json) process.stdout.write('No tasks\n');
    if (next) process.stderr.write(`There are more; show them with --limit (at most 1000)\n`);
  });
}

async function done(ids: string[], flags: TaskFlags): Promise<void> {
  const { CliError } = await import('./cli-error.ts');
  await withTasks(flags, async (service, circumstances) => {
    const { completed, already, failed } = await service.completeMany(circumstances, [...new Set(ids)]);
    for (const { title } of completed) process.stdout.write(`Done: ${title}\n`);
    for (const { title } of already) process.stdout.write(`Already done: ${title}\n`);
    if (failed.length > 0) throw new CliError(failed.map(({ taskId, message }) => `${taskId}: ${message}`).join('; '));
  });
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw new InvalidArgumentError('It must be 1 to 1000.');
  return limit;
}
