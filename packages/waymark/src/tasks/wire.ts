import { z } from 'zod';
import { type Context, InvalidInputError, Reply, ToolError } from '../kit/index.ts';
import { messageOf, priorities, type Task, type TaskContent, type TaskErrorCode, taskError } from './model.ts';
import type { Circumstances } from './requests.ts';

/** Where a client may name its time zone, for users who have none of their own. */
export const timeZoneKey = 'waymark/timeZone';

/**
 * Whose tasks a call is about. With authentication that is the caller and nobody else; without, any
 * user of this installation.
 */
export function circumstancesOf(userId: string, context: Context): Circumstances {
  const authenticated = context.user.scopes !== 'all';
  if (authenticated && userId !== context.user.id) {
    throw new ToolError('UNAUTHORIZED', "You don't have access to this user's tasks");
  }
  const clientZone = context.meta[timeZoneKey];
  return {
    userId,
    authenticated,
    now: context.clock(),
    randomId: context.randomId,
    clientZone: typeof clientZone === 'string' ? clientZone : undefined,
  };
}

/** No id contains a NUL character, and no database text can. */
const identifier = z.string().refine((id) => !id.includes('\0'));

export const inputs = {
  userId: identifier.describe('Task owner'),
  taskId: identifier.describe('Task id from list_tasks'),
  title: z.string().meta({ minLength: 1, maxLength: 500 }),
  description: z.string().meta({ maxLength: 2000 }),
  priority: z.enum(priorities),
} as const;

const date = z.string();
const nullableText = z.string().nullable();
export const answer = { success: z.literal(true), message: z.string(), timestamp: date };

export const outputs = {
  addedTask: z.object({
    id: z.string(),
    title: z.string(),
    description: nullableText,
    due_date: nullableText,
    priority: z.enum(priorities),
    completed: z.literal(false),
    created_at: date,
  }),
  listedTask: z.object({
    id: z.string(),
    title: z.string(),
    description: nullableText,
    due_date: nullableText,
    priority: z.enum(priorities),
    completed: z.boolean(),
    created_at: date,
    completed_at: nullableText,
  }),
  completedTask: z.object({ id: z.string(), title: z.string(), completed: z.literal(true), completed_at: date }),
  deletedTask: z.object({ id: z.string(), title: z.string() }),
  updatedTask: z.object({
    id: z.string(),
    title: z.string(),
    description: nullableText,
    due_date: nullableText,
    priority: z.enum(priorities),
    completed: z.boolean(),
    updated_at: date,
  }),
  fullTask: z.object({
    id: z.string(),
    title: z.string(),
    description: nullableText,
    due_date: nullableText,
    priority: z.enum(priorities),
    completed: z.boolean(),
    completed_at: nullableText,
    labels: z.array(z.string()),
    recurrence: nullableText,
    created_at: date,
    updated_at: date,
  }),
} as const;

/** Every field of a task under its name on the wire. */
export function fullTask(task: Task) {
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    due_date: task.dueDate,
    priority: task.priority,
    completed: task.completed,
    completed_at: task.completedAt?.toISOString() ?? null,
    labels: [...task.labels],
    recurrence: task.recurrence,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  };
}

const wireNames: Readonly<Record<keyof TaskContent, string>> = {
  title: 'title',
  description: 'description',
  dueDate: 'due_date',
  priority: 'priority',
  completed: 'completed',
  completedAt: 'completed_at',
  labels: 'labels',
  recurrence: 'recurrence',
};

export function wireNameOf(field: keyof TaskContent): string {
  return wireNames[field];
}

/** Arguments of `null` mean "not given" where a field cannot be cleared; some clients always send them. */
export function withoutNulls(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

/** Gives every refusal the shape of the contract. */
export function toErrorReply(error: ToolError, toolName: string, context: Context): Reply {
  const { code, message, details } = error instanceof InvalidInputError ? contractError(error, toolName) : error;
  return new Reply({
    structured: {
      success: false,
      error: { code, message, ...retryAfter(details), ...(Object.keys(details).length > 0 ? { details } : {}) },
      message,
      timestamp: context.clock().toISOString(),
    },
    isError: true,
  });
}

/** Whole seconds, as rate limits are told to agents. */
function retryAfter({ retry_after_ms: wait }: ToolError['details']): { retry_after?: number } {
  return typeof wait === 'number' ? { retry_after: Math.ceil(wait / 1000) } : {};
}

const codesByArgument: Readonly<Record<string, TaskErrorCode>> = {
  user_id: 'INVALID_USER',
  task_id: 'TASK_NOT_FOUND',
  title: 'INVALID_TITLE',
  description: 'INVALID_DESCRIPTION',
  due_date: 'INVALID_DATE',
  priority: 'INVALID_PRIORITY',
};

/** An argument that does not fit the schema has, for most arguments, a code of its own in the contract. */
function contractError(error: InvalidInputError, toolName: string): ToolError {
  const issues = error.issues.map(({ path, message }) => ({ argument: path, message }));
  const find = (argument: string) => issues.find((issue) => issue.argument === argument);
  if (toolName === 'list_tasks' && !find('user_id')) {
    const [first] = issues;
    const detail = first?.argument === 'priority' ? messageOf('INVALID_PRIORITY') : (first?.message ?? '');
    return new ToolError('INVALID_FILTER', `Invalid filter: ${[first?.argument, detail].filter(Boolean).join(': ')}`, {
      issues,
    });
  }
  const argument = Object.keys(codesByArgument).find(find);
  const code = argument === undefined ? undefined : codesByArgument[argument];
  return code === undefined ? new ToolError(error.code, error.message, { issues }) : taskError(code, { issues });
}
