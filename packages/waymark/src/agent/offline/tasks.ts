import { dueDay, dueInWords, formatDate, parseDate, readDue, wallClockAt } from '../../dates/index.ts';
import type { TaskReference } from '../model.ts';
import { type DateContext, keyWords, matchReport, matchTasks, type Target } from '../understanding/index.ts';
import { callOne, type Desk, type Outcome, type Plan } from './plan.ts';

/** A task as list_tasks returns it. */
export interface ListedTask extends TaskReference {
  readonly due_date: string | null;
  readonly priority: string;
  readonly completed: boolean;
  readonly completed_at: string | null;
  readonly description: string | null;
}

export type Found =
  | { readonly kind: 'tasks'; readonly tasks: readonly ListedTask[] }
  /** Several fit; the person must choose. */
  | { readonly kind: 'several'; readonly tasks: readonly ListedTask[]; readonly name: string }
  | { readonly kind: 'none'; readonly name: string | undefined }
  /** "It" or "number 2", and nothing to refer to. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

const pageSize = 100;
const maxPages = 10;

/** The tasks of a list_tasks answer; undefined when it is not one. */
export function tasksOf({ ok, data }: Outcome): readonly ListedTask[] | undefined {
  const { tasks } = data;
  if (!ok || !Array.isArray(tasks)) return undefined;
  const isTask = (task: unknown): task is ListedTask =>
    typeof task === 'object' &&
    task !== null &&
    typeof (task as ListedTask).id === 'string' &&
    typeof (task as ListedTask).title === 'string';
  return tasks.every(isTask) ? tasks : undefined;
}

export type Listing =
  | { readonly ok: true; readonly tasks: readonly ListedTask[] }
  | { readonly ok: false; readonly outcome: Outcome };

/** Every task that fits the arguments, page by page. */
export function* listAll(args: Readonly<Record<string, unknown>>): Plan<Listing> {
  const all: ListedTask[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const outcome = yield* callOne('list_tasks', { ...args, limit: pageSize, ...(cursor ? { cursor } : {}) });
    const tasks = tasksOf(outcome);
    if (!tasks) return { ok: false, outcome };
    all.push(...tasks);
    const next = outcome.data['next_cursor'];
    if (typeof next !== 'string') break;
    cursor = next;
  }
  return { ok: true, tasks: all };
}

/** Finds what a target means among the person's tasks; always by asking list_tasks. */
export function* find(desk: Desk, target: Target, report?: { readonly verb: string | undefined }): Plan<Found> {
  const first = yield* callOne('list_tasks', { limit: pageSize });
  const tasks = tasksOf(first);
  if (!tasks) return { kind: 'failed', outcome: first };
  const isWhole = typeof first.data['next_cursor'] !== 'string';
  switch (target.kind) {
    case 'none':
      return { kind: 'unclear' };
    case 'pronoun': {
      const meant = desk.dialog.focus;
      if (meant.length === 0 || (!target.plural && meant.length > 1)) return { kind: 'unclear' };
      return yield* current(meant, tasks, isWhole);
    }
    case 'positions': {
      const { shown } = desk.dialog;
      const meant = target.positions.map((position) => shown.at(position < 0 ? position : position - 1));
      if (shown.length === 0 || meant.some((task) => task === undefined)) return { kind: 'unclear' };
      return yield* current(meant as TaskReference[], tasks, isWhole);
    }
    case 'all':
      return { kind: 'unclear' };
    case 'name': {
      const found = match(target, tasks, report, desk.dates);
      if (found.length > 0 || isWhole) return chosen(found, target);
      return chosen(yield* search(target, report, desk.dates), target);
    }
  }
}

/** The listed form of tasks known by id; one that is gone is looked for no further. */
function* current(meant: readonly TaskReference[], tasks: readonly ListedTask[], isWhole: boolean): Plan<Found> {
  const found: ListedTask[] = [];
  for (const one of meant) {
    const listed = tasks.find(({ id }) => id === one.id) ?? (isWhole ? undefined : yield* byTitle(one));
    if (!listed) return { kind: 'none', name: one.title };
    found.push(listed);
  }
  return { kind: 'tasks', tasks: found };
}

function* byTitle({ id, title }: TaskReference): Plan<ListedTask | undefined> {
  const outcome = yield* callOne('list_tasks', { search: title, limit: pageSize });
  return tasksOf(outcome)?.find((task) => task.id === id);
}

/** Beyond the first page the server searches: for the words as said, then for the longest of them. */
function* search(
  target: Target & { kind: 'name' },
  report: { readonly verb: string | undefined } | undefined,
  dates: DateContext,
): Plan<readonly ListedTask[]> {
  const longest = keyWords(target.text).toSorted((left, right) => right.length - left.length)[0];
  for (const words of new Set([target.said, target.text, longest ?? ''])) {
    if (!words) continue;
    const tasks = tasksOf(yield* callOne('list_tasks', { search: words, limit: pageSize })) ?? [];
    const found = match(target, tasks, report, dates);
    if (found.length > 0) return found;
  }
  return [];
}

function match(
  target: Target & { kind: 'name' },
  tasks: readonly ListedTask[],
  report: { readonly verb: string | undefined } | undefined,
  dates: DateContext,
): readonly ListedTask[] {
  const exact = matchTasks(target.said, tasks);
  if (exact.length > 0 && keyWords(target.said).length >= keyWords(target.text).length) return exact;
  const byName = report ? matchReport(target.text, report.verb, tasks) : matchTasks(target.text, tasks);
  if (byName.length > 0) return byName;
  return matchByDate(target.text, tasks, dates) ?? matchEach(target.text, tasks);
}

/** "my 5pm reminder", "the dentist on monday": the due date tells which. */
function matchByDate(
  text: string,
  tasks: readonly ListedTask[],
  { now, zone }: DateContext,
): readonly ListedTask[] | undefined {
  const words = text.split(' ');
  for (let from = 0; from < words.length; from++) {
    const date = parseDate(words.slice(from).join(' '), now, zone);
    if (!date.ok) continue;
    const rest = words
      .slice(0, from)
      .join(' ')
      .replace(/\s*\b(?:for|on|at|due|by|of|from)$/i, '');
    const named = rest ? matchTasks(rest, tasks) : tasks;
    const wanted = readDue(date.due.value);
    const fits = named.filter((task) => {
      if (task.due_date === null || !wanted) return false;
      const due = readDue(task.due_date);
      if (date.due.said === 'time')
        return due?.kind === 'instant' && wanted.kind === 'instant' && sameClock(due.instant, wanted.instant, zone);
      const day = dueDay(task.due_date, zone);
      const other = dueDay(date.due.value, zone);
      return day !== undefined && other !== undefined && formatDate(day) === formatDate(other);
    });
    return fits.filter((task) => !task.completed);
  }
  return undefined;
}

function sameClock(left: Date, right: Date, zone: string): boolean {
  const [one, two] = [wallClockAt(left, zone), wallClockAt(right, zone)];
  return one.hour === two.hour && one.minute === two.minute;
}

/** "milk and eggs": each of them, if each is one task. */
function matchEach(text: string, tasks: readonly ListedTask[]): readonly ListedTask[] {
  const names = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).filter(Boolean);
  if (names.length < 2) return [];
  const found = names.map((name) => matchTasks(name, tasks));
  return found.every((some) => some.length === 1) ? found.flat() : [];
}

function chosen(found: readonly ListedTask[], target: Target & { kind: 'name' }): Found {
  if (found.length === 0) return { kind: 'none', name: target.text };
  const isList = /,|\sand\s/i.test(target.text) && found.length > 1;
  if (found.length === 1 || target.every || isList) return { kind: 'tasks', tasks: found };
  return { kind: 'several', tasks: found, name: target.text };
}

/** `due Fri 27 Nov, 5:00 PM, high priority`: what is worth saying of a task besides its title. */
export function detailsOf(
  task: { readonly due_date?: string | null; readonly priority?: string },
  { now, zone }: DateContext,
): string {
  return [
    ...(task.due_date ? [`due ${dueInWords(task.due_date, now, zone)}`] : []),
    ...(task.priority && task.priority !== 'medium' ? [`${task.priority} priority`] : []),
  ].join(', ');
}
