import { say } from './offline/phrases.ts';
import type { Toolbelt } from './toolbelt.ts';
import type { CallRecord } from './model.ts';

const claims: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:i(?:'ve| have)?|has been|have been|was|were|is now|successfully) (?:just |now |also |successfully )*(?:added|created)\b/i,
    ['add_task', 'quick_add_task', 'import_tasks'],
  ],
  [
    /\b(?:i(?:'ve| have)?|has been|have been|was|were|successfully) (?:just |now |also |permanently |successfully )*(?:deleted|removed|erased)\b/i,
    ['delete_task', 'update_task', 'undo_last_change', 'set_task_labels'],
  ],
  [
    /\b(?:i(?:'ve| have)?|has been|have been|successfully) (?:just |now |also |successfully )*(?:completed|checked off|marked)\b/i,
    ['complete_task', 'complete_tasks', 'update_task'],
  ],
  [
    /\b(?:i(?:'ve| have)?|has been|have been|successfully) (?:just |now |also |successfully )*(?:updated|changed|renamed|moved|rescheduled|postponed)\b/i,
    ['update_task', 'set_task_labels', 'set_task_recurrence', 'reopen_task', 'undo_last_change'],
  ],
];

/** Whether a reply says that something was done which no tool call of this turn did. */
export function claimsTooMuch(reply: string, calls: readonly CallRecord[]): boolean {
  const done = new Set(calls.filter(({ ok }) => ok).map(({ tool }) => tool));
  return claims.some(([claim, tools]) => claim.test(reply) && !tools.some((tool) => done.has(tool)));
}

/** Ids mean nothing to people; where a model repeats one, the title stands instead. */
export function withoutIds(reply: string, titleOf: (id: string) => string | undefined): string {
  return reply.replaceAll(/\s*\((?:task )?id:? ?[\w-]{8,}\)/gi, '').replaceAll(/[\w-]{16,}/g, (word) => {
    const title = titleOf(word);
    return title === undefined ? word : `'${title}'`;
  });
}

/** A model's words, as far as its calls bear them out. */
export function honest(text: string, belt: Toolbelt, trouble: string): string {
  const reply = withoutIds(text.trim(), (id) => belt.titleOf(id));
  if (claimsTooMuch(reply, belt.calls))
    return summary(belt) || "I haven't changed anything yet. Could you say that again?";
  return reply || summary(belt) || trouble;
}

/** What was done in this turn, from the calls alone. */
export function summary(belt: Toolbelt): string {
  const lines = belt.calls.flatMap(({ tool, arguments: args, ok }) => {
    const title = typeof args['title'] === 'string' ? args['title'] : belt.titleOf(String(args['task_id']));
    if (!ok || title === undefined) return [];
    if (tool === 'add_task') return [say.added(title, '')];
    if (tool === 'complete_task') return [say.completed(title)];
    if (tool === 'delete_task') return [say.deleted([title])];
    return tool === 'update_task' ? [`I've updated '${title}'.`] : [];
  });
  return lines.join('\n');
}
