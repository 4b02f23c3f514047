import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import { addUsers, connectTasks, now, type TestClient } from './tasks.test-helpers.ts';

const timestamp = now.toISOString();
const longTitle = 'x'.repeat(501);

describeStores('task tools that change', (open) => {
  let store: Store;
  let client: TestClient;
  const call: TestClient['call'] = (...args) => client.call(...args);
  const add = async (title: string, more: Record<string, unknown> = {}): Promise<string> => {
    const answer = await call('add_task', { title, ...more });
    expect(answer.isError, answer.text).toBe(false);
    return answer.task.id;
  };
  const titles = async (filter: Record<string, unknown> = {}): Promise<string[]> => {
    const answer = await call('list_tasks', filter);
    expect(answer.isError, answer.text).toBe(false);
    return answer.tasks.map((task: { title: string }) => task.title);
  };
  const expectError = async (tool: string, args: Record<string, unknown>, code: string, message: string) => {
    const answer = await call(tool, args);
    expect(answer).toMatchObject({ isError: true, success: false, error: { code, message }, message, timestamp });
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: { code, message } });
  };

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    await addUsers(store, 'u1', 'u2');
    client = await connectTasks(store);
  });

  describe('complete_task', () => {
    test('answers with the task and when it was done [TASK-COMPLETE-RETURN] [MTR-004]', async () => {
      const id = await add('buy milk');
      const answer = await call('complete_task', { task_id: id });
      expect(answer).toMatchObject({ success: true, message: 'Task completed: buy milk', timestamp });
      expect(answer.task).toEqual({ id, title: 'buy milk', completed: true, completed_at: timestamp });
      expect(answer).not.toHaveProperty('code');
    });

    test('done again it succeeds with a note and changes nothing [TASK-COMPLETE-ALREADY_COMPLETED] [TASK-ASSUME-IDEMPOTENT] [MTR-006]', async () => {
      const id = await add('buy milk');
      await call('complete_task', { task_id: id });
      client.setNow(new Date(now.getTime() + 60_000));
      const again = await call('complete_task', { task_id: id });
      expect(again).toMatchObject({
        isError: false,
        success: true,
        code: 'ALREADY_COMPLETED',
        message: 'Task is already completed',
        task: { completed: true, completed_at: timestamp },
      });
    });

    test('refuses unknown users, unknown tasks and tasks of others [TASK-COMPLETE-INVALID_USER] [TASK-COMPLETE-TASK_NOT_FOUND] [TASK-COMPLETE-UNAUTHORIZED] [TASK-COMPLETE-PARAMETERS]', async () => {
      const task_id = await add('mine');
      await expectError('complete_task', { user_id: 'nobody', task_id }, 'INVALID_USER', 'User not found');
      await expectError('complete_task', { task_id: 'task_none' }, 'TASK_NOT_FOUND', 'Task not found');
      await expectError('complete_task', { task_id: '\u0000' }, 'TASK_NOT_FOUND', 'Task not found');
      await expectError('complete_task', {}, 'TASK_NOT_FOUND', 'Task not found');
      await expectError(
        'complete_task',
        { user_id: 'u2', task_id },
        'UNAUTHORIZED',
        "You don't have access to this task",
      );
      expect(await titles({ completed: true })).toEqual([]);
    });
  });

  describe('delete_task', () => {
    test('removes the task for good [TASK-DELETE-RETURN] [TASK-ASSUME-PERMANENT]', async () => {
      const task_id = await add('old reminder');
      const answer = await call('delete_task', { task_id });
      expect(answer).toMatchObject({ success: true, deleted_task: { id: task_id, title: 'old reminder' }, timestamp });
      expect(await titles()).toEqual([]);
      const { rows } = await store.pool.query(`select * from task_changes where before::text like '%reminder%'`);
      expect(rows).toEqual([]);
      await expectError('delete_task', { task_id }, 'TASK_NOT_FOUND', 'Task not found');
    });

    test('refuses unknown users, unknown tasks and tasks of others [TASK-DELETE-INVALID_USER] [TASK-DELETE-TASK_NOT_FOUND] [TASK-DELETE-UNAUTHORIZED] [TASK-DELETE-PARAMETERS]', async () => {
      const task_id = await add('mine');
      await expectError('delete_task', { user_id: 'nobody', task_id }, 'INVALID_USER', 'User not found');
      await expectError('delete_task', { task_id: 'task_none' }, 'TASK_NOT_FOUND', 'Task not found');
      await expectError(
        'delete_task',
        { user_id: 'u2', task_id },
        'UNAUTHORIZED',
        "You don't have access to this task",
      );
      expect(await titles()).toEqual(['mine']);
    });
  });

  describe('update_task', () => {
    test('changes every field and says which [TASK-UPDATE-RETURN] [TASK-UPDATE-CHANGES] [TASK-UPDATE-TITLE] [TASK-UPDATE-PRIORITY]', async () => {
      const task_id = await add('meeting at 3pm');
      client.setNow(new Date(now.getTime() + 60_000));
      const answer = await call('update_task', {
        task_id,
        title: 'meeting at 4pm',
        description: 'room 2',
        due_date: 'tomorrow at 4pm',
        priority: 'high',
        completed: true,
      });
      expect(answer).toMatchObject({
        success: true,
        changes: ['title', 'description', 'due_date', 'priority', 'completed'],
        message: 'Task updated: meeting at 4pm, due Thu 19 Nov, 4:00 PM',
      });
      expect(answer.task).toEqual({
        id: task_id,
        title: 'meeting at 4pm',
        description: 'room 2',
        due_date: '2026-11-19T16:00:00-05:00',
        priority: 'high',
        completed: true,
        updated_at: '2026-11-18T20:31:00.000Z',
      });
    });

    test('null clears description and due date [TASK-UPDATE-DESCRIPTION] [TASK-UPDATE-DUE_DATE]', async () => {
      const task_id = await add('rent', { description: 'flat', due_date: '2026-12-01' });
      const answer = await call('update_task', { task_id, description: null, due_date: null });
      expect(answer).toMatchObject({
        changes: ['description', 'due_date'],
        task: { description: null, due_date: null },
      });
      expect(await titles({ search: 'flat' })).toEqual([]);
      expect(await titles({ due_before: '2030-01-01' })).toEqual([]);
    });

    test('sets completion either way [TASK-UPDATE-COMPLETED]', async () => {
      const task_id = await add('a');
      await call('update_task', { task_id, completed: true });
      expect((await call('list_tasks')).tasks[0]).toMatchObject({ completed: true, completed_at: timestamp });
      const reopened = await call('update_task', { task_id, completed: false });
      expect(reopened).toMatchObject({ changes: ['completed'], task: { completed: false } });
      expect((await call('list_tasks')).tasks[0]).toMatchObject({ completed: false, completed_at: null });
    });

    test('the same values again succeed without a change [MTR-006]', async () => {
      const task_id = await add('a', { priority: 'high' });
      client.setNow(new Date(now.getTime() + 60_000));
      const answer = await call('update_task', { task_id, title: 'a', priority: 'high' });
      expect(answer).toMatchObject({ success: true, changes: [], task: { updated_at: timestamp } });
    });

    test('finds the new words and not the old ones [TASK-LIST-SEARCH]', async () => {
      const task_id = await add('buy milk');
      await call('update_task', { task_id, title: 'buy oats' });
      expect([await titles({ search: 'milk' }), await titles({ search: 'oats' })]).toEqual([[], ['buy oats']]);
    });

    test('refuses what the contract names and leaves the task alone [TASK-UPDATE-NO_CHANGES] [TASK-UPDATE-INVALID_TITLE] [TASK-UPDATE-INVALID_PRIORITY] [TASK-UPDATE-PARAMETERS]', async () => {
      const task_id = await add('pay rent', { due_date: '2026-12-01' });
      await expectError('update_task', { task_id }, 'NO_CHANGES', 'No changes specified');
      await expectError('update_task', { task_id, title: ' ' }, 'INVALID_TITLE', 'Task title must be 1-500 characters');
      await expectError(
        'update_task',
        { task_id, title: longTitle },
        'INVALID_TITLE',
        'Task title must be 1-500 characters',
      );
      await expectError(
        'update_task',
        { task_id, title: null },
        'INVALID_TITLE',
        'Task title must be 1-500 characters',
      );
      await expectError(
        'update_task',
        { task_id, priority: 'top' },
        'INVALID_PRIORITY',
        'Priority must be low, medium, or high',
      );
      await expectError('update_task', { task_id, due_date: 'blursday' }, 'INVALID_DATE', 'Could not parse date');
      await expectError(
        'update_task',
        { task_id, description: 'x'.repeat(2001) },
        'INVALID_DESCRIPTION',
        'Task description must be at most 2000 characters',
      );
      expect((await call('list_tasks')).tasks[0]).toMatchObject({ title: 'pay rent', due_date: '2026-12-01' });
    });

    test('refuses unknown users, unknown tasks and tasks of others [TASK-UPDATE-INVALID_USER] [TASK-UPDATE-TASK_NOT_FOUND] [TASK-UPDATE-UNAUTHORIZED]', async () => {
      const task_id = await add('mine');
      const change = { title: 'yours' };
      await expectError('update_task', { user_id: 'nobody', task_id, ...change }, 'INVALID_USER', 'User not found');
      await expectError('update_task', { task_id: 'task_none', ...change }, 'TASK_NOT_FOUND', 'Task not found');
      await expectError(
        'update_task',
        { user_id: 'u2', task_id, ...change },
        'UNAUTHORIZED',
        "You don't have access to this task",
      );
      await expectError(
        'update_task',
        { user_id: 'u2', task_id },
        'UNAUTHORIZED',
        "You don't have access to this task",
      );
      expect(await titles()).toEqual(['mine']);
    });

    test('edits of different fields at once are all kept, and each counts once', async () => {
      const task_id = await add('shared');
      const other = await connectTasks(store);
      await Promise.all([
        call('update_task', { task_id, title: 'renamed' }),
        other.call('update_task', { task_id, priority: 'high' }),
        call('update_task', { task_id, description: 'note' }),
        other.call('update_task', { task_id, due_date: 'tomorrow' }),
        call('complete_task', { task_id }),
      ]);
      expect((await call('list_tasks')).tasks).toEqual([
        expect.objectContaining({
          title: 'renamed',
          priority: 'high',
          description: 'note',
          due_date: '2026-11-19',
          completed: true,
        }),
      ]);
    });
  });
});
