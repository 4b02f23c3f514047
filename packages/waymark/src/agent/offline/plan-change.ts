import type { Action, TaskReference } from '../model.ts';
import type { CompleteRequest, DeleteRequest, Target, UpdateRequest } from '../understanding/index.ts';
import { apology, askWhich, askWhichOfAll, say } from './phrases.ts';
import { type Call, callOne, type Desk, type Outcome, type Plan } from './plan.ts';
import { filtered } from './plan-list.ts';
import { updateTasks } from './plan-update.ts';
import { find, type Found, type ListedTask, tasksOf } from './tasks.ts';

const reference = ({ id, title }: TaskReference): TaskReference => ({ id, title });

export function* planComplete(desk: Desk, request: CompleteRequest): Plan<string> {
  const { target, report, verb } = request;
  if (target.kind === 'all')
    return yield* changeAll(desk, { do: 'complete' }, { ...target, filter: { ...target.filter, completed: false } });
  const found = yield* find(desk, target, report ? { verb } : undefined);
  return yield* act(desk, { do: 'complete' }, found, target);
}

export function* planDelete(desk: Desk, { target }: DeleteRequest): Plan<string> {
  if (target.kind === 'all') return yield* changeAll(desk, { do: 'delete' }, target);
  const found = yield* find(desk, target);
  return yield* act(desk, { do: 'delete' }, found, target);
}

export function* planUpdate(desk: Desk, { target, patch, dateProblem }: UpdateRequest): Plan<string> {
  if (target.kind === 'all') return yield* changeAll(desk, { do: 'update', patch }, target);
  const found = yield* find(desk, target);
  if (found.kind !== 'tasks') return yield* act(desk, { do: 'update', patch }, found, target);
  const [task] = found.tasks;
  if (task && dateProblem !== undefined) {
    desk.dialog = { ...desk.dialog, focus: [reference(task)], pending: { kind: 'new-date', task: reference(task) } };
    return say.badDate(dateProblem, task.title);
  }
  if (task && Object.keys(patch).length === 0) {
    desk.dialog = { ...desk.dialog, focus: [reference(task)], pending: { kind: 'change', task: reference(task) } };
    return say.emptyChange(task.title);
  }
  return yield* updateTasks(desk, found.tasks, patch);
}

/** "Mark everything as done": asked for once more before anything happens. */
function* changeAll(desk: Desk, action: Action, { filter }: Target & { kind: 'all' }): Plan<string> {
  const found = yield* filtered(desk, filter);
  if (!found.ok) return apology(found.outcome, 'read');
  const all = found.tasks;
  if (all.length === 0)
    return Object.keys(filter).length > (action.do === 'complete' ? 1 : 0)
      ? 'There are no such tasks.'
      : action.do === 'complete'
        ? 'You have no open tasks.'
        : say.noTasks;
  if (action.do === 'delete') return yield* deleteTasks(desk, all);
  if (action.do === 'update' && Object.keys(action.patch).length === 0) return 'What would you like to change?';
  if (all.length === 1) return yield* perform(desk, action, all);
  desk.dialog = {
    ...desk.dialog,
    focus: all.map(reference),
    pending: { kind: 'sure', action, tasks: all.map(reference) },
  };
  const titles = all.map(({ title }) => title);
  return action.do === 'complete' ? say.sureComplete(titles) : say.sureUpdate(titles);
}

/** Acts on what was found, or says why not. */
export function* act(desk: Desk, action: Action, found: Found, target: Target): Plan<string> {
  switch (found.kind) {
    case 'failed':
      return apology(found.outcome, 'read');
    case 'none':
      desk.dialog = { ...desk.dialog, pending: { kind: 'show' } };
      return say.notFound(found.name);
    case 'several': {
      const options = found.tasks.map(reference);
      desk.dialog = { ...desk.dialog, shown: options, focus: [], pending: { kind: 'which', action, options } };
      return askWhich(action.do, found.name, found.tasks, desk.dates);
    }
    case 'unclear':
      return yield* askFromList(desk, action, target);
    case 'tasks':
      return yield* perform(desk, action, found.tasks);
  }
}

/** "Delete it", with nothing that "it" could be: the open tasks are the options. */
function* askFromList(desk: Desk, action: Action, target: Target): Plan<string> {
  const outcome = yield* callOne('list_tasks', { completed: false });
  const tasks = tasksOf(outcome);
  if (!tasks) return apology(outcome, 'read');
  if (tasks.length === 0) return say.noTasks;
  const options = tasks.map(reference);
  const hadList = desk.dialog.shown.length;
  desk.dialog = { ...desk.dialog, shown: options, focus: [], pending: { kind: 'which', action, options } };
  const wrongNumber =
    target.kind === 'positions' && hadList > 0 ? `There is no such number in the list of ${hadList}. ` : '';
  return wrongNumber + askWhichOfAll(action.do, tasks, desk.dates);
}

export function* perform(desk: Desk, action: Action, tasks: readonly ListedTask[]): Plan<string> {
  switch (action.do) {
    case 'complete':
      return yield* completeTasks(desk, tasks);
    case 'delete':
      return yield* deleteTasks(desk, tasks);
    case 'update':
      return yield* updateTasks(desk, tasks, action.patch);
  }
}

export function* completeTasks(
  desk: Desk,
  tasks: readonly (TaskReference & { readonly completed?: boolean })[],
): Plan<string> {
  const done: string[] = [];
  const lines: string[] = [];
  for (const task of tasks) {
    const outcome = yield* callOne('complete_task', { task_id: task.id });
    const title = titleIn(outcome, 'task');
    if (!outcome.ok || title === undefined) {
      lines.push(apology(outcome));
      break;
    }
    if (outcome.data['code'] === 'ALREADY_COMPLETED') lines.push(say.alreadyComplete(title));
    else done.push(title);
  }
  desk.dialog = { ...desk.dialog, focus: tasks.map(reference) };
  const praise = done.length === 0 ? [] : [done.length === 1 ? say.completed(done[0] ?? '') : say.completedMany(done)];
  return [...praise, ...lines].join('\n');
}

/** The calls wait at the gate for the person's yes; what is said after it is in `afterDelete`. */
export function* deleteTasks(desk: Desk, tasks: readonly TaskReference[]): Plan<string> {
  desk.dialog = { ...desk.dialog, focus: tasks.map(reference) };
  const calls = tasks.map(({ id }): Call => ({ tool: 'delete_task', arguments: { task_id: id } }));
  const outcomes = yield calls;
  desk.dialog = { ...desk.dialog, focus: [] };
  return afterDelete(outcomes);
}

export function afterDelete(outcomes: readonly Outcome[]): string {
  const titles = outcomes
    .map((outcome) => (outcome.ok ? titleIn(outcome, 'deleted_task') : undefined))
    .filter((title) => title !== undefined);
  const failed = outcomes.find((outcome) => !outcome.ok || titleIn(outcome, 'deleted_task') === undefined);
  return [...(titles.length > 0 ? [say.deleted(titles)] : []), ...(failed ? [apology(failed)] : [])].join('\n');
}

function titleIn({ data }: Outcome, field: string): string | undefined {
  const task = data[field] as { title?: unknown } | undefined;
  return typeof task?.title === 'string' ? task.title : undefined;
}
