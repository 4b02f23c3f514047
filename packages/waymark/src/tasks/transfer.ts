import { ToolError } from '../kit/index.ts';
import { type FileProblem, type FormatName, formats } from './formats/index.ts';
import { limits, type Task, type TaskContent } from './model.ts';
import type { Circumstances } from './requests.ts';
import type { TaskService } from './task-service.ts';

export interface ImportReport {
  readonly found: number;
  readonly added: number;
  /** Already there with the same title, due date and state; a second import adds nothing. */
  readonly duplicates: number;
  readonly problems: readonly FileProblem[];
  readonly tasks: readonly TaskContent[];
}

/** Reads a file of tasks; with `dryRun` it only tells what would happen. */
export async function importTasks(
  service: TaskService,
  circumstances: Circumstances,
  format: FormatName,
  text: string,
  dryRun: boolean,
): Promise<ImportReport> {
  const zone = await service.zone(circumstances);
  const { tasks, problems } = formats[format].read(text, { now: circumstances.now, zone });
  if (tasks.length > limits.importedTasks) {
    throw new ToolError('TOO_MANY_TASKS', `A file may hold ${limits.importedTasks} tasks, not ${tasks.length}`);
  }
  const known = new Set<string>();
  if (tasks.length > 0) for await (const task of service.all(circumstances, {})) known.add(keyOf(task));
  const fresh = tasks.filter((task) => !known.has(keyOf(task)));
  if (!dryRun && fresh.length > 0) await service.insertMany(circumstances, fresh);
  return {
    found: tasks.length,
    added: fresh.length,
    duplicates: tasks.length - fresh.length,
    problems,
    tasks: fresh,
  };
}

function keyOf({ title, dueDate, completed }: TaskContent): string {
  const due = dueDate === null || dueDate.length === 10 ? dueDate : new Date(dueDate).getTime();
  return JSON.stringify([title, due, completed]);
}

export interface ExportResult {
  readonly content: string;
  readonly count: number;
  /** What the format cannot hold. */
  readonly notes: readonly string[];
}

export async function exportTasks(
  service: TaskService,
  circumstances: Circumstances,
  format: FormatName,
  completed: boolean | undefined,
): Promise<ExportResult> {
  const zone = await service.zone(circumstances);
  const filter = { completed: format === 'todoist-csv' ? false : completed };
  const tasks: Task[] = [];
  for await (const task of service.all(circumstances, filter)) tasks.push(task);
  const notes: string[] = [];
  if (format === 'todoist-csv' && completed !== false) notes.push('Todoist files hold open tasks only');
  const described = tasks.filter((task) => task.description !== null).length;
  if (format === 'todo-txt' && described > 0) notes.push(`todo.txt has no descriptions: ${described} left out`);
  return { content: formats[format].write(tasks, { now: circumstances.now, zone }), count: tasks.length, notes };
}
