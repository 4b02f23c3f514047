import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Events, type Scope, ToolError } from '../../kit/index.ts';
import type { Store } from '../../store/index.ts';
import type * as TasksModule from '../../tasks/index.ts';
import type { Circumstances, Task, TaskService } from '../../tasks/index.ts';
import type { RequestUser } from '../request-user.ts';
import { refuse } from './refuse.ts';

export interface TaskRouteServices {
  readonly store: () => Promise<Store>;
  readonly events: Events;
  readonly userOf: RequestUser;
  readonly clock?: (() => Date) | undefined;
  readonly readOnly?: boolean | undefined;
}

const priority = z.enum(['low', 'medium', 'high']);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const listQuery = z.object({
  completed: flag.optional(),
  priority: priority.optional(),
  due_before: z.string().optional(),
  due_after: z.string().optional(),
  search: z.string().optional(),
  label: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});
const newTask = z.strictObject({
  title: z.string(),
  description: z.string().nullish(),
  due_date: z.string().nullish(),
  priority: priority.optional(),
  labels: z.array(z.string()).optional(),
});
const patch = z.strictObject({
  title: z.string().optional(),
  description: z.string().nullable().optional(),
  due_date: z.string().nullable().optional(),
  priority: priority.optional(),
  completed: z.boolean().optional(),
  labels: z.array(z.string()).optional(),
});
const place = z.strictObject({ after: z.string().nullable() });
const quickLine = z.strictObject({ text: z.string().min(1).max(2000) });
const overviewQuery = z.object({
  days: z.coerce.number().int().min(1).max(60).default(7),
  label: z.string().optional(),
});

type Handler = (request: FastifyRequest, circumstances: Circumstances, parts: Parts) => Promise<unknown>;

interface Parts {
  readonly service: TaskService;
  readonly tasks: typeof TasksModule;
}

/** `/api/tasks`: the board of the studio. Changes are seen live as `task-changed` on `/api/events`. */
export function registerTaskRoutes(app: FastifyInstance, services: TaskRouteServices): void {
  let loaded: Promise<Parts> | undefined;
  const load = () =>
    (loaded ??= import('../../tasks/index.ts').then((tasks) => ({ tasks, service: new tasks.TaskService(services) })));

  function route(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, handler: Handler): void {
    const scope: Scope = method === 'GET' ? 'tasks:read' : 'tasks:write';
    app.route({
      method,
      url,
      async handler(request, reply) {
        const user = await services.userOf(request, reply);
        if (!user) return reply;
        try {
          if (user.scopes !== 'all' && !user.scopes.has(scope)) {
            throw new ToolError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}`);
          }
          if (services.readOnly && method !== 'GET') throw new ToolError('READ_ONLY', 'This server is read-only');
          const circumstances: Circumstances = {
            userId: user.id,
            authenticated: user.scopes !== 'all',
            now: services.clock?.() ?? new Date(),
            randomId: () => randomBytes(18).toString('base64url'),
            clientZone: headerOf(request, 'x-time-zone'),
          };
          return await handler(request, circumstances, await load());
        } catch (error) {
          return refuse(reply, error, statusOf);
        }
      },
    });
  }

  route('GET', '/api/tasks', async (request, circumstances, { service, tasks }) => {
    const query = listQuery.parse(request.query);
    const after = query.cursor === undefined ? undefined : tasks.decodeCursor(query.cursor);
    if (query.cursor !== undefined && !after) throw new ToolError('INVALID_FILTER', 'Invalid filter: cursor');
    const { due_before: dueBefore, due_after: dueAfter, cursor: _cursor, ...filter } = query;
    const page = await service.list(circumstances, { ...filter, dueBefore, dueAfter, after });
    const listed = { tasks: page.tasks.map(tasks.fullTask), count: page.tasks.length };
    return page.next ? { ...listed, next_cursor: tasks.encodeCursor(page.next) } : listed;
  });

  route('GET', '/api/tasks/overview', async (request, circumstances, { service, tasks }) => {
    const { days, label } = overviewQuery.parse(request.query);
    const { counts, labels, ...lists } = await service.overview(circumstances, days, label);
    const shown = Object.entries(lists).map(([name, list]) => [name, (list as Task[]).map(tasks.fullTask)]);
    return { ...Object.fromEntries(shown), counts, labels };
  });

  route('GET', '/api/tasks/:id', async (request, circumstances, { service, tasks }) => ({
    task: tasks.fullTask(await service.get(circumstances, idOf(request))),
  }));

  route('POST', '/api/tasks', async (request, circumstances, { service, tasks }) => {
    const { description, due_date, labels, ...fields } = newTask.parse(request.body);
    const task = await service.add(circumstances, {
      ...fields,
      description: description ?? undefined,
      dueDate: due_date ?? undefined,
      labels: labels && tasks.readLabels(labels),
    });
    return { task: tasks.fullTask(task) };
  });

  route('POST', '/api/tasks/quick', async (request, circumstances, { service, tasks }) => {
    const { text } = quickLine.parse(request.body);
    const quick = tasks.readQuickTask(text, circumstances.now, await service.zone(circumstances));
    const content = {
      ...quick,
      title: tasks.readTitle(quick.title),
      description: null,
      completed: false,
      completedAt: null,
    };
    return { task: tasks.fullTask(await service.insert(circumstances, content)) };
  });

  route('POST', '/api/tasks/undo', async (_request, circumstances, { service, tasks }) => {
    const { restored, removed } = await service.undo(circumstances);
    return { restored: restored.map(tasks.fullTask), removed };
  });

  route('PATCH', '/api/tasks/:id', async (request, circumstances, { service, tasks }) => {
    const { due_date: dueDate, labels, ...fields } = patch.parse(request.body);
    const wanted = { ...fields, dueDate, labels: labels && tasks.readLabels(labels) };
    const { task, changes, next } = await service.update(circumstances, idOf(request), wanted);
    return changed(tasks, task, next, changes.length > 0);
  });

  route('POST', '/api/tasks/:id/complete', async (request, circumstances, { service, tasks }) => {
    const { task, already, next } = await service.complete(circumstances, idOf(request));
    return changed(tasks, task, next, !already);
  });

  route('POST', '/api/tasks/:id/reopen', async (request, circumstances, { service, tasks }) => {
    const { task, changes } = await service.update(circumstances, idOf(request), { completed: false });
    return changed(tasks, task, undefined, changes.length > 0);
  });

  route('POST', '/api/tasks/:id/move', async (request, circumstances, { service, tasks }) => {
    const { after } = place.parse(request.body);
    return { task: tasks.fullTask(await service.move(circumstances, idOf(request), after)) };
  });

  route('DELETE', '/api/tasks/:id', async (request, circumstances, { service }) => {
    const { id, title } = await service.delete(circumstances, idOf(request));
    return { deleted_task: { id, title } };
  });
}

function changed(tasks: Parts['tasks'], task: Task, next: Task | undefined, isChanged: boolean) {
  return { task: tasks.fullTask(task), changed: isChanged, ...(next ? { next_task: tasks.fullTask(next) } : {}) };
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (id.includes('\0')) throw new ToolError('TASK_NOT_FOUND', 'Task not found');
  return id;
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const statusOf: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: 404,
  UNAUTHORIZED: 403,
  CANNOT_UNDO: 409,
  NOTHING_TO_UNDO: 409,
};
