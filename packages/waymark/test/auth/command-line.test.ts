import { expect, test } from 'vitest';
import { temporaryDirectory, waymark } from '../cli/waymark.test-helpers.ts';

test('an operator adds people, makes and revokes tokens, exports and removes, and the log tells it', async () => {
  const data = await temporaryDirectory();
  const run = (args: string[], input = '') => waymark([...args, '--data', data], { input });

  expect((await run(['users', 'add', 'ada', '--password'], 'short\n')).stderr).toContain('at least 10 characters');
  expect((await run(['users', 'password', 'ada'], 'a long enough secret\n')).stdout).toBe('Password of ada set\n');
  const created = await run([
    'tokens',
    'create',
    '--user',
    'ada',
    '--name',
    'backup',
    '--scopes',
    'tasks:read',
    '--days',
    '30',
  ]);
  expect(created.stdout).toMatch(/^wmk_[0-9a-f]{12}_[\w-]{32}\n$/);
  const [, id = ''] = /^wmk_([0-9a-f]+)_/.exec(created.stdout) ?? [];

  const listed = await run(['tokens', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, userId: 'ada', name: 'backup', scopes: ['tasks:read'] }]);
  expect(listed.stdout).not.toContain(created.stdout.trim());
  expect((await run(['tokens', 'revoke', id])).stdout).toBe(`Revoked ${id}\n`);
  expect((await run(['tokens', 'revoke', id])).stderr).toContain(`There is no token ${id}`);

  const exported = await run(['users', 'export', 'ada']);
  expect(JSON.parse(exported.stdout)).toMatchObject({ users: [{ id: 'ada' }] });
  expect(exported.stdout).not.toContain('scrypt');

  const events = async () => {
    const { stdout } = await run(['audit', '--json']);
    expect(stdout).not.toContain('a long enough secret');
    return stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
  };
  expect(await events()).toEqual(['token-revoked', 'token-created', 'password-set']);
  expect((await run(['users', 'remove', 'ada', '--yes'])).stdout).toBe('Removed ada\n');
  expect(await events()).toEqual(['user-removed', 'token-revoked']);
});
