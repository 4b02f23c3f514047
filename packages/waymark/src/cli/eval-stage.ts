import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault, Stage, TaskSpec, TaskState } from '../agent/evaluation/index.ts';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  createRoots,
  type Host,
  silentLogger,
} from '../kit/index.ts';
import { createServices } from '../server/services.ts';
import { connectTaskTools, createTaskAgent } from '../server/task-agent.ts';
import { loadToolsets } from '../server/toolsets.ts';
import { CliError } from './cli-error.ts';

export interface EvalStage extends Stage {
  close(): Promise<void>;
}

const user = 'scenario-user';
const otherUser = 'somebody-else';

/** The real tools and the real agent on a store of their own, with a clock and faults that scenarios set. */
export async function openStage(model: string): Promise<EvalStage> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-eval-'));
  const services = {
    ...createServices({ dataDirectory: directory, roots: await createRoots([directory]), log: silentLogger }),
    events: createEvents(),
  };
  let now = new Date();
  let timeZone = 'UTC';
  let faults = new Map<string, Fault & { failed: number }>();
  const clock = () => now;
  const plainHost = createHost({ clock });
  const faultyHost = createHost({
    clock,
    aroundCall: async ({ tool }, context, next) => {
      const fault = faults.get(tool.name);
      if (!fault || (fault.times !== undefined && fault.failed >= fault.times)) return next(context);
      fault.failed++;
      return failWith(fault);
    },
  });
  const catalog = createCatalog(await loadToolsets(['tasks'], services));
  const direct = await connectInProcess(catalog, plainHost, { user: { id: user, scopes: 'all' } });
  const { pool } = await services.store();
  const connect = await connectTaskTools(services, faultyHost);

  async function call(owner: string, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = await direct.callTool({
      name,
      arguments: { user_id: owner, ...args },
      _meta: { 'waymark/timeZone': timeZone },
    });
    if (result.isError)
      throw new CliError(
        `could not set the scene: ${name} ${JSON.stringify(args)}: ${JSON.stringify(result.structuredContent)}`,
      );
    return result.structuredContent as Record<string, unknown>;
  }

  async function add(owner: string, spec: TaskSpec): Promise<void> {
    const { title, due, priority, completed, description } = spec;
    const { task } = await call(owner, 'add_task', {
      title,
      ...(due ? { due_date: due } : {}),
      ...(priority ? { priority } : {}),
      ...(description ? { description } : {}),
    });
    const { id } = task as { id: string };
    if (completed) await call(owner, 'complete_task', { task_id: id });
    if (spec['created'] === 'earliest') {
      await pool.query("update tasks set position = -1, created_at = created_at - interval '1 day' where id = $1", [
        id,
      ]);
    }
  }

  async function tasks(owner: string): Promise<TaskState[]> {
    const all: TaskState[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await call(owner, 'list_tasks', { limit: 100, ...(cursor ? { cursor } : {}) });
      all.push(...(page['tasks'] as TaskState[]));
      if (typeof page['next_cursor'] !== 'string') return all;
      cursor = page['next_cursor'];
    }
  }

  async function idOf(title: string): Promise<string> {
    const task = (await tasks(user)).find((one) => one.title.toLowerCase() === title.toLowerCase());
    if (!task) throw new CliError(`could not set the scene: there is no task "${title}"`);
    return task.id;
  }

  return {
    user,
    otherUser,
    tasks,
    add: (task) => add(user, task),
    complete: async (title) => void (await call(user, 'complete_task', { task_id: await idOf(title) })),
    delete: async (title) => void (await call(user, 'delete_task', { task_id: await idOf(title) })),
    fail: (wanted) => {
      faults = new Map(Object.entries(wanted).map(([tool, fault]) => [tool, { ...fault, failed: 0 }]));
    },
    async reset(options) {
      now = options.now;
      timeZone = options.timeZone;
      await pool.query('delete from users where id = any($1)', [[user, otherUser]]);
      await pool.query('insert into users (id) select unnest($1::text[])', [[user, otherUser]]);
      for (const task of options.tasks) await add(user, task);
      for (const task of options.others) await add(otherUser, task);
    },
    agent: () =>
      createTaskAgent(services, { host: faultyHost, connect, model, timeZone }).catch((error: unknown) => {
        throw new CliError(error instanceof Error ? error.message : String(error), 2);
      }),
    async close() {
      await direct.close();
      await services.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Answer = Awaited<ReturnType<Host['aroundCall']>>;

function failWith(fault: Fault): Answer {
  if (fault.malformed) return { content: [{ type: 'text', text: '<html>502 Bad Gateway' }] };
  if (fault.code === undefined) throw new Error(fault.error ?? 'injected fault');
  const message = fault.error ?? fault.code;
  const error = { code: fault.code, message, ...(fault.retry_after ? { retry_after: fault.retry_after } : {}) };
  const answer = { success: false, error, message, timestamp: new Date(0).toISOString() };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer, isError: true };
}
