import {
  dueDay,
  dueInWords,
  formatDate,
  instantOf,
  moveDue,
  readDue,
  shiftDue,
  wallClockAt,
  formatInstant,
} from '../../dates/index.ts';
import type { DateContext, Patch } from '../understanding/index.ts';
import { apology, say } from './phrases.ts';
import { callOne, type Desk, type Outcome, type Plan } from './plan.ts';
import { detailsOf, type ListedTask } from './tasks.ts';

export function* updateTasks(desk: Desk, tasks: readonly ListedTask[], patch: Patch): Plan<string> {
  const lines: string[] = [];
  for (const task of tasks) {
    const change = changeOf(task, patch, desk.dates);
    if (Array.from(change.arguments.title ?? '').length > 500) return say.titleTooLong;
    const outcome = yield* callOne('update_task', { task_id: task.id, ...change.arguments });
    const updated = updatedTask(outcome);
    if (!updated) {
      lines.push(apology(outcome));
      break;
    }
    lines.push(sayChange(task, updated, change, desk.dates));
  }
  desk.dialog = { ...desk.dialog, focus: tasks.map(({ id, title }) => ({ id, title })) };
  return lines.join('\n');
}

interface Change {
  readonly arguments: {
    readonly title?: string;
    readonly description?: string | null;
    readonly due_date?: string | null;
    readonly priority?: string;
    readonly completed?: boolean;
  };
  /** "I've updated the meeting time to 4pm": what the time belongs to and how it was said. */
  readonly time?: { readonly of: string; readonly words: string };
}

const levels = ['low', 'medium', 'high'] as const;

/** Makes a patch exact for one task: relative dates and steps need to know where it stands. */
function changeOf(task: ListedTask, patch: Patch, dates: DateContext): Change {
  const priority =
    patch.priority ??
    (patch.priorityStep ? levels[clamp(levels.indexOf(task.priority as 'low') + patch.priorityStep)] : undefined);
  const shared = {
    ...(patch.title === undefined ? {} : { title: patch.title }),
    ...(patch.description === undefined ? {} : { description: patch.description }),
    ...(priority ? { priority } : {}),
    ...(patch.completed === undefined ? {} : { completed: patch.completed }),
  };
  if (patch.clearDue) return { arguments: { ...shared, due_date: null } };
  if (patch.shift) {
    const base = task.due_date ?? formatDate(wallClockAt(dates.now, dates.zone).date);
    const shifted = shiftDue(base, patch.shift, dates.zone);
    return { arguments: { ...shared, ...(shifted ? { due_date: shifted } : {}) } };
  }
  if (!patch.due) return { arguments: shared };
  const { due, dueWords = '' } = patch;
  const inTitle = due.said === 'time' && task.due_date === null ? replaceTime(task.title, dueWords) : undefined;
  if (inTitle) return { arguments: { ...shared, title: inTitle.title }, time: { of: inTitle.of, words: dueWords } };
  const value = combine(task.due_date, due, dates.zone);
  return {
    arguments: { ...shared, due_date: value },
    ...(due.said === 'time' ? { time: { of: shortName(task.title), words: dueWords } } : {}),
  };
}

function clamp(level: number): number {
  return Math.min(levels.length - 1, Math.max(0, level));
}

/** A new time keeps the day and a new day keeps the time, where the task has them. */
function combine(current: string | null, due: NonNullable<Patch['due']>, zone: string): string {
  const before = current === null ? undefined : readDue(current);
  if (!before || current === null) return due.value;
  if (due.said === 'day') {
    const day = dueDay(due.value, zone);
    return day ? moveDue(current, day, zone) : due.value;
  }
  const wanted = due.said === 'time' ? readDue(due.value) : undefined;
  const day = dueDay(current, zone);
  if (wanted?.kind !== 'instant' || !day) return due.value;
  return formatInstant(instantOf({ ...wallClockAt(wanted.instant, zone), date: day }, zone), zone);
}

const timeInTitle =
  /\b(?:(?:at|@|from|by)\s+)?(\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.)|\d{1,2}:\d{2}|noon|midnight|\d{1,2}\s*o'?clock|(?<=\bat )\d{1,2})(?=$|[\s,.!?)])/i;

/** "meeting at 3pm" becomes "meeting at 4pm". */
function replaceTime(title: string, words: string): { title: string; of: string } | undefined {
  const match = timeInTitle.exec(title);
  const time = match?.[1];
  if (!match || time === undefined) return undefined;
  const at = match.index + match[0].length - time.length;
  const bare = words.replace(/^(?:at|on|by|for)\s+/i, '');
  const rest = `${title.slice(0, match.index)} ${title.slice(match.index + match[0].length)}`;
  return { title: title.slice(0, at) + bare + title.slice(at + time.length), of: shortName(rest) };
}

function shortName(title: string): string {
  return (
    title
      .replaceAll(/\s+/g, ' ')
      .replace(/\s*(?:\bat|@|\bon|\bby|,)\s*$/i, '')
      .trim() || title
  );
}

function updatedTask({ ok, data }: Outcome): Omit<ListedTask, 'completed_at'> | undefined {
  const task = data['task'] as Partial<ListedTask> | undefined;
  if (!ok || typeof task?.id !== 'string' || typeof task.title !== 'string') return undefined;
  return {
    id: task.id,
    title: task.title,
    due_date: task.due_date ?? null,
    priority: task.priority ?? 'medium',
    completed: task.completed ?? false,
    description: task.description ?? null,
  };
}

function sayChange(
  before: ListedTask,
  after: Omit<ListedTask, 'completed_at'>,
  change: Change,
  dates: DateContext,
): string {
  const { arguments: args, time } = change;
  const details = detailsOf(after, dates);
  if (time) {
    const when = after.due_date === null ? '' : ` (due ${dueInWords(after.due_date, dates.now, dates.zone)})`;
    return `I've updated the ${time.of} time to ${time.words}${when}.`;
  }
  const parts = [
    ...(args.title === undefined ? [] : [`renamed '${before.title}' to '${after.title}'`]),
    ...(args.completed === false ? [`reopened '${after.title}'`] : []),
  ];
  const what: string[] = [];
  if (args.due_date === null) what.push('no due date');
  else if (args.due_date !== undefined && after.due_date !== null)
    what.push(`due ${dueInWords(after.due_date, dates.now, dates.zone)}`);
  if (args.priority !== undefined) what.push(`${after.priority} priority`);
  if (args.description !== undefined)
    what.push(args.description === null ? 'no description' : `description '${after.description ?? ''}'`);
  if (what.length === 0) return `I've ${parts.join(' and ')}${details ? ` (${details})` : ''}.`;
  const said = `I've updated '${after.title}': ${what.join(', ')}`;
  return parts.length > 0 ? `${said}, and ${parts.join(' and ')}.` : `${said}.`;
}
