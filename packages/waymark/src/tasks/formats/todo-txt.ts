import {
  formatInstant,
  instantOf,
  isTimeZone,
  parseRule,
  readDue,
  startOfDay,
  wallClockAt,
} from '../../dates/index.ts';
import type { Priority, Task, TaskContent } from '../model.ts';
import { type FileContext, FileReader, type TaskFormat } from './format.ts';

/** One task per line: `x 2026-11-18 (A) buy milk +home @errands due:2026-11-20`. */
export const todoTxt: TaskFormat = {
  name: 'todo-txt',
  extension: '.txt',
  mimeType: 'text/plain',

  read(text, context) {
    const reader = new FileReader();
    for (const [index, row] of text
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\n|\r/)
      .entries()) {
      if (row.trim() !== '') readLine(reader, index + 1, row.trim(), context);
    }
    return reader;
  },

  write(tasks, context) {
    return tasks.map((task) => `${writeLine(task, context)}\n`).join('');
  },
};

function readLine(reader: FileReader, line: number, row: string, context: FileContext): void {
  const head =
    /^(?<done>x )?(?:\((?<priority>[A-Z])\) )?(?:(?<first>\d{4}-\d{2}-\d{2}) )?(?:(?<second>\d{4}-\d{2}-\d{2}) )?/.exec(
      row,
    );
  const { done, priority, first, second } = head?.groups ?? {};
  const labels: string[] = [];
  const tags = new Map<string, string>();
  const words = row
    .slice(head?.[0].length ?? 0)
    .split(/\s+/)
    .filter((word) => {
      const label = /^[+@](\p{L}\S*)$/u.exec(word)?.[1];
      const tag = /^(due|time|rec|rrule|pri):(\S+)$/.exec(word);
      if (label !== undefined) labels.push(label);
      if (tag?.[1] !== undefined && tag[2] !== undefined) tags.set(tag[1], tag[2]);
      return label === undefined && !tag;
    });
  const due = tags.get('due');
  const dueDate = due === undefined ? null : readDueTag(due, tags.get('time'), context);
  if (dueDate === undefined) reader.warn(line, `The date "due:${due}" is not understood and is left out`);
  const recurrence = readRepetition(tags);
  if (recurrence === undefined) reader.warn(line, `The repetition "rec:${tags.get('rec')}" is left out`);
  const completed = done !== undefined;
  const finished = completed && first !== undefined && second !== undefined ? first : completed ? first : undefined;
  reader.add(line, {
    title: words.join(' '),
    labels,
    priority: readPriority(priority ?? tags.get('pri')),
    dueDate: dueDate ?? null,
    recurrence: completed ? null : (recurrence ?? null),
    completed,
    completedAt: completed ? finishedAt(finished, context) : null,
  });
}

function readPriority(letter: string | undefined): Priority {
  if (letter === 'A') return 'high';
  return letter === undefined || letter === 'B' ? 'medium' : 'low';
}

function finishedAt(day: string | undefined, { now, zone }: FileContext): Date {
  const due = day === undefined ? undefined : readDue(day);
  return due?.kind === 'day' ? startOfDay(due.date, zone) : now;
}

function readDueTag(day: string, time: string | undefined, { zone }: FileContext): string | undefined {
  const due = readDue(day);
  if (due?.kind !== 'day') return due ? day : undefined;
  const clock = /^(\d{2}):(\d{2})$/.exec(time ?? '');
  if (!clock || !isTimeZone(zone) || Number(clock[1]) > 23 || Number(clock[2]) > 59) return day;
  const wall = { date: due.date, hour: Number(clock[1]), minute: Number(clock[2]), second: 0 };
  return formatInstant(instantOf(wall, zone), zone);
}

const unitNames: Readonly<Record<string, string>> = { d: 'DAILY', w: 'WEEKLY', m: 'MONTHLY', y: 'YEARLY' };

/** `rec:2w` as other programs write it, or `rrule:` with the whole rule. Null: none. Undefined: not understood. */
function readRepetition(tags: ReadonlyMap<string, string>): string | null | undefined {
  const rule = tags.get('rrule');
  if (rule !== undefined) return parseRule(rule).ok ? rule.toUpperCase() : undefined;
  const short = tags.get('rec');
  if (short === undefined) return null;
  const match = /^\+?(\d{1,3})([dwmyb])$/.exec(short);
  if (!match || Number(match[1]) < 1) return undefined;
  if (match[2] === 'b') return match[1] === '1' ? 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' : undefined;
  const interval = match[1] === '1' ? '' : `;INTERVAL=${Number(match[1])}`;
  return `FREQ=${unitNames[match[2] ?? '']}${interval}`;
}

function writeLine(task: Task, { zone }: FileContext): string {
  const priority = { high: 'A', medium: undefined, low: 'C' }[task.priority];
  const day = (instant: Date) => formatInstant(instant, zone).slice(0, 10);
  const parts = task.completed
    ? [
        'x',
        ...(task.completedAt ? [day(task.completedAt)] : []),
        day(task.createdAt),
        task.title,
        ...(priority ? [`pri:${priority}`] : []),
      ]
    : [...(priority ? [`(${priority})`] : []), day(task.createdAt), task.title];
  return [...parts, ...task.labels.map((label) => `@${label}`), ...dueTags(task, zone), ...repetitionTags(task)].join(
    ' ',
  );
}

function dueTags({ dueDate }: TaskContent, zone: string): string[] {
  const due = dueDate === null ? undefined : readDue(dueDate);
  if (!due) return [];
  if (due.kind === 'day') return [`due:${dueDate}`];
  const { hour, minute } = wallClockAt(due.instant, zone);
  const time = [hour, minute].map((value) => String(value).padStart(2, '0')).join(':');
  return [`due:${formatInstant(due.instant, zone).slice(0, 10)}`, `time:${time}`];
}

function repetitionTags({ recurrence }: TaskContent): string[] {
  if (recurrence === null) return [];
  const simple = /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=(\d+))?$/.exec(recurrence);
  return [simple ? `rec:${simple[2] ?? 1}${simple[1]?.[0]?.toLowerCase()}` : `rrule:${recurrence}`];
}
