import { z } from 'zod';
import { dueInWords, isOverdue } from '../dates/index.ts';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { decodeCursor, encodeCursor } from './list-query.ts';
import { invalidFilter, limits, messageOf, taskError } from './model.ts';
import type { Circumstances } from './requests.ts';
import type { TaskService } from './task-service.ts';
import { answer, circumstancesOf, inputs, outputs, wireNameOf, withoutNulls } from './wire.ts';

/** The five tools of the contract. */
export function createCoreTools(service: TaskService): Tool[] {
  return [addTask(service), listTasks(service), completeTask(service), deleteTask(service), updateTask(service)];
}

function addTask(service: TaskService): Tool {
  return defineTool({
    name: 'add_task',
    title: 'Add task',
    description: 'Creates a task. due_date takes ISO 8601 or words, e.g. "next friday 5pm". Answers with the task.',
    input: z.strictObject({
      user_id: inputs.userId,
      title: inputs.title,
      description: inputs.description.optional(),
      due_date: z.string().optional().describe('ISO 8601 or relative, e.g. "tomorrow"'),
      priority: inputs.priority.optional().describe('Default medium'),
    }),
    output: z.object({ ...answer, task: outputs.addedTask }),
    annotations: annotate.add,
    scopes: ['tasks:write'],
    prepare: withoutNulls,
    async run({ user_id, title, description, due_date, priority }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const task = await service.add(circumstances, { title, description, dueDate: due_date, priority });
      return {
        success: true as const,
        task: {
          id: task.id,
          title: task.title,
          description: task.description,
          due_date: task.dueDate,
          priority: task.priority,
          completed: false as const,
          created_at: task.createdAt.toISOString(),
        },
        message: `Task added: ${task.title}${await dueNote(service, circumstances, task.dueDate)}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function listTasks(service: TaskService): Tool {
  return defineTool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Lists tasks, open ones first. Use it to find a task_id. search matches a part of title or description. Pass next_cursor as cursor for more.',
    input: z.strictObject({
      user_id: inputs.userId,
      completed: z.boolean().optional(),
      priority: inputs.priority.optional(),
      due_before: z.string().optional().describe('Due before this date, exclusive'),
      due_after: z.string().optional().describe('Due on or after this date'),
      search: z.string().optional(),
      limit: z.int().min(1).max(limits.page).optional().describe('Default 50'),
      cursor: z.string().optional(),
    }),
    output: z.object({
      ...answer,
      tasks: z.array(outputs.listedTask),
      count: z.int(),
      next_cursor: z.string().optional(),
    }),
    annotations: annotate.read,
    scopes: ['tasks:read'],
    prepare: withoutNulls,
    async run(input, context) {
      const circumstances = circumstancesOf(input.user_id, context);
      const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor);
      if (input.cursor !== undefined && !after) throw invalidFilter('cursor is not one that list_tasks returned');
      const { tasks, next } = await service.list(circumstances, {
        completed: input.completed,
        priority: input.priority,
        dueBefore: input.due_before,
        dueAfter: input.due_after,
        search: input.search,
        limit: input.limit ?? limits.defaultPage,
        after,
      });
      return {
        success: true as const,
        tasks: tasks.map((task) => ({
          id: task.id,
          title: task.title,
          description: task.description,
          due_date: task.dueDate,
          priority: task.priority,
          completed: task.completed,
          created_at: task.createdAt.toISOString(),
          completed_at: task.completedAt?.toISOString() ?? null,
        })),
        count: tasks.length,
        message: countMessage(tasks.length, next !== undefined),
        timestamp: circumstances.now.toISOString(),
        ...(next ? { next_cursor: encodeCursor(next) } : {}),
      };
    },
  });
}

function completeTask(service: TaskService): Tool {
  return defineTool({
    name: 'complete_task',
    title: 'Complete task',
    description: 'Marks a task as done. Safe to repeat. A repeating task answers with its next_task.',
    input: z.strictObject({ user_id: inputs.userId, task_id: inputs.taskId }),
    output: z.object({
      ...answer,
      task: outputs.completedTask,
      code: z.literal('ALREADY_COMPLETED').optional(),
      next_task: z.object({ id: z.string(), title: z.string(), due_date: z.string().nullable() }).optional(),
    }),
    annotations: annotate.change,
    scopes: ['tasks:write'],
    async run({ user_id, task_id }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const { task, already, next } = await service.complete(circumstances, task_id);
      const following = next ? `; next${await dueNote(service, circumstances, next.dueDate)}` : '';
      return {
        success: true as const,
        task: {
          id: task.id,
          title: task.title,
          completed: true as const,
          completed_at: (task.completedAt ?? circumstances.now).toISOString(),
        },
        ...(already ? { code: 'ALREADY_COMPLETED' as const } : {}),
        ...(next ? { next_task: { id: next.id, title: next.title, due_date: next.dueDate } } : {}),
        message: already ? messageOf('ALREADY_COMPLETED') : `Task completed: ${task.title}${following}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function deleteTask(service: TaskService): Tool {
  return defineTool({
    name: 'delete_task',
    title: 'Delete task',
    description: 'Removes a task permanently. It cannot be undone: ask the user first.',
    input: z.strictObject({ user_id: inputs.userId, task_id: inputs.taskId }),
    output: z.object({ ...answer, deleted_task: outputs.deletedTask }),
    annotations: annotate.remove,
    scopes: ['tasks:write'],
    async run({ user_id, task_id }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const task = await service.delete(circumstances, task_id);
      return {
        success: true as const,
        deleted_task: { id: task.id, title: task.title },
        message: `Task deleted: ${task.title}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

function updateTask(service: TaskService): Tool {
  return defineTool({
    name: 'update_task',
    title: 'Update task',
    description: 'Changes the given fields of a task; null clears description or due_date. changes lists what differs.',
    input: z.strictObject({
      user_id: inputs.userId,
      task_id: inputs.taskId,
      title: inputs.title.optional(),
      description: inputs.description.nullable().optional(),
      due_date: z.string().nullable().optional().describe('ISO 8601 or relative, e.g. "tomorrow"'),
      priority: inputs.priority.optional(),
      completed: z.boolean().optional(),
    }),
    output: z.object({ ...answer, task: outputs.updatedTask, changes: z.array(z.string()) }),
    annotations: annotate.change,
    scopes: ['tasks:write'],
    async run({ user_id, task_id, due_date, ...fields }, context) {
      const circumstances = circumstancesOf(user_id, context);
      const patch = { ...fields, dueDate: due_date };
      if (Object.values(patch).every((value) => value === undefined)) {
        // A task the caller may not touch is told first, whatever else is wrong.
        await service.get(circumstances, task_id);
        throw taskError('NO_CHANGES');
      }
      const { task, changes } = await service.update(circumstances, task_id, patch);
      const due = changes.includes('dueDate') ? await dueNote(service, circumstances, task.dueDate) : '';
      return {
        success: true as const,
        task: {
          id: task.id,
          title: task.title,
          description: task.description,
          due_date: task.dueDate,
          priority: task.priority,
          completed: task.completed,
          updated_at: task.updatedAt.toISOString(),
        },
        changes: changes.map(wireNameOf),
        message: changes.length > 0 ? `Task updated: ${task.title}${due}` : `Nothing changed: ${task.title}`,
        timestamp: circumstances.now.toISOString(),
      };
    },
  });
}

/** Says a due date in words, so that a misunderstood one is seen at once. */
export async function dueNote(
  service: TaskService,
  circumstances: Circumstances,
  dueDate: string | null,
): Promise<string> {
  if (dueDate === null) return '';
  const zone = await service.zone(circumstances);
  const past = isOverdue(dueDate, circumstances.now, zone) ? ' (in the past)' : '';
  return `, due ${dueInWords(dueDate, circumstances.now, zone)}${past}`;
}

function countMessage(count: number, hasMore: boolean): string {
  if (count === 0) return 'No tasks found';
  const found = `${count} ${count === 1 ? 'task' : 'tasks'}`;
  return hasMore ? `First ${found}; there are more` : `${found} found`;
}
