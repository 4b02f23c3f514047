import { formatInstant, instantOf, isTimeZone, parseRule, readDue } from '../../dates/index.ts';
import type { Priority, Task, TaskContent } from '../model.ts';
import { type FileContext, FileReader, type TaskFormat } from './format.ts';
import { type ContentLine, escapeText, foldLine, readContentLines, splitList, unescapeText } from './ical-lines.ts';

/** Tasks as the VTODO of RFC 5545; other components of the file are left alone. */
export const icalendar: TaskFormat = {
  name: 'icalendar',
  extension: '.ics',
  mimeType: 'text/calendar',

  read(text, context) {
    const reader = new FileReader();
    const { lines, broken } = readContentLines(text);
    for (const line of broken) reader.warn(line, 'Not a line of the form NAME:value');
    if (lines[0]?.name !== 'BEGIN' || lines[0].value.toUpperCase() !== 'VCALENDAR') {
      reader.skip(1, 'The file does not start with BEGIN:VCALENDAR');
      return reader;
    }
    let todo: { line: number; properties: ContentLine[] } | undefined;
    let depth = 0;
    const others = new Map<string, number>();
    for (const line of lines) {
      const component = line.value.toUpperCase();
      if (line.name === 'BEGIN') {
        depth++;
        if (component === 'VTODO' && !todo) todo = { line: line.line, properties: [] };
        else if (!todo && depth === 2) others.set(component, (others.get(component) ?? 0) + 1);
        else if (todo) todo.properties.push(line);
      } else if (line.name === 'END') {
        depth--;
        if (component === 'VTODO' && todo) {
          readTodo(reader, todo.line, withoutParts(todo.properties), context);
          todo = undefined;
        } else todo?.properties.push(line);
      } else todo?.properties.push(line);
    }
    if (todo) reader.skip(todo.line, 'BEGIN:VTODO without END:VTODO');
    others.delete('VTIMEZONE');
    for (const [component, count] of others) reader.warn(1, `${count} ${component} left out; only VTODO is a task`);
    return reader;
  },

  write(tasks, { now }) {
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Waymark//Tasks//EN'];
    for (const task of tasks) lines.push(...writeTodo(task, now));
    lines.push('END:VCALENDAR');
    return lines.map(foldLine).join('');
  },
};

/** The properties of the to-do itself, without those of an alarm inside it. */
function withoutParts(properties: readonly ContentLine[]): ContentLine[] {
  let depth = 0;
  return properties.filter(({ name }) => {
    if (name === 'BEGIN') depth++;
    if (name === 'END') return depth-- < 0;
    return depth === 0;
  });
}

function readTodo(reader: FileReader, line: number, properties: readonly ContentLine[], context: FileContext): void {
  const find = (name: string) => properties.find((property) => property.name === name);
  const text = (name: string) => unescapeText(find(name)?.value ?? '');
  const status = text('STATUS').toUpperCase();
  if (status === 'CANCELLED') return reader.skip(line, `Cancelled: ${text('SUMMARY').slice(0, 60)}`);
  const completed = status === 'COMPLETED' || find('COMPLETED') !== undefined || text('PERCENT-COMPLETE') === '100';
  const due = find('DUE') ?? find('DTSTART');
  const dueDate = due ? readDateValue(due, context) : null;
  if (due && dueDate === undefined) reader.warn(due.line, `The date "${due.value}" is not understood and is left out`);
  const rule = find('RRULE');
  const parsedRule = rule ? parseRule(rule.value) : undefined;
  if (rule && parsedRule && !parsedRule.ok) reader.warn(rule.line, `The repetition is left out: ${parsedRule.reason}`);
  const finished = find('COMPLETED');
  const completedAt = finished ? readDateValue(finished, context) : undefined;
  reader.add(line, {
    title: text('SUMMARY'),
    description: text('DESCRIPTION'),
    dueDate: dueDate ?? null,
    priority: readPriority(text('PRIORITY')),
    labels: properties.filter(({ name }) => name === 'CATEGORIES').flatMap(({ value }) => splitList(value)),
    recurrence: rule && parsedRule?.ok && !completed ? rule.value.trim().toUpperCase() : null,
    completed,
    completedAt: completed ? new Date(completedAt ?? context.now) : null,
  });
}

/** 1 to 4 is high, 5 medium, 6 to 9 low; 0 is none. */
function readPriority(text: string): Priority {
  const value = Number(text);
  if (value >= 1 && value <= 4) return 'high';
  return value >= 6 && value <= 9 ? 'low' : 'medium';
}

const priorityNumbers: Readonly<Record<Priority, number>> = { high: 1, medium: 5, low: 9 };

function readDateValue({ value, parameters }: ContentLine, { zone }: FileContext): string | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(value.trim());
  if (!match) return undefined;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  const due = readDue(day);
  if (due?.kind !== 'day') return undefined;
  if (match[4] === undefined) return day;
  const named = parameters.get('TZID')?.replace(/^\//, '');
  const local = match[7] === 'Z' ? 'UTC' : (named ?? zone);
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  if (!isTimeZone(local) || hour > 23 || minute > 59 || second > 60) return undefined;
  return formatInstant(instantOf({ date: due.date, hour, minute, second: Math.min(second, 59) }, local), zone);
}

function writeTodo(task: Task, now: Date): string[] {
  const due = dateLine(task);
  return [
    'BEGIN:VTODO',
    `UID:${task.id}@waymark`,
    `DTSTAMP:${stamp(now)}`,
    `CREATED:${stamp(task.createdAt)}`,
    `LAST-MODIFIED:${stamp(task.updatedAt)}`,
    `SUMMARY:${escapeText(task.title)}`,
    ...(task.description === null ? [] : [`DESCRIPTION:${escapeText(task.description)}`]),
    ...(due && task.recurrence !== null ? [`DTSTART${due}`, `RRULE:${task.recurrence}`] : []),
    ...(due ? [`DUE${due}`] : []),
    `PRIORITY:${priorityNumbers[task.priority]}`,
    ...(task.labels.length > 0 ? [`CATEGORIES:${task.labels.map(escapeText).join(',')}`] : []),
    `STATUS:${task.completed ? 'COMPLETED' : 'NEEDS-ACTION'}`,
    ...(task.completedAt ? [`COMPLETED:${stamp(task.completedAt)}`] : []),
    'END:VTODO',
  ];
}

function dateLine({ dueDate }: TaskContent): string | undefined {
  const due = dueDate === null ? undefined : readDue(dueDate);
  if (!due) return undefined;
  return due.kind === 'day' ? `;VALUE=DATE:${dueDate?.replaceAll('-', '')}` : `:${stamp(due.instant)}`;
}

function stamp(instant: Date): string {
  return instant.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}
