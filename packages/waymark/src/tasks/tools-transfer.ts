import { z } from 'zod';
import { annotate, defineTool, type Tool, ToolError } from '../kit/index.ts';
import { formatNames } from './formats/index.ts';
import type { TaskService } from './task-service.ts';
import { exportTasks, importTasks } from './transfer.ts';
import { answer, circumstancesOf, inputs, withoutNulls } from './wire.ts';

const shown = 20;
const longestFile = 5_000_000;

export function createTransferTools(service: TaskService): Tool[] {
  return [importTool(service), exportTool(service)];
}

function importTool(service: TaskService): Tool {
  return defineTool({
    name: 'import_tasks',
    title: 'Import tasks',
    description:
      'Adds tasks from a file text. dry_run (default true) only reports. Tasks already there are left out; problems name their line.',
    input: z.strictObject({
      user_id: inputs.userId,
      format: z.enum(formatNames),
      content: z.string(),
      dry_run: z.boolean().optional(),
    }),
    output: z.object({
      ...answer,
      dry_run: z.boolean(),
      found: z.int(),
      added: z.int(),
      duplicates: z.int(),
      problems: z.array(z.object({ line: z.int(), message: z.string(), skipped: z.boolean() })),
      problem_count: z.int(),
      preview: z.array(z.object({ title: z.string(), due_date: z.string().nullable(), completed: z.boolean() })),
    }),
    annotations: annotate.add,
    scopes: ['tasks:write'],
    tier: 'more',
    prepare: withoutNulls,
    async run({ user_id, format, content, dry_run = true }, context) {
      const circumstances = circumstancesOf(user_id, context);
      if (content.length > longestFile) throw new ToolError('FILE_TOO_LARGE', 'The file is longer than 5 MB');
      const report = await importTasks(service, circumstances, format, content, dry_run);
      const verb = dry_run ? 'would be added' : 'added';
      return {
        success: true as const,
        dry_run,
        found: report.found,
        added: report.added,
        duplicates: report.duplicates,
        problems: report.problems.slice(0, 100).map((problem) => ({ ...problem })),
        problem_count: report.problems.length,
        preview: report.tasks
          .slice(0, shown)
          .map(({ title, dueDate, completed }) => ({ title, due_date: dueDate, completed })),
        message: `${report.added} tasks ${verb}, ${report.duplicates} already there, ${report.problems.length} problems`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function exportTool(service: TaskService): Tool {
  return defineTool({
    name: 'export_tasks',
    title: 'Export tasks',
    description: 'The tasks as the text of a Todoist CSV, iCalendar or todo.txt file.',
    input: z.strictObject({
      user_id: inputs.userId,
      format: z.enum(formatNames),
      completed: z.boolean().optional().describe('Only done or only open ones'),
    }),
    output: z.object({
      ...answer,
      format: z.enum(formatNames),
      content: z.string(),
      count: z.int(),
      notes: z.array(z.string()),
    }),
    annotations: annotate.read,
    scopes: ['tasks:read'],
    tier: 'more',
    prepare: withoutNulls,
    async run({ user_id, format, completed }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const { content, count, notes } = await exportTasks(service, circumstances, format, completed);
      return {
        success: true as const,
        format,
        content,
        count,
        notes: [...notes],
        message: [`${count} tasks exported`, ...notes].join('. '),
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}
