import {
  formatDate,
  moveDue,
  parseDate,
  parseRecurrence,
  readDue,
  recurrenceInWords,
  wallClockAt,
} from '../../dates/index.ts';
import type { Priority, Task } from '../model.ts';
import { formatCsv, parseCsv } from './csv.ts';
import { type FileContext, FileReader, type TaskFormat } from './format.ts';

const columns = [
  'TYPE',
  'CONTENT',
  'DESCRIPTION',
  'PRIORITY',
  'INDENT',
  'AUTHOR',
  'RESPONSIBLE',
  'DATE',
  'DATE_LANG',
  'TIMEZONE',
];

/** Todoist counts from 1, the most urgent, to 4, the default. */
const priorities: Readonly<Record<string, Priority>> = { '1': 'high', '2': 'medium', '3': 'low', '4': 'medium' };
const priorityNumbers: Readonly<Record<Priority, string>> = { high: '1', medium: '4', low: '3' };

/** The project template of Todoist: one row per task, section or comment; labels stand in the content as `@label`. */
export const todoistCsv: TaskFormat = {
  name: 'todoist-csv',
  extension: '.csv',
  mimeType: 'text/csv',

  read(text, context) {
    const reader = new FileReader();
    const [header, ...rows] = parseCsv(text);
    const names = header?.cells.map((cell) => cell.trim().toUpperCase()) ?? [];
    if (!names.includes('TYPE') || !names.includes('CONTENT')) {
      reader.skip(1, 'The first line must name the columns TYPE and CONTENT');
      return reader;
    }
    let section: string | undefined;
    for (const { line, cells } of rows) {
      const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
      const type = cell('TYPE').toLowerCase();
      if (type === 'section') section = cell('CONTENT') || undefined;
      else if (type === 'note') addNote(reader, line, cell('CONTENT'));
      else if (type === 'task') readRow(reader, line, cell, section, context);
      else if (type !== '' && type !== 'meta') reader.skip(line, `Unknown row type "${type}"`);
    }
    return reader;
  },

  write(tasks, context) {
    const rows = tasks.filter((task) => !task.completed).map((task) => writeRow(task, context));
    return formatCsv([columns, ...rows]);
  },
};

function readRow(
  reader: FileReader,
  line: number,
  cell: (name: string) => string,
  section: string | undefined,
  context: FileContext,
): void {
  const { title, labels } = splitLabels(cell('CONTENT'));
  const priority = cell('PRIORITY');
  if (priority !== '' && !(priority in priorities)) reader.warn(line, `Unknown priority "${priority}"; medium is used`);
  if (Number(cell('INDENT') || 1) > 1) reader.warn(line, 'A subtask becomes a task of its own');
  const date = readDate(cell('DATE'), context);
  if (!date) reader.warn(line, `The date "${cell('DATE')}" is not understood and is left out`);
  reader.add(line, {
    title,
    description: cell('DESCRIPTION'),
    priority: priorities[priority] ?? 'medium',
    labels: section === undefined ? labels : [...labels, section],
    dueDate: date?.dueDate ?? null,
    recurrence: date?.recurrence ?? null,
  });
}

function splitLabels(content: string): { title: string; labels: string[] } {
  const labels: string[] = [];
  const title = content.replaceAll(/(?:^|\s)@(\p{L}[\p{L}\p{M}\p{N}_/.-]*)(?=\s|$)/gu, (_whole, label: string) => {
    labels.push(label);
    return '';
  });
  return { title: title.trim(), labels };
}

function readDate(text: string, { now, zone }: FileContext) {
  if (text === '') return { dueDate: null, recurrence: null };
  const starting = /^(.*) starting (\S+)$/i.exec(text);
  const repeating = parseRecurrence((starting?.[1] ?? text).replace(/^every!/i, 'every'), now, zone);
  if (repeating.ok) {
    const start = readDue(starting?.[2] ?? '');
    const dueDate = start?.kind === 'day' ? moveDue(repeating.first.value, start.date, zone) : repeating.first.value;
    return { dueDate, recurrence: repeating.rule };
  }
  const date = parseDate(text, now, zone);
  return date.ok ? { dueDate: date.due.value, recurrence: null } : undefined;
}

/** A comment belongs to the task above it. */
function addNote(reader: FileReader, line: number, note: string): void {
  const task = reader.tasks.pop();
  if (!task) return reader.skip(line, 'A comment without a task');
  const description = [task.description, note].filter(Boolean).join('\n');
  reader.add(line, { ...task, description });
  if (reader.tasks.at(-1)?.title !== task.title) reader.tasks.push(task);
}

function writeRow(task: Task, context: FileContext): string[] {
  const content = [task.title, ...task.labels.map((label) => `@${label}`)].join(' ');
  const priority = priorityNumbers[task.priority];
  return ['task', content, task.description ?? '', priority, '1', '', '', dateText(task, context), 'en', context.zone];
}

function dateText({ dueDate, recurrence }: Task, { zone }: FileContext): string {
  const due = dueDate === null ? undefined : readDue(dueDate);
  const wall = due?.kind === 'instant' ? wallClockAt(due.instant, zone) : undefined;
  const day = wall ? formatDate(wall.date) : (dueDate ?? '');
  const time = wall && [wall.hour, wall.minute].map((part) => String(part).padStart(2, '0')).join(':');
  if (recurrence === null) return [day, time].filter(Boolean).join(' ');
  const words = recurrenceInWords(recurrence);
  return [words, time && `at ${time}`, day && `starting ${day}`].filter(Boolean).join(' ');
}
