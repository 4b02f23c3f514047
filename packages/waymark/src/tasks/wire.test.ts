import { describe, expect, test } from 'vitest';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  type Host,
  refuse,
  ToolError,
} from '../kit/index.ts';
import { openTestStore } from '../store/store.test-helpers.ts';
import { createTasksToolset } from './index.ts';
import { connectTasks } from './tasks.test-helpers.ts';

const user = { id: 'local', scopes: 'all' as const };

function toolsetWithout(failure: Error) {
  return createTasksToolset({ store: () => Promise.reject(failure), events: createEvents() });
}

async function add(host: Partial<Host>, failure = new Error('unused')) {
  const client = await connectInProcess(createCatalog([toolsetWithout(failure)]), createHost(host), { user });
  return client.callTool({ name: 'add_task', arguments: { user_id: 'local', title: 'a' } });
}

describe('when something is wrong on our side', () => {
  test('the answer has the shape of every other and tells nothing inside [MTR-003] [MTR-004]', async () => {
    const result = await add({}, new Error('connect ECONNREFUSED postgres://user:secret@10.0.0.1'));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { code: 'INTERNAL_ERROR' }, timestamp: expect.any(String) },
    });
    expect(JSON.stringify(result)).not.toMatch(/secret|postgres|ECONN/);
  });

  test('a rate limit says in seconds when to come back', async () => {
    const result = await add({
      aroundCall: (entry, context) =>
        Promise.resolve(
          refuse(
            entry.toolset,
            entry.tool,
            new ToolError('RATE_LIMITED', 'Too many calls', { retry_after_ms: 29_100 }),
            context,
          ),
        ),
    });
    expect(result.structuredContent).toMatchObject({
      success: false,
      error: { code: 'RATE_LIMITED', retry_after: 30 },
    });
  });

  test('a database that goes away mid-way is told as that, without its address', async () => {
    const store = await openTestStore();
    const client = await connectTasks(store);
    await store.pool.query(`insert into users (id) values ('u1')`);
    await client.call('add_task', { title: 'a' });
    await store.close();
    const answer = await client.call('add_task', { title: 'b' });
    expect(answer).toMatchObject({
      isError: true,
      success: false,
      error: { code: expect.stringMatching(/^(STORE_UNAVAILABLE|INTERNAL_ERROR)$/) },
    });
  });
});

describe('what the tools say about themselves', () => {
  const tools = createCatalog([toolsetWithout(new Error())]).listTools();
  const find = (name: string) => tools.find((tool) => tool.name === name);

  test('the schemas ask for what the contract requires [TASK-ADD-USER_ID] [TASK-ADD-TITLE] [TASK-LIST-USER_ID] [TASK-COMPLETE-PARAMETERS] [TASK-DELETE-PARAMETERS] [TASK-UPDATE-PARAMETERS]', () => {
    const required = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema['required']]));
    expect(required).toMatchObject({
      add_task: ['user_id', 'title'],
      list_tasks: ['user_id'],
      complete_task: ['user_id', 'task_id'],
      delete_task: ['user_id', 'task_id'],
      update_task: ['user_id', 'task_id'],
    });
    const properties = (name: string) => Object.keys(find(name)?.inputSchema['properties'] ?? {});
    expect(properties('add_task')).toEqual(['user_id', 'title', 'description', 'due_date', 'priority']);
    expect(properties('list_tasks').slice(0, 7)).toEqual([
      'user_id',
      'completed',
      'priority',
      'due_before',
      'due_after',
      'search',
      'limit',
    ]);
    expect(properties('update_task')).toEqual([
      'user_id',
      'task_id',
      'title',
      'description',
      'due_date',
      'priority',
      'completed',
    ]);
    expect(find('add_task')?.inputSchema).toMatchObject({
      properties: { title: { minLength: 1, maxLength: 500 }, priority: { enum: ['low', 'medium', 'high'] } },
    });
  });

  test('only deletion is destructive, reading changes nothing, and everything has a title', () => {
    expect(tools.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name)).toEqual([
      'delete_task',
    ]);
    expect(tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)).toEqual([
      'list_tasks',
      'tasks_overview',
      'export_tasks',
    ]);
    expect(tools.every(({ title }) => title.length > 0)).toBe(true);
  });

  test('no tool knows a conversation: that is kept elsewhere [TASK-ENTITY-CONVERSATION]', () => {
    expect(JSON.stringify(tools)).not.toMatch(/conversation/i);
  });

  test('the list stays small', () => {
    const size = tools.reduce(
      (sum, { name, description, inputSchema }) => sum + JSON.stringify({ name, description, inputSchema }).length,
      0,
    );
    expect(size / 4 / tools.length).toBeLessThan(150);
  });
});
