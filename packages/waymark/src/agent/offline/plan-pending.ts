import { parseDate } from '../../dates/index.ts';
import type { Pending } from '../model.ts';
import type { NewTask } from '../understanding/index.ts';
import {
  matchTasks,
  readConfirmation,
  readPositions,
  readTarget,
  type Request,
  understandWhole,
} from '../understanding/index.ts';
import { askAgain, say } from './phrases.ts';
import type { Desk, Plan } from './plan.ts';
import { addTasks } from './plan-add.ts';
import { completeTasks, deleteTasks, perform } from './plan-change.ts';
import { planList } from './plan-list.ts';
import { updateTasks } from './plan-update.ts';
import { find, type ListedTask } from './tasks.ts';

/**
 * Takes a message as the answer to the question that waits. Undefined when it is none: then the
 * question has lapsed and the message is read on its own.
 */
export function* planAnswer(
  desk: Desk,
  pending: Pending,
  message: string,
  requests: readonly Request[],
): Plan<string | undefined> {
  desk.dialog = { ...desk.dialog, pending: undefined };
  const verdict = readConfirmation(message);
  const isNew = requests.some(({ intent }) => intent !== 'other') && verdict !== 'yes';
  switch (pending.kind) {
    case 'add':
      if (verdict === 'yes') return yield* addTasks(desk, [pending.task]);
      if (verdict === 'unclear' && !isNew) return yield* addWithMore(desk, pending.task, message);
      return verdict === 'no' && !isNew ? "Okay, I won't add it." : undefined;
    case 'show':
      if (verdict === 'yes') return yield* planList(desk, { intent: 'list', question: 'show', filter: {} });
      return verdict === 'no' && !isNew ? 'Okay. What else can I do for you?' : undefined;
    case 'title':
      if (isNew) return undefined;
      if (isCancel(message)) return say.leftAlone;
      return yield* addTitled(desk, message, requests);
    case 'date':
      return yield* answerDate(desk, pending, message, isNew);
    case 'new-date':
      return yield* answerNewDate(desk, pending, message, isNew);
    case 'which':
      return yield* answerWhich(desk, pending, message, isNew);
    case 'sure':
      if (verdict === 'yes') return yield* performAll(desk, pending);
      return isNew ? undefined : say.nothingChanged;
    case 'change':
      return yield* answerChange(desk, pending, message);
  }
}

/** "Yes, for tomorrow": a yes with what was left open. */
function* addWithMore(desk: Desk, task: NewTask, message: string): Plan<string | undefined> {
  const more = /^\s*(?:yes|yeah|yep|sure|ok|okay|please)\b[\s,.!-]*(.+)$/i.exec(message)?.[1];
  const read = more === undefined ? undefined : understandWhole(`add ${task.title} ${more}`, desk.dates);
  const [whole] = read?.intent === 'add' ? read.tasks : [];
  const isSame = whole?.title.toLowerCase() === task.title.toLowerCase() && (whole.due ?? whole.priority) !== undefined;
  return isSame && whole ? yield* addTasks(desk, [whole]) : undefined;
}

function isCancel(message: string): boolean {
  return /^(?:no|nope|cancel|never ?mind|nothing|forget it|stop|no thanks?|none)\b/i.test(message.trim());
}

function* addTitled(desk: Desk, message: string, requests: readonly Request[]): Plan<string | undefined> {
  const [request] = requests;
  if (
    request?.intent === 'other' &&
    ['how-to', 'greeting', 'thanks', 'help', 'farewell', 'undo', 'private'].includes(request.topic)
  )
    return undefined;
  const read = understandWhole(`add ${message.trim()}`, desk.dates);
  if (read.intent !== 'add' || read.tasks.length === 0) return undefined;
  if (read.dateProblem && read.tasks[0]) {
    desk.dialog = { ...desk.dialog, pending: { kind: 'date', task: read.tasks[0] } };
    return say.badDate(read.dateProblem.text, read.tasks[0].title, read.dateProblem.reason);
  }
  return yield* addTasks(desk, read.tasks);
}

function* answerDate(
  desk: Desk,
  { task }: Pending & { kind: 'date' },
  message: string,
  isNew: boolean,
): Plan<string | undefined> {
  const date = parseDate(message, desk.dates.now, desk.dates.zone);
  if (date.ok) return yield* addTasks(desk, [{ ...task, due: date.due }]);
  if (
    /^(?:no|none|never ?mind|no date|without|leave it|skip|no due date|without (?:a )?date|cancel)\b/i.test(
      message.trim(),
    )
  ) {
    return /cancel|never ?mind/i.test(message) ? "Okay, I won't add it." : yield* addTasks(desk, [task]);
  }
  if (isNew) return undefined;
  desk.dialog = { ...desk.dialog, pending: { kind: 'date', task } };
  return say.badDate(message.trim(), task.title);
}

function* answerNewDate(
  desk: Desk,
  { task }: Pending & { kind: 'new-date' },
  message: string,
  isNew: boolean,
): Plan<string | undefined> {
  const date = parseDate(message, desk.dates.now, desk.dates.zone);
  if (!date.ok) return isCancel(message) && !isNew ? say.leftAlone : undefined;
  const found = yield* find({ ...desk, dialog: { ...desk.dialog, focus: [task] } }, { kind: 'pronoun', plural: false });
  return found.kind === 'tasks'
    ? yield* updateTasks(desk, found.tasks, { due: date.due, dueWords: message.trim() })
    : say.notFound(task.title);
}

function* answerWhich(
  desk: Desk,
  pending: Pending & { kind: 'which' },
  message: string,
  isNew: boolean,
): Plan<string | undefined> {
  const { options, action } = pending;
  const lower = message
    .trim()
    .toLowerCase()
    .replace(/[.!?]+$/, '');
  const positions = readPositions(
    lower.replace(/^(?:i mean|i meant|yes|the one|it'?s|it is|that'?s|delete|complete|mark|remove|change)[, ]+/, ''),
  );
  const picked = positions?.map((position) => options.at(position < 0 ? position : position - 1));
  if (picked?.every((task) => task !== undefined)) return yield* performOn(desk, pending, picked);
  if (/^(?:both|all|all of them|both of them|everything|all (?:three|four|five)|each)$/.test(lower))
    return yield* performOn(desk, pending, options);
  if (isCancel(message) || /^(?:neither|none of (?:them|those|these))\b/.test(lower)) return say.nothingChanged;
  if (isNew) return undefined;
  const target = readTarget(message, desk.dates);
  const named =
    target.kind === 'name'
      ? matchTasks(
          target.text,
          options.map((option) => ({ ...option, completed: false })),
        )
      : [];
  if (named.length === 1) return yield* performOn(desk, pending, named);
  if (positions || named.length > 1) {
    desk.dialog = { ...desk.dialog, pending: { kind: 'which', action, options } };
    return askAgain(options);
  }
  return undefined;
}

function* performOn(
  desk: Desk,
  { action }: Pending & { kind: 'which' },
  picked: readonly { id: string; title: string }[],
): Plan<string> {
  desk.dialog = { ...desk.dialog, focus: picked.map(({ id, title }) => ({ id, title })) };
  const found = yield* find(desk, { kind: 'pronoun', plural: true });
  if (found.kind !== 'tasks') return say.notFound(picked[0]?.title);
  if (action.do === 'update' && Object.keys(action.patch).length === 0) {
    const [task] = found.tasks;
    if (!task) return say.notFound(undefined);
    desk.dialog = { ...desk.dialog, pending: { kind: 'change', task: { id: task.id, title: task.title } } };
    return say.emptyChange(task.title);
  }
  return yield* perform(desk, action, found.tasks);
}

function* performAll(desk: Desk, { action, tasks }: Pending & { kind: 'sure' }): Plan<string> {
  if (action.do === 'complete') return yield* completeTasks(desk, tasks);
  if (action.do === 'delete') return yield* deleteTasks(desk, tasks);
  desk.dialog = { ...desk.dialog, focus: tasks };
  const found = yield* find(desk, { kind: 'pronoun', plural: true });
  return found.kind === 'tasks' ? yield* updateTasks(desk, found.tasks, action.patch) : say.notFound(undefined);
}

/** "What would you like to change?" – "the due date to friday", "tomorrow", "high priority". */
function* answerChange(desk: Desk, { task }: Pending & { kind: 'change' }, message: string): Plan<string | undefined> {
  if (isCancel(message)) return say.leftAlone;
  const said = message.trim().replace(/[.!]+$/, '');
  const forms = [said, `change ${said}`, `make it ${said}`, `change it to ${said}`].map((text) =>
    understandWhole(text, desk.dates),
  );
  const update = forms.find(
    (request) =>
      request.intent === 'update' && Object.keys(request.patch).length > 0 && request.target.kind === 'pronoun',
  );
  if (update?.intent !== 'update') return undefined;
  desk.dialog = { ...desk.dialog, focus: [task] };
  const found = yield* find(desk, { kind: 'pronoun', plural: false });
  return found.kind === 'tasks'
    ? yield* updateTasks(desk, found.tasks as readonly ListedTask[], update.patch)
    : say.notFound(task.title);
}
