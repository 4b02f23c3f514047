import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryDirectory, waymark } from './waymark.test-helpers.ts';

const program = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));

describe('tasks on the command line', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });

  test('are added, listed, done, exported and imported by separate processes [MTR-005]', async () => {
    const run = (...args: string[]) => waymark(['tasks', ...args], { cwd: directory, env: { TZ: 'America/New_York' } });
    const added = await run('add', 'call', 'mom', 'on 2027-01-05 at 5pm', 'p1', '#family', '--json');
    const task = JSON.parse(added.stdout) as { id: string };
    expect(task).toMatchObject({ title: 'call mom', due_date: '2027-01-05T17:00:00-05:00', labels: ['family'] });
    expect((await run('list')).stdout).toContain('[ ] call mom  due Tue 5 Jan 2027, 5:00 PM  high  #family');
    expect(await run('done', task.id)).toMatchObject({ code: 0, stdout: 'Done: call mom\n' });

    const out = join(directory, 'tasks.ics');
    expect((await run('export', '--format', 'icalendar', '--out', out)).stdout).toContain('1 task written');
    expect(await readFile(out, 'utf8')).toContain('SUMMARY:call mom\r\n');
    expect((await run('import', out)).stdout).toBe('0 tasks added, 1 already there\n');

    await writeFile(join(directory, 'todo.txt'), 'buy milk\n@only\n');
    const dry = await run('import', 'todo.txt', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: '1 task would be added, 0 already there\n' });
    expect(dry.stderr).toBe('todo.txt:2 skipped: Task title must be 1-500 characters\n');
    expect((await run('import', 'todo.txt')).stdout).toBe('1 task added, 0 already there\n');
  });

  test.each([
    [['list', '--user', 'nobody'], 2, 'There is no user nobody'],
    [['list', '--due-before', 'blursday'], 1, 'Invalid filter: due_before "blursday" is not a date'],
    [['list', '--limit', '0'], 2, 'It must be 1 to 1000'],
    [['add', 'party on february 30'], 1, 'Could not parse date: there is no such day'],
    [['import', 'nowhere.txt'], 2, 'nowhere.txt: no such file'],
    [['export'], 2, "required option '--format <name>'"],
    [['export', '--format', 'csv'], 2, 'todoist-csv, icalendar, todo-txt'],
    [['lst'], 2, 'Did you mean list?'],
  ])('%j is answered in one line', async (args, code, message) => {
    const outcome = await waymark(['tasks', ...args], { cwd: directory });
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
    expect(outcome.code).toBe(code);
  });
});

test('a server killed between two calls loses nothing [MTR-001] [MTR-005] [TASK-CONTEXT-STATELESS]', async () => {
  const directory = await temporaryDirectory();
  const connect = async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', 'tasks'],
      cwd: directory,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return { client, pid: transport.pid ?? 0 };
  };
  const first = await connect();
  const added = await first.client.callTool({ name: 'add_task', arguments: { user_id: 'local', title: 'survives' } });
  expect(added.structuredContent).toMatchObject({ success: true });
  process.kill(first.pid, 'SIGKILL');
  const second = await connect();
  const listed = await second.client.callTool({ name: 'list_tasks', arguments: { user_id: 'local' } });
  expect(listed.structuredContent).toMatchObject({ count: 1, tasks: [{ title: 'survives' }] });
  await second.client.close();
});
