import type { AddRequest, NewTask, UpdateRequest } from '../understanding/index.ts';
import { apology, say } from './phrases.ts';
import { type Desk, type Outcome, type Plan, callOne } from './plan.ts';
import { updateTasks } from './plan-update.ts';
import { detailsOf, find } from './tasks.ts';

const maxTitle = 500;

export function* planAdd(desk: Desk, request: AddRequest): Plan<string> {
  const updated = request.alternative && (yield* tryUpdate(desk, request.alternative));
  if (updated !== undefined) return updated;
  const [first] = request.tasks;
  if (!first) {
    desk.dialog = { ...desk.dialog, pending: { kind: 'title' } };
    return say.askTitle;
  }
  if (request.dateProblem) {
    const { text, reason } = request.dateProblem;
    desk.dialog = { ...desk.dialog, pending: { kind: 'date', task: first } };
    return say.badDate(text, first.title, reason);
  }
  return yield* addTasks(desk, request.tasks);
}

/** What can also be read as a change is one, if there is exactly one task of that name. */
function* tryUpdate(desk: Desk, { target, patch }: UpdateRequest): Plan<string | undefined> {
  const found = target.kind === 'name' ? yield* find(desk, target) : undefined;
  return found?.kind === 'tasks' ? yield* updateTasks(desk, found.tasks, patch) : undefined;
}

/** Adds tasks one by one and stops at the first that fails; nothing is tried twice. */
export function* addTasks(desk: Desk, tasks: readonly NewTask[]): Plan<string> {
  if (tasks.some(({ title }) => Array.from(title).length > maxTitle)) return say.titleTooLong;
  const lines: string[] = [];
  const added: { id: string; title: string }[] = [];
  for (const task of tasks) {
    const outcome = yield* callOne('add_task', argumentsOf(task));
    const made = addedTask(outcome);
    if (!made) {
      lines.push(apology(outcome));
      break;
    }
    added.push({ id: made.id, title: made.title });
    lines.push(say.added(made.title, detailsOf(made, desk.dates)) + (yield* repeat(desk, made.id, task)));
  }
  if (added.length > 0) desk.dialog = { ...desk.dialog, focus: added };
  return lines.join('\n');
}

function argumentsOf({ title, due, priority, description }: NewTask): Record<string, unknown> {
  return {
    title,
    ...(description ? { description } : {}),
    ...(due ? { due_date: due.value } : {}),
    ...(priority ? { priority } : {}),
  };
}

interface AddedTask {
  readonly id: string;
  readonly title: string;
  readonly due_date: string | null;
  readonly priority: string;
}

function addedTask({ ok, data }: Outcome): AddedTask | undefined {
  const task = data['task'] as Partial<AddedTask> | undefined;
  if (!ok || typeof task?.id !== 'string' || typeof task.title !== 'string') return undefined;
  return { id: task.id, title: task.title, due_date: task.due_date ?? null, priority: task.priority ?? 'medium' };
}

function* repeat(desk: Desk, id: string, { recurrence }: NewTask): Plan<string> {
  if (!recurrence) return '';
  if (!desk.tools.has('set_task_recurrence')) return ` ${say.noRecurrence(recurrence.text)}`;
  const outcome = yield* callOne('set_task_recurrence', { task_id: id, recurrence: recurrence.rule });
  return outcome.ok ? ` It repeats ${recurrence.text.trim()}.` : ` ${say.noRecurrence(recurrence.text)}`;
}
