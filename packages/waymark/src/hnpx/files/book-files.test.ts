import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, rename, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRoots } from '../../kit/index.ts';
import { Book } from '../book/book.ts';
import { createBeat } from '../edit/create.ts';
import type { EditTools } from '../edit/edit.ts';
import { countingIds, type Desk, openDesk, smallBook } from '../hnpx.test-helpers.ts';
import { defaultLimits } from '../model.ts';
import { BookFiles } from './book-files.ts';
import { revisionOf } from './revision.ts';

let desk: Desk;
let file: string;
const path = 'book.hnpx';
const beat = { file_path: path, parent_id: 's00002', summary: 's' };
const isRoot = process.getuid?.() === 0;

beforeEach(async () => {
  desk = await openDesk();
  file = join(desk.directory, path);
  await writeFile(file, smallBook);
});

/** A process of its own that creates beats until it has made `count`, printing each id. */
function startWriter(count: number, options: { ulimitBlocks?: number; uid?: number } = {}) {
  const product = new URL('../../../dist/', import.meta.url);
  const script = `
    const { connectInProcess, createCatalog, createHost, createRoots } = await import('${new URL('kit/index.js', product).href}');
    const { createHnpxToolset } = await import('${new URL('hnpx/index.js', product).href}');
    const roots = await createRoots([process.argv[1]]);
    const caller = { user: { id: 'local', scopes: 'all' } };
    const client = await connectInProcess(createCatalog([createHnpxToolset({ roots })]), createHost(), caller);
    console.log('ready');
    for (let made = 0; made < ${count}; made++) {
      const result = await client.callTool({ name: 'create_beat', arguments: ${JSON.stringify(beat)} });
      console.log(JSON.stringify(result.structuredContent));
    }
    process.exit(0);
  `;
  const node = [process.execPath, '--input-type=module', '-e', script, desk.directory];
  const [command = '', ...args] = options.ulimitBlocks
    ? ['bash', '-c', `ulimit -f ${options.ulimitBlocks}; exec "$@"`, 'bash', ...node]
    : node;
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('../../../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  /** Waits until that many lines were printed. */
  const reached = async (count: number) => {
    while (lines.length < count) await once(output, 'line');
  };
  return { child, lines, reached, exited: once(child, 'close') };
}

const answers = (lines: readonly string[]) => lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);

describe('concurrent writers', () => {
  test('four processes, none of their 200 changes is lost [HNPX-108]', async () => {
    const writers = Array.from({ length: 4 }, () => startWriter(50));
    await Promise.all(writers.map(({ exited }) => exited));
    const ids = writers.flatMap(({ lines }) => answers(lines).map(({ id }) => id));
    const book = Book.parse(await readFile(file));
    const present = new Set(book.children(book.require('s00002')).map((row) => book.id(row)));
    expect(ids).toHaveLength(200);
    expect(present).toEqual(new Set(ids));
    expect((await readdir(desk.directory)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });

  test('calls of one process wait for each other [HNPX-108]', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => desk.use('create_beat', beat)));
    const { total } = await desk.use('get_direct_children', { file_path: path, node_id: 's00002' });
    expect(total).toBe(30);
    expect(new Set(made.map(({ revision }) => revision)).size).toBe(30);
  });

  test('a killed writer leaves the old file or the new, and no lock that stays [HNPX-107]', async () => {
    const kills = process.env['WAYMARK_FULL'] === '1' ? 40 : 5;
    for (let round = 0; round < kills; round++) {
      const writer = startWriter(10_000);
      await writer.reached(2 + round * 3);
      writer.child.kill('SIGKILL');
      await writer.exited;
      const told = answers(writer.lines).map(({ id }) => id as string);
      const { book } = await new BookFiles({ roots: await createRoots([desk.directory]), limits: defaultLimits }).read(
        path,
      );
      for (const id of told) expect(book.find(id)).toBeGreaterThan(0);
    }
    await desk.use('create_beat', beat);
    expect((await readdir(desk.directory)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });
});

describe('the lock', () => {
  const holder = (pid: number, host: string) =>
    JSON.stringify({ pid, host, since: '2026-01-01T00:00:00Z', token: 't' });

  test('of a living process is waited for, but not forever [HNPX-120]', async () => {
    const patient = await openDesk({ limits: { lockWaitMs: 60 } });
    await writeFile(join(patient.directory, path), smallBook);
    await writeFile(join(patient.directory, `${path}.lock`), holder(process.pid, 'elsewhere'));
    const error = await patient.refuse('create_beat', beat);
    expect(error).toMatchObject({
      code: 'FILE_LOCKED',
      message: 'Document is locked by another process',
      details: { retryable: true, holder: { pid: process.pid } },
    });
    expect(await readFile(join(patient.directory, path), 'utf8')).toBe(smallBook);
    await patient.use('get_node', { file_path: path, node_id: 'b00001' });
  });

  test.runIf(process.platform === 'linux')(
    'of a dead process that nobody has buried, or whose pid is another now, is taken over',
    async () => {
      const { acquireFileLock } = await import('./file-lock.ts');
      const own = await acquireFileLock(`${file}.own`, 0);
      const mine = JSON.parse(await readFile(`${file}.own`, 'utf8')) as Record<string, unknown>;
      own.release();
      // The shell becomes a program that never asks after the child it left.
      const parent = spawn('bash', ['-c', 'true & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
      for (const lock of [
        { ...mine, pid: Number(line), began: undefined },
        { ...mine, began: '1' },
      ]) {
        await writeFile(`${file}.lock`, JSON.stringify(lock));
        await desk.use('create_beat', beat);
      }
      parent.kill('SIGKILL');
      await writeFile(`${file}.lock`, JSON.stringify(mine));
      const impatient = new BookFiles({
        roots: await createRoots([desk.directory]),
        limits: { ...defaultLimits, lockWaitMs: 0 },
      });
      const tools: EditTools = { random: countingIds(), limits: defaultLimits };
      await expect(impatient.change(path, (book) => createBeat(book, beat, tools))).rejects.toMatchObject({
        code: 'FILE_LOCKED',
      });
    },
  );

  test('whose heartbeat stopped long ago is taken over', async () => {
    await writeFile(`${file}.lock`, holder(1, 'elsewhere'));
    const { utimes } = await import('node:fs/promises');
    await utimes(`${file}.lock`, new Date(0), new Date(0));
    await writeFile(join(desk.directory, `.${path}.99.0123456789ab.tmp`), 'left behind');
    await desk.use('create_beat', beat);
    expect(await readdir(desk.directory)).toEqual(
      expect.not.arrayContaining([`${path}.lock`, `.${path}.99.0123456789ab.tmp`]),
    );
  });
});

describe('changes by others', () => {
  test('are seen at once, and told apart by the revision [HNPX-124]', async () => {
    const { revision } = await desk.use('get_node', { file_path: path, node_id: 'b00001' });
    expect(revision).toBe(revisionOf(Buffer.from(smallBook)));
    await writeFile(file, smallBook.replace('promise', 'PROMISE'));
    const seen = await desk.use('get_node', { file_path: path, node_id: 'b00001' });
    expect(seen['summary']).toBe('A ferryman keeps a PROMISE.');
    const error = await desk.refuse('create_beat', { ...beat, expected_revision: revision });
    expect(error).toMatchObject({
      code: 'CONFLICT',
      message: `Document changed since revision ${revision as string}`,
      details: { revision: seen['revision'] },
    });
    await desk.use('create_beat', { ...beat, expected_revision: seen['revision'] });
  });

  test('in the middle of our change are kept: the change is made again on top', async () => {
    const files = new BookFiles({ roots: await createRoots([desk.directory]), limits: defaultLimits });
    const tools: EditTools = { random: countingIds(), limits: defaultLimits };
    let saves = 0;
    const beforeWrite = async () => {
      if (saves++ === 0) await writeFile(file, smallBook.replace('promise', 'PROMISE'));
    };
    const { current } = await files.change(path, (book) => createBeat(book, beat, tools), { beforeWrite });
    expect(saves).toBe(2);
    expect(current.book.summary(0)).toContain('PROMISE');
    expect(current.book.children(current.book.require('s00002'))).toHaveLength(1);
    expect(await readFile(file, 'utf8')).toContain('PROMISE');
  });

  test('are refused with CONFLICT when the caller named the revision', async () => {
    const files = new BookFiles({ roots: await createRoots([desk.directory]), limits: defaultLimits });
    const { revision } = await files.read(path);
    const beforeWrite = () =>
      rename(file, `${file}.old`).then(() => writeFile(file, smallBook.replace('promise', 'PROMISE')));
    const tools: EditTools = { random: countingIds(), limits: defaultLimits };
    const change = files.change(path, (book) => createBeat(book, beat, tools), {
      expectedRevision: revision,
      beforeWrite,
    });
    await expect(change).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readFile(file, 'utf8')).toContain('PROMISE');
  });

  test('an unchanged file is not parsed again [HNPX-110]', async () => {
    const files = new BookFiles({ roots: await createRoots([desk.directory]), limits: defaultLimits });
    const first = await files.read(path);
    expect((await files.read(join(desk.directory, path))).book).toBe(first.book);
    const tools: EditTools = { random: countingIds(), limits: defaultLimits };
    const { current } = await files.change(path, (book) => createBeat(book, beat, tools));
    expect((await files.read(path)).book).toBe(current.book);
  });
});

describe('paths', () => {
  test.each(['../book.hnpx', '/etc/passwd', 'sub/../../x', ''])('refuses %j [HNPX-117]', async (bad) => {
    const error = await desk.refuse('get_node', { file_path: bad, node_id: 'b00001' });
    expect(error.code).toBe('INVALID_PATH');
    expect((await desk.refuse('create_document', { file_path: bad })).code).toBe('INVALID_PATH');
  });

  test('refuses a link out of the roots, follows one inside [HNPX-117]', async () => {
    const outside = await openDesk();
    await writeFile(join(outside.directory, path), smallBook);
    await symlink(join(outside.directory, path), join(desk.directory, 'escape.hnpx'));
    await symlink(outside.directory, join(desk.directory, 'out'));
    await symlink(path, join(desk.directory, 'inside.hnpx'));
    for (const bad of ['escape.hnpx', 'out/book.hnpx']) {
      const error = await desk.refuse('create_beat', { ...beat, file_path: bad });
      expect(error).toMatchObject({ code: 'INVALID_PATH', message: 'Path is outside the allowed roots' });
    }
    expect((await desk.refuse('create_document', { file_path: 'out/new.hnpx' })).code).toBe('INVALID_PATH');
    await desk.use('create_beat', { ...beat, file_path: 'inside.hnpx' });
    expect(await readFile(file, 'utf8')).not.toBe(smallBook);
    expect((await stat(join(desk.directory, 'inside.hnpx'))).isFile()).toBe(true);
  });

  test('keeps no history behind a link [HNPX-117]', async () => {
    const outside = await openDesk();
    await symlink(outside.directory, join(desk.directory, '.hnpx'));
    const error = await desk.refuse('remove_node', { file_path: path, node_id: 'c00002' });
    expect(error).toMatchObject({ code: 'INVALID_PATH' });
    await desk.use('create_beat', beat);
    expect(await readdir(outside.directory, { recursive: true })).toEqual([]);
  });

  test('refuses a directory and never shows a host path', async () => {
    await mkdir(join(desk.directory, 'dir.hnpx'));
    const error = await desk.refuse('create_beat', { ...beat, file_path: 'dir.hnpx' });
    expect(error).toMatchObject({ code: 'INVALID_PATH', message: 'Cannot read dir.hnpx: it is a directory' });
    expect(JSON.stringify(error)).not.toContain(desk.directory);
  });

  test('refuses a file of a gigabyte without reading it [HNPX-118]', async () => {
    await truncate(file, 1024 ** 3);
    const error = await desk.refuse('get_node', { file_path: path, node_id: 'b00001' });
    expect(error).toMatchObject({ code: 'FILE_TOO_LARGE', details: { size: 1024 ** 3, limit: 64 * 1024 ** 2 } });
  });

  test('refuses to grow a file beyond the limit [HNPX-118]', async () => {
    const small = await openDesk({ limits: { maxFileBytes: smallBook.length + 50 } });
    await writeFile(join(small.directory, path), smallBook);
    const error = await small.refuse('create_beat', { ...beat, summary: 'x'.repeat(60) });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(await readFile(join(small.directory, path), 'utf8')).toBe(smallBook);
  });
});

describe('permissions', () => {
  test('mode and owner are kept', async () => {
    await chmod(file, 0o640);
    if (isRoot) await chown(file, 1234, 1234);
    await desk.use('create_beat', beat);
    const { mode, uid } = await stat(file);
    expect(mode & 0o777).toBe(0o640);
    if (isRoot) expect(uid).toBe(1234);
  });

  test('a file that may not be written is refused before anything changes [HNPX-109]', async () => {
    await chmod(file, 0o444);
    let error: Record<string, unknown>;
    if (isRoot) {
      // Root may write everything, so somebody else tries.
      await chmod(desk.directory, 0o777);
      const writer = startWriter(1, { uid: 65_534 });
      await writer.exited;
      error = answers(writer.lines)[0] ?? {};
    } else error = { ...(await desk.refuse('create_beat', beat)) };
    expect(error).toMatchObject({
      error: true,
      code: 'INVALID_PATH',
      message: `Cannot write ${path}: permission denied`,
      details: { errno: 'EACCES' },
    });
    expect(await readFile(file, 'utf8')).toBe(smallBook);
    expect(await readdir(desk.directory)).toEqual([path]);
  });
});

test('when the disk takes no more, the old file stays whole [HNPX-100]', async () => {
  const large = smallBook.replace('Nobody ever comes.', 'Nobody. '.repeat(4096));
  await writeFile(file, large);
  const writer = startWriter(1, { ulimitBlocks: 16 });
  await writer.exited;
  expect(answers(writer.lines)).toMatchObject([{ error: true, code: 'WRITE_FAILED' }]);
  expect(await readFile(file, 'utf8')).toBe(large);
  expect(await readdir(desk.directory)).toEqual([path]);
});
