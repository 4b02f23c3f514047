import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import { addUsers, connectTasks, now, type TestClient } from './tasks.test-helpers.ts';

describeStores('task tools beyond the contract', (open) => {
  let store: Store;
  let client: TestClient;
  const call: TestClient['call'] = (...args) => client.call(...args);
  const add = async (title: string, more: Record<string, unknown> = {}): Promise<string> =>
    (await call('add_task', { title, ...more })).task.id;
  const quickAdd = async (text: string) => (await call('quick_add_task', { text })).task;
  const list = async () => (await call('list_tasks')).tasks as { title: string }[];
  const titles = async () => (await list()).map((task) => task.title);

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    await addUsers(store, 'u1', 'u2');
    client = await connectTasks(store);
  });

  describe('repetition', () => {
    test('completing adds the next occurrence and says so', async () => {
      const task = await quickAdd('water plants every friday at 9am p1 #home');
      expect(task).toMatchObject({
        title: 'water plants',
        due_date: '2026-11-20T09:00:00-05:00',
        recurrence: 'FREQ=WEEKLY;BYDAY=FR',
        priority: 'high',
        labels: ['home'],
      });
      const done = await call('complete_task', { task_id: task.id });
      expect(done).toMatchObject({
        task: { id: task.id, completed: true },
        next_task: { title: 'water plants', due_date: '2026-11-27T09:00:00-05:00' },
        message: 'Task completed: water plants; next, due Fri 27 Nov, 9:00 AM',
      });
      expect(await list()).toMatchObject([
        { id: done.next_task.id, completed: false, due_date: '2026-11-27T09:00:00-05:00', priority: 'high' },
        { id: task.id, completed: true },
      ]);
    });

    test('completing twice, or reopening and completing, adds only one', async () => {
      const task = await quickAdd('stretch every day');
      await call('complete_task', { task_id: task.id });
      await call('complete_task', { task_id: task.id });
      await call('reopen_task', { task_id: task.id });
      await call('update_task', { task_id: task.id, completed: true });
      expect(await titles()).toEqual(['stretch', 'stretch']);
    });

    test('two at once complete it once', async () => {
      const task = await quickAdd('stretch every day');
      const other = await connectTasks(store);
      const both = await Promise.all([
        call('complete_task', { task_id: task.id }),
        other.call('complete_task', { task_id: task.id }),
      ]);
      expect(both.filter((answer) => answer.next_task)).toHaveLength(1);
      expect(both.filter((answer) => answer.code === 'ALREADY_COMPLETED')).toHaveLength(1);
      expect(await titles()).toEqual(['stretch', 'stretch']);
    });

    test('is set in words or as a rule, and cleared', async () => {
      const task_id = await add('report');
      const set = await call('set_task_recurrence', { task_id, recurrence: 'every other tuesday' });
      expect(set).toMatchObject({
        task: { recurrence: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', due_date: '2026-11-24' },
        message: 'report repeats every 2 weeks on Tuesday, due Tue 24 Nov',
      });
      const rule = await call('set_task_recurrence', { task_id, recurrence: 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1' });
      expect(rule.task).toMatchObject({ recurrence: 'FREQ=MONTHLY;BYMONTHDAY=-1', due_date: '2026-11-24' });
      expect((await call('set_task_recurrence', { task_id, recurrence: null })).task.recurrence).toBeNull();
      const refused = await call('set_task_recurrence', { task_id, recurrence: 'now and then' });
      expect(refused.error.code).toBe('INVALID_RECURRENCE');
    });

    test('ends after its count', async () => {
      const task_id = await add('pill', { due_date: 'today' });
      await call('set_task_recurrence', { task_id, recurrence: 'FREQ=DAILY;COUNT=2' });
      const first = await call('complete_task', { task_id });
      const second = await call('complete_task', { task_id: first.next_task.id });
      expect(second).not.toHaveProperty('next_task');
    });
  });

  test('labels are set, folded together and shown with their counts', async () => {
    const task_id = await add('buy milk');
    const answer = await call('set_task_labels', { task_id, labels: ['#Home', 'home', '@errands'] });
    expect(answer.task.labels).toEqual(['Home', 'errands']);
    await quickAdd('call mom #Home');
    const overview = await call('tasks_overview', { label: 'Home' });
    expect(overview).toMatchObject({
      counts: { open: 2 },
      labels: [
        { label: 'Home', open: 2 },
        { label: 'errands', open: 1 },
      ],
    });
    expect((await call('set_task_labels', { task_id, labels: ['two words'] })).error.code).toBe('INVALID_LABEL');
    expect((await call('set_task_labels', { task_id, labels: [] })).task.labels).toEqual([]);
  });

  test('the overview sorts by what is due when', async () => {
    await add('rent', { due_date: '2026-11-15' });
    await add('tea', { due_date: 'today at 9am' });
    await add('plants', { due_date: 'today' });
    await add('gym', { due_date: 'today at 6pm' });
    await add('dentist', { due_date: '2026-11-25' });
    await add('taxes', { due_date: '2027-04-15' });
    await add('someday');
    const done = await add('done', { due_date: '2026-11-01' });
    await call('complete_task', { task_id: done });
    const answer = await call('tasks_overview');
    const names = (tasks: { title: string }[]) => tasks.map((task) => task.title);
    expect([names(answer.overdue), names(answer.today), names(answer.upcoming)]).toEqual([
      ['rent', 'tea'],
      ['plants', 'gym'],
      ['dentist'],
    ]);
    expect(answer).toMatchObject({
      counts: { open: 7, completed: 1, overdue: 2, undated: 1 },
      message: '2 overdue, 2 due today, 1 in the next 7 days',
    });
  });

  test('reopening an open task changes nothing', async () => {
    const task_id = await add('a');
    expect(await call('reopen_task', { task_id })).toMatchObject({ success: true, message: 'Task is already open: a' });
    await call('complete_task', { task_id });
    expect((await call('reopen_task', { task_id })).task).toMatchObject({ completed: false, completed_at: null });
  });

  test('several are completed in one step and told one by one', async () => {
    const ids = [await add('a'), await add('b'), await add('c')];
    await call('complete_task', { task_id: ids[0] });
    const other = (await call('add_task', { user_id: 'u2', title: 'not mine' })).task.id;
    const answer = await call('complete_tasks', { task_ids: [...ids, other, 'task_none', ids[1]] });
    expect(answer).toMatchObject({
      success: true,
      completed: [{ title: 'b' }, { title: 'c' }],
      already_completed: [ids[0]],
      failed: [
        { task_id: other, code: 'UNAUTHORIZED' },
        { task_id: 'task_none', code: 'TASK_NOT_FOUND' },
      ],
    });
    await call('undo_last_change');
    expect(await list()).toMatchObject([
      { title: 'b', completed: false },
      { title: 'c', completed: false },
      { title: 'a', completed: true },
    ]);
  });

  describe('undo', () => {
    test('goes back step by step', async () => {
      const task_id = await add('milk', { due_date: 'tomorrow' });
      await call('update_task', { task_id, title: 'oat milk', due_date: null });
      await call('complete_task', { task_id });
      expect(await call('undo_last_change')).toMatchObject({
        message: 'Undone: oat milk',
        restored: [{ completed: false }],
      });
      expect(await call('undo_last_change')).toMatchObject({ restored: [{ title: 'milk', due_date: '2026-11-19' }] });
      expect((await call('list_tasks', { search: 'oat' })).count).toBe(0);
      expect((await call('list_tasks', { due_before: '2026-11-20' })).count).toBe(1);
      expect(await call('undo_last_change')).toMatchObject({ removed: [{ id: task_id, title: 'milk' }], restored: [] });
      expect((await call('undo_last_change')).error.code).toBe('NOTHING_TO_UNDO');
    });

    test('does not bring back what was deleted', async () => {
      const kept = await add('kept');
      const task_id = await add('gone');
      await call('delete_task', { task_id });
      expect((await call('undo_last_change')).error).toMatchObject({
        code: 'CANNOT_UNDO',
        message: 'The last change was a deletion, and deletions are permanent',
      });
      await call('update_task', { task_id: kept, priority: 'high' });
      expect(await call('undo_last_change')).toMatchObject({ restored: [{ title: 'kept', priority: 'medium' }] });
    });

    test('takes the next occurrence away again', async () => {
      const task = await quickAdd('stretch every day');
      await call('complete_task', { task_id: task.id });
      await call('undo_last_change');
      expect(await list()).toMatchObject([{ id: task.id, completed: false }]);
      expect((await call('complete_task', { task_id: task.id })).next_task).toBeDefined();
    });

    test('touches only the own changes', async () => {
      await add('mine');
      await call('add_task', { user_id: 'u2', title: 'theirs' });
      await call('undo_last_change');
      expect(await titles()).toEqual([]);
      expect((await call('list_tasks', { user_id: 'u2' })).count).toBe(1);
    });

    test('keeps a bounded history', async () => {
      const task_id = await add('a');
      for (let step = 0; step < 300; step++) await call('update_task', { task_id, title: `a${step}` });
      const { rows } = await store.pool.query('select count(*) as count from task_changes');
      expect(rows[0].count).toBeLessThan(200);
      expect((await call('undo_last_change')).restored).toMatchObject([{ title: 'a298' }]);
    });
  });

  describe('import and export', () => {
    const csv = 'TYPE,CONTENT,PRIORITY,DATE\ntask,Buy milk @home,1,tomorrow\ntask,,4,\ntask,Call mom,4,\n';

    test('a dry run changes nothing, an import adds in order, a second one nothing', async () => {
      const dry = await call('import_tasks', { format: 'todoist-csv', content: csv });
      expect(dry).toMatchObject({
        dry_run: true,
        found: 2,
        added: 2,
        problems: [{ line: 3, message: 'Task title must be 1-500 characters', skipped: true }],
        preview: [{ title: 'Buy milk', due_date: '2026-11-19' }, { title: 'Call mom' }],
      });
      expect(await titles()).toEqual([]);
      await call('import_tasks', { format: 'todoist-csv', content: csv, dry_run: false });
      expect(await titles()).toEqual(['Buy milk', 'Call mom']);
      const again = await call('import_tasks', { format: 'todoist-csv', content: csv, dry_run: false });
      expect(again).toMatchObject({ added: 0, duplicates: 2 });
      await call('undo_last_change');
      expect(await titles()).toEqual([]);
    });

    test('ten thousand tasks go in, are listed, found and taken back', { timeout: 120_000 }, async () => {
      const content = Array.from({ length: 10_000 }, (_, index) => `task number ${index}`).join('\n');
      expect(await call('import_tasks', { format: 'todo-txt', content, dry_run: false })).toMatchObject({
        added: 10_000,
      });
      expect((await list()).slice(0, 3)).toMatchObject([
        { title: 'task number 0' },
        { title: 'task number 1' },
        { title: 'task number 2' },
      ]);
      expect((await call('list_tasks', { search: 'number 9999' })).tasks).toMatchObject([
        { title: 'task number 9999' },
      ]);
      expect((await call('undo_last_change')).message).toContain('and 9997 more');
      expect(await titles()).toEqual([]);
    });

    test('refuses more', async () => {
      const content = 'x\n'.repeat(10_001);
      const answer = await call('import_tasks', { format: 'todo-txt', content: content.replaceAll('x', 'a') });
      expect(answer.error.code).toBe('TOO_MANY_TASKS');
    });

    test.each(['todoist-csv', 'icalendar', 'todo-txt'])('what %s holds comes back as it was', async (format) => {
      await quickAdd('water plants every friday at 9am p1 #home');
      await quickAdd('pay rent every month on the 1st !low');
      await add('dentist', { due_date: '2026-11-25T10:30:00-05:00' });
      await add('plain');
      const before = await list();
      const { content, count } = await call('export_tasks', { format });
      expect(count).toBe(4);
      await call('import_tasks', { user_id: 'u2', format, content, dry_run: false });
      const after = (await call('list_tasks', { user_id: 'u2' })).tasks;
      const essence = (tasks: object[]) => tasks.map((task) => ({ ...task, id: '', created_at: '' }));
      expect(essence(after)).toEqual(essence(before));
    });
  });

  test('one user never sees or changes the tasks of another', async () => {
    const task_id = await add('mine', { due_date: 'yesterday' });
    for (const [tool, args] of [
      ['reopen_task', { task_id }],
      ['set_task_labels', { task_id, labels: ['x'] }],
      ['set_task_recurrence', { task_id, recurrence: 'daily' }],
    ] as const) {
      expect((await call(tool, { ...args, user_id: 'u2' })).error.code, tool).toBe('UNAUTHORIZED');
    }
    expect(await call('tasks_overview', { user_id: 'u2' })).toMatchObject({ overdue: [], counts: { open: 0 } });
    expect((await call('export_tasks', { user_id: 'u2', format: 'todo-txt' })).content).toBe('');
    for (const tool of ['undo_last_change', 'tasks_overview']) {
      expect((await call(tool, { user_id: 'nobody' })).error.code).toBe('INVALID_USER');
    }
  });

  test('the clock of the call decides what is overdue', async () => {
    await add('plants', { due_date: 'today' });
    client.setNow(new Date(now.getTime() + 86_400_000));
    expect((await call('tasks_overview')).counts.overdue).toBe(1);
  });
});
