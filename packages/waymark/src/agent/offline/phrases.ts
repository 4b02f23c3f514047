import type { TaskReference } from '../model.ts';
import type { DateContext, Intent } from '../understanding/index.ts';
import type { Outcome } from './plan.ts';
import { detailsOf, type ListedTask } from './tasks.ts';

/** What the agent says. Sentences the specification gives are kept word for word. */

export const say = {
  added: (title: string, details: string) => `I've added '${title}' to your tasks${details ? ` (${details})` : ''}.`,
  completed: (title: string) => `Great! I've marked '${title}' as complete.`,
  completedMany: (titles: readonly string[]) =>
    `Great! I've marked ${titles.length} tasks as complete: ${quoted(titles)}.`,
  alreadyComplete: (title: string) => `'${title}' is already complete.`,
  deleted: (titles: readonly string[]) =>
    titles.length === 1
      ? `I've deleted '${titles[0]}' from your tasks.`
      : `I've deleted ${titles.length} tasks: ${quoted(titles)}.`,
  kept: (titles: readonly string[]) =>
    titles.length === 1
      ? `Okay, I'll keep '${titles[0]}' in your tasks.`
      : `Okay, I'll keep all ${titles.length} tasks.`,
  sureDelete: (titles: readonly string[]) =>
    titles.length === 1
      ? `Are you sure you want to delete '${titles[0]}'? This cannot be undone.`
      : `Are you sure you want to delete all ${titles.length} of these tasks (${quoted(titles)})? This cannot be undone.`,
  sureComplete: (titles: readonly string[]) =>
    `Are you sure you want to mark all ${titles.length} of these tasks as complete (${quoted(titles)})?`,
  sureUpdate: (titles: readonly string[]) =>
    `Are you sure you want to change all ${titles.length} of these tasks (${quoted(titles)})?`,
  nothingChanged: 'Okay, I left everything as it is.',
  noTasks: "You don't have any tasks yet.",
  notFound: (name: string | undefined) =>
    name
      ? `I couldn't find a task matching '${name}'. Would you like to see your current tasks?`
      : "I couldn't find that task. Would you like to see your current tasks?",
  askAdd: (title: string) => `Would you like me to add '${title}' as a new task?`,
  askTitle: 'What would you like to add?',
  titleTooLong: 'That is too long for a task title. Please keep it to 500 characters or fewer.',
  descriptionTooLong: 'That description is too long. Please keep it to 2000 characters or fewer.',
  badDate: (words: string, title: string, reason = '') =>
    `I couldn't understand '${words}' as a date${reason ? ` (${reason})` : ''}. When should '${title}' be due?`,
  emptyChange: (title: string) => `What would you like to change about '${title}': its title, due date or priority?`,
  trouble: "I'm having trouble updating your tasks right now. Please try again.",
  troubleReading: "I'm having trouble reading your tasks right now. Please try again.",
  tooMany: 'That was a lot at once. Please wait a moment and try again.',
  onlyTasks:
    "I can only help with your tasks: I can add, list, complete, change and delete them. For example: 'add buy milk tomorrow' or 'show my tasks'.",
  hello: "Hello! I can help with your tasks. Try 'add buy milk tomorrow' or 'show my tasks'.",
  thanks: "You're welcome!",
  bye: 'Goodbye! Your tasks are safe with me.',
  help: "I keep your tasks. You can say 'add call mom tomorrow', 'show my tasks', 'I bought the milk', 'change the dentist to friday' or 'delete old reminder'. I understand plain English about tasks by fixed rules, without a language model.",
  private: 'I can only see and change your own tasks.',
  leftAlone: "Okay, I haven't changed anything.",
  notAllowed: 'I am not allowed to do that with your tasks here.',
  noRecurrence: (words: string) => `It won't repeat by itself ("${words}"): I could not set that up.`,
} as const;

const howTo: Readonly<Partial<Record<Intent, string>>> = {
  add: "To add a task, say for example 'add buy milk tomorrow'.",
  list: "To see your tasks, say 'show my tasks' or 'what is due today?'.",
  complete: "To complete a task, say for example 'mark buy milk as done' or 'I bought the milk'.",
  delete: "To delete a task, say for example 'delete buy milk'. I will ask before anything is deleted.",
  update: "To change a task, say for example 'move the dentist to friday' or 'make groceries high priority'.",
};

export function explain(about: Intent | undefined): string {
  return (about && howTo[about]) ?? say.onlyTasks;
}

const maxNamed = 6;

export function quoted(titles: readonly string[]): string {
  const named = titles.slice(0, maxNamed).map((title) => `'${title}'`);
  const rest = titles.length - named.length;
  if (rest > 0) return `${named.join(', ')} and ${rest} more`;
  const last = named.pop() ?? '';
  return named.length > 0 ? `${named.join(', ')} and ${last}` : last;
}

const whichVerb = {
  complete: 'did you complete',
  delete: 'would you like to delete',
  update: 'would you like to change',
} as const;

export function askWhich(
  action: keyof typeof whichVerb,
  name: string,
  tasks: readonly ListedTask[],
  dates: DateContext,
): string {
  return `I found multiple tasks with '${name}'. Which one ${whichVerb[action]}?\n${numbered(tasks, dates)}`;
}

export function askWhichOfAll(
  action: keyof typeof whichVerb,
  tasks: readonly ListedTask[],
  dates: DateContext,
): string {
  return `Which task ${whichVerb[action]}?\n${numbered(tasks, dates)}`;
}

export function askAgain(options: readonly TaskReference[]): string {
  return `Which one do you mean?\n${options.map(({ title }, index) => `${index + 1}. ${title}`).join('\n')}`;
}

export function numbered(tasks: readonly ListedTask[], dates: DateContext, from = 1): string {
  return tasks.map((task, index) => `${from + index}. ${lineOf(task, dates)}`).join('\n');
}

function lineOf(task: ListedTask, dates: DateContext): string {
  const details = [...(task.completed ? ['done'] : []), detailsOf(task, dates)].filter(Boolean).join(', ');
  return `${task.title}${details ? ` (${details})` : ''}`;
}

/** A friendly line for a call that failed. Codes and reasons stay with us. */
export function apology({ code }: Outcome, kind: 'read' | 'change' = 'change'): string {
  switch (code) {
    case 'RATE_LIMITED':
      return say.tooMany;
    case 'INVALID_TITLE':
      return say.titleTooLong;
    case 'INVALID_DESCRIPTION':
      return say.descriptionTooLong;
    case 'INVALID_DATE':
      return "I couldn't understand that date. When should it be due?";
    case 'NOT_AVAILABLE':
    case 'INSUFFICIENT_SCOPE':
      return say.notAllowed;
    case 'TASK_NOT_FOUND':
    case 'UNAUTHORIZED':
    case 'UNKNOWN_TASK_ID':
      return say.notFound(undefined);
    default:
      return kind === 'read' ? say.troubleReading : say.trouble;
  }
}
