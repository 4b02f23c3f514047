import { z } from 'zod';
import { parseRecurrence, recurrenceInWords } from '../dates/index.ts';
import { annotate, defineTool, type Tool, ToolError } from '../kit/index.ts';
import { readTitle } from './content-rules.ts';
import { readLabels } from './labels.ts';
import { limits } from './model.ts';
import { readQuickTask } from './quick-add.ts';
import type { TaskService } from './task-service.ts';
import { dueNote } from './tools.ts';
import { answer, circumstancesOf, fullTask, inputs, outputs, withoutNulls } from './wire.ts';

/** Tools beyond the contract. Its five stay as they are. */
export function createMoreTools(service: TaskService): Tool[] {
  return [
    quickAddTask(service),
    tasksOverview(service),
    completeTasks(service),
    reopenTask(service),
    setTaskLabels(service),
    setTaskRecurrence(service),
    undoLastChange(service),
  ];
}

const shared = { annotations: annotate.change, scopes: ['tasks:write'], tier: 'more' } as const;
const oneTask = z.object({ ...answer, task: outputs.fullTask });

function quickAddTask(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'quick_add_task',
    title: 'Quick add',
    description:
      'Adds a task from one line with date, repetition, priority p1-p3 and #labels, e.g. "pay rent every month on the 1st p1 #home".',
    input: z.strictObject({ user_id: inputs.userId, text: z.string().meta({ minLength: 1, maxLength: 1000 }) }),
    output: oneTask,
    annotations: annotate.add,
    async run({ user_id, text }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const quick = readQuickTask(text.slice(0, 2000), circumstances.now, await service.zone(circumstances));
      const task = await service.insert(circumstances, {
        ...quick,
        title: readTitle(quick.title),
        description: null,
        completed: false,
        completedAt: null,
      });
      const repeats = task.recurrence === null ? '' : `, ${recurrenceInWords(task.recurrence)}`;
      return {
        success: true as const,
        task: fullTask(task),
        message: `Task added: ${task.title}${await dueNote(service, circumstances, task.dueDate)}${repeats}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function tasksOverview(service: TaskService): Tool {
  const some = z.array(outputs.fullTask);
  return defineTool({
    ...shared,
    name: 'tasks_overview',
    title: 'Overview',
    description: 'What needs attention: overdue, due today, due in the next days, with counts and labels.',
    input: z.strictObject({
      user_id: inputs.userId,
      days: z.int().min(1).max(60).optional().describe('How far ahead; default 7'),
      label: z.string().optional(),
    }),
    output: z.object({
      ...answer,
      overdue: some,
      today: some,
      upcoming: some,
      counts: z.object({ open: z.int(), completed: z.int(), overdue: z.int(), undated: z.int() }),
      labels: z.array(z.object({ label: z.string(), open: z.int() })),
    }),
    annotations: annotate.read,
    scopes: ['tasks:read'],
    prepare: withoutNulls,
    async run({ user_id, days = 7, label }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const [wanted] = label === undefined ? [] : readLabels([label]);
      const { overdue, today, upcoming, counts, labels } = await service.overview(circumstances, days, wanted);
      return {
        success: true as const,
        overdue: overdue.map(fullTask),
        today: today.map(fullTask),
        upcoming: upcoming.map(fullTask),
        counts,
        labels: [...labels],
        message: `${counts.overdue} overdue, ${today.length} due today, ${upcoming.length} in the next ${days} days`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function completeTasks(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'complete_tasks',
    title: 'Complete several tasks',
    description: 'Marks up to 100 tasks as done in one step. Tells for each what happened; one undo takes all back.',
    input: z.strictObject({
      user_id: inputs.userId,
      task_ids: z.array(inputs.taskId).min(1).max(limits.batch),
    }),
    output: z.object({
      ...answer,
      completed: z.array(outputs.completedTask),
      already_completed: z.array(z.string()),
      failed: z.array(z.object({ task_id: z.string(), code: z.string(), message: z.string() })),
    }),
    async run({ user_id, task_ids }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const results = await service.completeMany(circumstances, [...new Set(task_ids)]);
      const done = results.completed.map((task) => ({
        id: task.id,
        title: task.title,
        completed: true as const,
        completed_at: (task.completedAt ?? circumstances.now).toISOString(),
      }));
      return {
        success: true as const,
        completed: done,
        already_completed: results.already.map(({ id }) => id),
        failed: results.failed.map(({ taskId, code, message }) => ({ task_id: taskId, code, message })),
        message: `${done.length} completed, ${results.already.length} were already, ${results.failed.length} failed`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function reopenTask(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'reopen_task',
    title: 'Reopen task',
    description: 'Makes a completed task open again. Safe to repeat.',
    input: z.strictObject({ user_id: inputs.userId, task_id: inputs.taskId }),
    output: oneTask,
    async run({ user_id, task_id }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const { task, changes } = await service.update(circumstances, task_id, { completed: false });
      return {
        success: true as const,
        task: fullTask(task),
        message: changes.length > 0 ? `Task reopened: ${task.title}` : `Task is already open: ${task.title}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function setTaskLabels(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'set_task_labels',
    title: 'Set labels',
    description: 'Replaces the labels of a task, e.g. ["home", "errands"]; [] removes all.',
    input: z.strictObject({
      user_id: inputs.userId,
      task_id: inputs.taskId,
      labels: z.array(z.string()).max(limits.labels),
    }),
    output: oneTask,
    async run({ user_id, task_id, labels }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const { task } = await service.update(circumstances, task_id, { labels: readLabels(labels) });
      return {
        success: true as const,
        task: fullTask(task),
        message: `Labels of ${task.title}: ${task.labels.join(', ') || 'none'}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function setTaskRecurrence(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'set_task_recurrence',
    title: 'Set repetition',
    description:
      'Makes a task repeat: words ("every other tuesday") or RRULE; null stops it. Completing it then adds the next one.',
    input: z.strictObject({ user_id: inputs.userId, task_id: inputs.taskId, recurrence: z.string().nullable() }),
    output: oneTask,
    async run({ user_id, task_id, recurrence }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const zone = await service.zone(circumstances);
      const parsed = recurrence === null ? undefined : parseRecurrence(recurrence, circumstances.now, zone);
      if (parsed && !parsed.ok) {
        throw new ToolError('INVALID_RECURRENCE', `Could not read the repetition: ${parsed.reason}`);
      }
      const { task } = await service.change(circumstances, task_id, (current) => ({
        ...current,
        recurrence: parsed?.rule ?? null,
        dueDate: current.dueDate ?? parsed?.first.value ?? null,
      }));
      const words = task.recurrence === null ? 'does not repeat' : `repeats ${recurrenceInWords(task.recurrence)}`;
      return {
        success: true as const,
        task: fullTask(task),
        message: `${task.title} ${words}${await dueNote(service, circumstances, task.dueDate)}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function undoLastChange(service: TaskService): Tool {
  return defineTool({
    ...shared,
    name: 'undo_last_change',
    title: 'Undo',
    description: 'Takes back the last change of tasks (add, update, complete, import); not a deletion.',
    input: z.strictObject({ user_id: inputs.userId }),
    output: z.object({
      ...answer,
      restored: z.array(outputs.fullTask),
      removed: z.array(outputs.deletedTask),
    }),
    annotations: { ...annotate.change, idempotent: false },
    async run({ user_id }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const { restored, removed } = await service.undo(circumstances);
      const names = [...restored, ...removed].map(({ title }) => title);
      const rest = names.length > 3 ? ` and ${names.length - 3} more` : '';
      return {
        success: true as const,
        restored: restored.map(fullTask),
        removed: removed.slice(0, limits.batch).map(({ id, title }) => ({ id, title })),
        message: `Undone: ${names.slice(0, 3).join(', ')}${rest}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}
