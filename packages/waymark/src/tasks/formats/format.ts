import { ToolError } from '../../kit/index.ts';
import { readDescription, readTitle } from '../content-rules.ts';
import { readLabels, toLabel } from '../labels.ts';
import type { Task, TaskContent } from '../model.ts';

/** Something in a file that could not be taken over, or not as it was. */
export interface FileProblem {
  readonly line: number;
  readonly message: string;
  /** True when the whole entry is left out. */
  readonly skipped: boolean;
}

export interface FileTasks {
  readonly tasks: readonly TaskContent[];
  readonly problems: readonly FileProblem[];
}

/** What words like "tomorrow" in a file refer to. */
export interface FileContext {
  readonly now: Date;
  readonly zone: string;
}

export interface TaskFormat {
  readonly name: string;
  readonly extension: string;
  readonly mimeType: string;
  read(text: string, context: FileContext): FileTasks;
  write(tasks: readonly Task[], context: FileContext): string;
}

/** Collects the tasks of a file; an entry that is not valid is reported and left out. */
export class FileReader {
  readonly tasks: TaskContent[] = [];
  readonly problems: FileProblem[] = [];

  warn(line: number, message: string): void {
    this.problems.push({ line, message, skipped: false });
  }

  skip(line: number, message: string): void {
    this.problems.push({ line, message, skipped: true });
  }

  /** Adds one entry after the checks every task goes through. */
  add(line: number, entry: Partial<TaskContent> & { readonly title: string }): void {
    try {
      const labels = (entry.labels ?? []).flatMap((label) => toLabel(label) ?? []);
      this.tasks.push({
        dueDate: null,
        priority: 'medium',
        completed: false,
        completedAt: null,
        recurrence: null,
        ...entry,
        labels: readLabels(labels),
        title: readTitle(entry.title),
        description: readDescription(entry.description ?? ''),
      });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.skip(line, error.message);
    }
  }
}
