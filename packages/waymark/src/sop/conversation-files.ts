import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, silentLogger } from '../kit/context.ts';
import type { ConversationRecord } from './conversation.ts';
import type { ConversationEntry, ConversationLog } from './conversation-log.ts';

const safeName = /^[\w-]{8,128}$/;
const openFiles = 64;

/**
 * One append-only file per conversation, a JSON record per line. A record is handed to the operating
 * system before the call that made it is answered, so that killing the process loses nothing.
 */
export function createFileLog(directory: string, log: Logger): ConversationLog {
  const conversations = join(directory, 'conversations');
  const sources = join(directory, 'sources');
  /** Least recently used first. `size` is what this process believes the file's length to be. */
  const files = new Map<string, { descriptor: number; size: number }>();
  const knownSizes = new Map<string, number>();
  let broken = false;

  const pathOf = (id: string) => join(conversations, `${id}.jsonl`);

  function openFile(id: string): { descriptor: number; size: number } {
    const known = files.get(id);
    if (known) {
      files.delete(id);
      files.set(id, known);
      return known;
    }
    mkdirSync(conversations, { recursive: true, mode: 0o700 });
    const descriptor = openSync(pathOf(id), 'a', 0o600);
    const file = { descriptor, size: knownSizes.get(id) ?? fstatSync(descriptor).size };
    files.set(id, file);
    if (files.size > openFiles) {
      const [oldest, { descriptor: unused, size }] = files.entries().next().value ?? ['', file];
      files.delete(oldest);
      knownSizes.set(oldest, size);
      closeSync(unused);
    }
    return file;
  }

  function failed(action: string, error: unknown): void {
    if (!broken) log.warn(`SOP conversations cannot be ${action}; they will not survive this process`, { error });
    broken = true;
  }

  async function readFileOf(
    id: string,
  ): Promise<{ records: ConversationRecord[]; size: number; torn: boolean } | undefined> {
    if (!safeName.test(id)) return undefined;
    const text = await readFile(pathOf(id), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').filter(Boolean);
    const records = lines.map((line) => JSON.parse(line) as ConversationRecord);
    return { records, size: Buffer.byteLength(whole), torn: whole.length < text.length };
  }

  return {
    append(id, record) {
      if (broken || !safeName.test(id)) return;
      try {
        const file = openFile(id);
        file.size += writeSync(file.descriptor, `${JSON.stringify(record)}\n`);
      } catch (error) {
        failed('recorded', error);
      }
    },
    changedElsewhere(id) {
      const file = files.get(id);
      if (!file) return knownSizes.has(id) && existsSync(pathOf(id)) && sizeDiffers(openFile(id));
      return sizeDiffers(file);
    },
    async read(id) {
      return (await readFileOf(id))?.records;
    },
    async resume(id) {
      const found = await readFileOf(id);
      if (!found) return undefined;
      const { records, size, torn } = found;
      // A record that was cut off by a crash must not be glued to the next one.
      if (torn) repair(pathOf(id), size);
      const open = files.get(id);
      if (open) open.size = size;
      else knownSizes.set(id, size);
      return records;
    },
    async list(user) {
      const names = await readdir(conversations).catch(() => []);
      const entries = await Promise.all(
        names.filter((name) => name.endsWith('.jsonl')).map((name) => entryOf(join(conversations, name), name, user)),
      );
      return entries
        .filter((entry) => entry !== undefined)
        .toSorted((left, right) => right.lastUsedAt.localeCompare(left.lastUsedAt));
    },
    saveSource(hash, text) {
      const path = join(sources, `${hash}.md`);
      if (broken || existsSync(path)) return;
      try {
        mkdirSync(sources, { recursive: true, mode: 0o700 });
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, text, { mode: 0o600 });
        renameSync(draft, path);
      } catch (error) {
        failed('recorded', error);
      }
    },
    async readSource(hash) {
      if (!safeName.test(hash)) return undefined;
      return readFile(join(sources, `${hash}.md`), 'utf8').catch(() => undefined);
    },
    async flush() {},
    async close() {
      for (const { descriptor } of files.values()) closeSync(descriptor);
      files.clear();
    },
  };
}

/** Removes what was recorded of one person; texts of SOPs stay, because they are kept for everybody who used them. */
export async function removeConversationFiles(directory: string, user: string): Promise<void> {
  const entries = await createFileLog(directory, silentLogger).list(user);
  for (const { id } of entries) await rm(join(directory, 'conversations', `${id}.jsonl`), { force: true });
}

function sizeDiffers({ descriptor, size }: { descriptor: number; size: number }): boolean {
  return fstatSync(descriptor).size !== size;
}

function repair(path: string, size: number): void {
  const descriptor = openSync(path, 'r+');
  ftruncateSync(descriptor, size);
  closeSync(descriptor);
}

/** Reads only the first line and the file's date, so that a long list stays cheap. */
async function entryOf(path: string, name: string, user: string): Promise<ConversationEntry | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    const first = JSON.parse(line) as ConversationRecord;
    if (first.type !== 'started' || first.user !== user) return undefined;
    const { mtime } = await file.stat();
    return { id: name.slice(0, -'.jsonl'.length), startedAt: first.at, lastUsedAt: mtime.toISOString() };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
