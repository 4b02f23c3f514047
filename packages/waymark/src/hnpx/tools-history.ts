import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { Book } from './book/book.ts';
import { migrateDialect } from './edit/migrate.ts';
import { BookHistory } from './files/history.ts';
import { dialects } from './model.ts';
import { type BookDiff, diffBooks } from './read/diff.ts';
import { expectedRevision, filePath } from './tool-inputs.ts';
import { changeOutputs, readOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const snapshotId = z.string();
const read = { tier: 'more', annotations: annotate.read, scopes: ['books:read'] } as const;
const write = { tier: 'more', scopes: ['books:write'] } as const;
const maxListed = 100;

/** Going back: snapshots, what changed since, and taking back the last change. */
export function createHistoryTools(workshop: Workshop): Tool[] {
  const { files } = workshop;
  const historyOf = async (path: string) => {
    const open = await files.read(path);
    return { ...open, history: new BookHistory(open.path) };
  };
  return [
    defineTool({
      ...read,
      name: 'list_snapshots',
      title: 'List snapshots',
      description: 'The kept copies of a book, newest first. One is taken before every destructive change.',
      input: z.strictObject({ file_path: filePath }),
      output: readOutputs.snapshots,
      async run(input) {
        const { history, revision } = await historyOf(input.file_path);
        return { snapshots: history.snapshots(), revision };
      },
    }),
    defineTool({
      ...write,
      annotations: annotate.add,
      name: 'create_snapshot',
      title: 'Create snapshot',
      description: 'Keeps a copy of the book as it is now.',
      input: z.strictObject({ file_path: filePath, label: z.string().nullish() }),
      output: changeOutputs.snapshot,
      async run(input, context) {
        const { history, book, revision } = await historyOf(input.file_path);
        const { id } = history.saveSnapshot(book.bytes, input.label ?? 'manual', context.clock());
        return { success: true, snapshot_id: id, message: `Kept snapshot ${id}`, revision };
      },
    }),
    defineTool({
      ...read,
      name: 'diff_snapshot',
      title: 'Compare with snapshot',
      description: 'What was added, removed, moved and changed since a snapshot.',
      input: z.strictObject({ file_path: filePath, snapshot_id: snapshotId }),
      output: readOutputs.difference,
      async run(input) {
        const { history, book, revision } = await historyOf(input.file_path);
        return { ...bounded(diffBooks(Book.parse(history.readSnapshot(input.snapshot_id)), book)), revision };
      },
    }),
    defineTool({
      ...write,
      annotations: annotate.remove,
      name: 'restore_snapshot',
      title: 'Restore snapshot',
      description: 'Makes the book what it was in a snapshot. The present state is kept as a snapshot too.',
      input: z.strictObject({ file_path: filePath, snapshot_id: snapshotId, expected_revision: expectedRevision }),
      output: changeOutputs.restored,
      async run(input, context) {
        const { history } = await historyOf(input.file_path);
        const bytes = history.readSnapshot(input.snapshot_id);
        const request = { tool: 'restore_snapshot', keepsSnapshot: true, isVerbatim: true, ...input };
        return workshop.change(request, context, (book) => ({
          book: bytes.equals(book.bytes) ? book : Book.parse(bytes),
          result: { success: true, restored: input.snapshot_id, message: `Restored snapshot ${input.snapshot_id}` },
        }));
      },
    }),
    defineTool({
      ...write,
      annotations: { ...annotate.remove, idempotent: false },
      name: 'undo',
      title: 'Undo',
      description: 'Takes back the last change made with these tools. Call again to go further back.',
      input: z.strictObject({ file_path: filePath, expected_revision: expectedRevision }),
      output: changeOutputs.undone,
      run: (input, context) => workshop.undo(input, context),
    }),
    defineTool({
      ...write,
      annotations: annotate.remove,
      name: 'migrate_document',
      title: 'Migrate dialect',
      description:
        'Converts between the dialects: "summary" (loc, paragraph summaries) and "plain" (location, none). A snapshot is kept.',
      input: z.strictObject({
        file_path: filePath,
        to: z.enum(dialects),
        expected_revision: expectedRevision,
      }),
      output: changeOutputs.migrated,
      run: (input, context) =>
        workshop.change({ tool: 'migrate_document', keepsSnapshot: true, ...input }, context, (book) =>
          migrateDialect(book, input.to),
        ),
    }),
  ];
}

function bounded(diff: BookDiff) {
  const { added, removed, moved, changed } = diff;
  return {
    added: added.slice(0, maxListed),
    removed: removed.slice(0, maxListed),
    moved: moved.slice(0, maxListed),
    changed: changed.slice(0, maxListed),
    counts: { added: added.length, removed: removed.length, moved: moved.length, changed: changed.length },
  };
}
