import type { Task } from './api.ts';

export type SectionName = 'overdue' | 'today' | 'upcoming' | 'someday';

export const sectionLabels: Readonly<Record<SectionName, string>> = {
  overdue: 'Overdue',
  today: 'Today',
  upcoming: 'Upcoming',
  someday: 'No date',
};

/** `2026-11-15` of a moment, where the person is. */
export function localDay(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** A due date is a day, or a moment with an offset; either falls on one day of the person. */
export function dueDay(due: string): string {
  return due.length === 10 ? due : localDay(new Date(due));
}

export function sectionOf(task: Task, now: Date): SectionName {
  if (!task.due_date) return 'someday';
  const day = dueDay(task.due_date);
  const today = localDay(now);
  if (day < today) return 'overdue';
  if (day > today) return 'upcoming';
  return task.due_date.length > 10 && new Date(task.due_date) < now ? 'overdue' : 'today';
}

/** Tasks by section: those with a date by date, those without in the person's own order. */
export function bySection(tasks: readonly Task[], now: Date): Record<SectionName, Task[]> {
  const sections: Record<SectionName, Task[]> = { overdue: [], today: [], upcoming: [], someday: [] };
  for (const task of tasks) sections[sectionOf(task, now)].push(task);
  for (const name of ['overdue', 'today', 'upcoming'] as const) {
    sections[name].sort((left, right) => (left.due_date ?? '').localeCompare(right.due_date ?? ''));
  }
  return sections;
}

/** A due date in words: Today, Tomorrow, a weekday within the week, else the date; with the time if there is one. */
export function dueWords(due: string, now: Date): string {
  const day = dueDay(due);
  const inDays = Math.round((Date.parse(day) - Date.parse(localDay(now))) / 86_400_000);
  const time =
    due.length > 10 ? `, ${new Date(due).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })}` : '';
  const date = new Date(`${day}T12:00:00`);
  const near: Readonly<Record<number, string>> = { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' };
  if (inDays in near) return `${near[inDays]}${time}`;
  const sameYear = date.getFullYear() === now.getFullYear();
  const words =
    inDays > 1 && inDays < 7
      ? date.toLocaleDateString([], { weekday: 'long' })
      : date.toLocaleDateString([], { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) });
  return `${words}${time}`;
}
