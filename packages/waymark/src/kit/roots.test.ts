import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createRoots, type Roots } from './index.ts';

let base: string;
let roots: Roots;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'waymark-roots-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  for (const name of ['own', 'shared', 'elsewhere']) await mkdir(join(base, name));
  for (const name of ['shared/a.txt', 'elsewhere/b.txt']) await writeFile(join(base, name), '');
  await symlink(join(base, 'elsewhere'), join(base, 'own/link'));
  roots = await createRoots([join(base, 'own'), join(base, 'shared')]);
});

test('finds what exists below any root, and creates below the first', async () => {
  expect(await roots.resolve('a.txt')).toBe(join(base, 'shared/a.txt'));
  expect(await roots.resolve('new.txt')).toBe(join(base, 'own/new.txt'));
  expect(await roots.resolve(join(base, 'shared/a.txt'))).toBe(join(base, 'shared/a.txt'));
});

test.each(['../elsewhere/b.txt', 'link/b.txt', 'link/new.txt', '/etc/passwd'])('refuses %s', async (path) => {
  await expect(roots.resolve(path)).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
});

test('says what does not exist, is empty or holds a NUL', async () => {
  await expect(roots.resolve('no/such.txt')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await expect(roots.resolve('')).rejects.toMatchObject({ code: 'INVALID_PATH' });
  await expect(roots.resolve('a\0b')).rejects.toMatchObject({ code: 'INVALID_PATH' });
});
