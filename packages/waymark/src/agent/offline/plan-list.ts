import { addDays, dueDay, dueInWords, formatDate, isOverdue, readDue, wallClockAt } from '../../dates/index.ts';
import type { ListRequest, TaskFilter } from '../understanding/index.ts';
import { matchTasks } from '../understanding/index.ts';
import { apology, numbered, say } from './phrases.ts';
import { callOne, type Desk, type Plan } from './plan.ts';
import { find, type ListedTask, type Listing, listAll, tasksOf } from './tasks.ts';

const pageSize = 50;

export function* planList(desk: Desk, request: ListRequest): Plan<string> {
  switch (request.question) {
    case 'more':
      return yield* showMore(desk);
    case 'count':
      return yield* count(desk, request);
    case 'show':
      return yield* show(desk, request);
    default:
      return yield* tellAbout(desk, request);
  }
}

function* show(desk: Desk, { filter, name }: ListRequest): Plan<string> {
  const label = labelOf(filter, name);
  if (needsLocalFilter(filter) || name !== undefined) {
    const found = yield* filtered(desk, filter, name);
    return found.ok ? present(desk, found.tasks, label) : apology(found.outcome, 'read');
  }
  const args = argumentsOf(filter);
  const outcome = yield* callOne('list_tasks', args);
  const tasks = tasksOf(outcome);
  if (!tasks) return apology(outcome, 'read');
  const cursor = outcome.data['next_cursor'];
  const more = typeof cursor === 'string' ? { arguments: args, cursor, label } : undefined;
  const reply = present(desk, tasks, label);
  desk.dialog = { ...desk.dialog, more };
  return more ? `${reply}\nShowing the first ${tasks.length}; there are more. Say 'show more' to go on.` : reply;
}

function* showMore(desk: Desk): Plan<string> {
  const { more, shown } = desk.dialog;
  if (!more) return yield* show(desk, { intent: 'list', question: 'show', filter: {} });
  const outcome = yield* callOne('list_tasks', { ...more.arguments, limit: pageSize, cursor: more.cursor });
  const tasks = tasksOf(outcome);
  if (!tasks) return apology(outcome, 'read');
  const next = outcome.data['next_cursor'];
  desk.dialog = {
    ...desk.dialog,
    shown: [...shown, ...tasks.map(({ id, title }) => ({ id, title }))],
    more: typeof next === 'string' ? { ...more, cursor: next } : undefined,
  };
  const lines = numbered(tasks, desk.dates, shown.length + 1);
  return typeof next === 'string'
    ? `${lines}\nThere are more. Say 'show more' to go on.`
    : `${lines}\nThat's all of them.`;
}

function* count(desk: Desk, { filter, name }: ListRequest): Plan<string> {
  const found = yield* filtered(desk, filter, name);
  if (!found.ok) return apology(found.outcome, 'read');
  const all = found.tasks;
  const label = labelOf(filter, name);
  const open = all.filter((task) => !task.completed).length;
  if (all.length === 0) return label ? `You have no ${label}.` : say.noTasks;
  const said = `You have ${all.length} ${label ? pluralise(label, all.length) : all.length === 1 ? 'task' : 'tasks'}`;
  return filter.completed === undefined && open < all.length ? `${said}, ${open} of them open.` : `${said}.`;
}

/** All tasks a filter lets through, the parts of it that list_tasks does not know included. */
export function* filtered(desk: Desk, filter: TaskFilter, name?: string): Plan<Listing> {
  const listed = yield* listAll(argumentsOf(filter));
  if (!listed.ok) return listed;
  const { now, zone } = desk.dates;
  const tasks = listed.tasks.filter((task) => {
    if (filter.overdue) return task.due_date !== null && isOverdue(task.due_date, now, zone);
    if (filter.completed === true && filter.due) return wasDoneIn(task, filter.due, zone);
    return true;
  });
  if (name === undefined) return { ok: true, tasks };
  const words = name.toLowerCase();
  const containing = tasks.filter(({ title, description }) =>
    `${title} ${description ?? ''}`.toLowerCase().includes(words),
  );
  return { ok: true, tasks: containing.length > 0 ? containing : matchTasks(name, tasks) };
}

function needsLocalFilter(filter: TaskFilter): boolean {
  return filter.overdue === true || (filter.completed === true && filter.due !== undefined);
}

function wasDoneIn(task: ListedTask, due: NonNullable<TaskFilter['due']>, zone: string): boolean {
  if (task.completed_at === null) return false;
  const day = formatDate(wallClockAt(new Date(task.completed_at), zone).date);
  return (due.from === undefined || day >= due.from) && (due.before === undefined || day < due.before);
}

function argumentsOf(filter: TaskFilter): Record<string, unknown> {
  const byDueDate = filter.completed === true ? undefined : filter.due;
  return {
    ...(filter.completed === undefined ? {} : { completed: filter.completed }),
    ...(filter.priority ? { priority: filter.priority } : {}),
    ...(byDueDate?.from ? { due_after: byDueDate.from } : {}),
    ...(byDueDate?.before ? { due_before: byDueDate.before } : {}),
  };
}

function labelOf(filter: TaskFilter, name: string | undefined): string {
  const parts = [
    filter.overdue ? 'overdue' : filter.completed === true ? 'completed' : filter.completed === false ? 'open' : '',
    filter.priority ? `${filter.priority} priority` : '',
    'tasks',
    name === undefined ? '' : `matching '${name}'`,
    filter.due ? `${filter.completed === true ? '' : 'due '}${filter.due.label}` : '',
  ].filter(Boolean);
  return parts.length === 1 ? '' : parts.join(' ');
}

function pluralise(label: string, count: number): string {
  return count === 1 ? label.replace(/\btasks\b/, 'task') : label;
}

function present(desk: Desk, tasks: readonly ListedTask[], label: string): string {
  desk.dialog = {
    ...desk.dialog,
    shown: tasks.map(({ id, title }) => ({ id, title })),
    focus: tasks.length === 1 ? tasks.map(({ id, title }) => ({ id, title })) : [],
    more: undefined,
  };
  if (tasks.length === 0) return label ? `You don't have any ${label}.` : say.noTasks;
  const heading = label ? `Here are your ${label}:` : 'Here are your tasks:';
  return `${tasks.length === 1 ? heading.replace('are your', 'is your').replace(/\btasks\b/, 'task') : heading}\n${numbered(tasks, desk.dates)}`;
}

/** "Is buy bread on my list?", "when is the dentist due?" */
function* tellAbout(desk: Desk, { question, name = '' }: ListRequest): Plan<string> {
  const found = yield* find(desk, { kind: 'name', text: name, said: name, every: true });
  if (found.kind === 'failed') return apology(found.outcome, 'read');
  if (found.kind === 'unclear' || found.kind === 'none') {
    if (question === 'exists') return `No, '${name}' is not on your list.`;
    desk.dialog = { ...desk.dialog, pending: { kind: 'show' } };
    return say.notFound(name);
  }
  const { tasks } = found;
  desk.dialog = { ...desk.dialog, focus: tasks.map(({ id, title }) => ({ id, title })) };
  return tasks.map((task) => describe(task, question, desk)).join('\n');
}

function describe(task: ListedTask, question: ListRequest['question'], { dates }: Desk): string {
  const { title, due_date: due, priority, completed } = task;
  const state = completed ? 'done' : 'still open';
  switch (question) {
    case 'due':
      if (due === null) return `'${title}' has no due date.`;
      return `'${title}' is due ${dueInWords(due, dates.now, dates.zone)}${nearness(due, dates)}.`;
    case 'priority':
      return `'${title}' has ${priority} priority.`;
    case 'status':
      return completed ? `Yes, '${title}' is done.` : `No, '${title}' is ${state}.`;
    default: {
      const when = due === null ? '' : `, due ${dueInWords(due, dates.now, dates.zone)}`;
      return `Yes, '${title}' is on your list (${state}${when}).`;
    }
  }
}

function nearness(due: string, { now, zone }: Desk['dates']): string {
  const day = readDue(due) && dueDay(due, zone);
  if (!day) return '';
  const { date: today } = wallClockAt(now, zone);
  const words: readonly (readonly [number, string])[] = [
    [-1, ' (yesterday)'],
    [0, ' (today)'],
    [1, ' (tomorrow)'],
  ];
  return (
    words.find(([days]) => formatDate(addDays(today, days)) === formatDate(day))?.[1] ??
    (isOverdue(due, now, zone) ? ' (overdue)' : '')
  );
}
