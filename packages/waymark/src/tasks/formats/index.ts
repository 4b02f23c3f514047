import type { TaskFormat } from './format.ts';
import { icalendar } from './icalendar.ts';
import { todoTxt } from './todo-txt.ts';
import { todoistCsv } from './todoist-csv.ts';

export const formatNames = ['todoist-csv', 'icalendar', 'todo-txt'] as const;
export type FormatName = (typeof formatNames)[number];

export const formats: Readonly<Record<FormatName, TaskFormat>> = {
  'todoist-csv': todoistCsv,
  icalendar,
  'todo-txt': todoTxt,
};

/** The format a file most likely has, by its name, else by how it starts. */
export function guessFormat(fileName: string, text: string): FormatName | undefined {
  const byName = formatNames.find((name) => fileName.toLowerCase().endsWith(formats[name].extension));
  if (byName) return byName;
  if (/^\uFEFF?BEGIN:VCALENDAR/i.test(text)) return 'icalendar';
  return /^\uFEFF?"?TYPE"?,/i.test(text) ? 'todoist-csv' : undefined;
}

export type { FileContext, FileProblem, FileTasks, TaskFormat } from './format.ts';
