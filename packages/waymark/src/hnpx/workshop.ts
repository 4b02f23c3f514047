import { randomInt } from 'node:crypto';
import type { Context, Events, Roots } from '../kit/index.ts';
import { Book } from './book/book.ts';
import type { Edited, EditTools } from './edit/edit.ts';
import { BookFiles, type OpenBook } from './files/book-files.ts';
import { BookHistory } from './files/history.ts';
import { defaultLimits, type Limits } from './model.ts';
import type { RandomInteger } from './node-id.ts';

export interface HnpxServices {
  readonly roots: Roots;
  readonly events?: Events;
  readonly limits?: Partial<Limits>;
  /** Where new ids come from; cryptographically strong unless a test says otherwise. */
  readonly random?: RandomInteger;
}

export interface ChangeRequest {
  readonly tool: string;
  readonly file_path: string;
  readonly expected_revision?: string | null | undefined;
  /** Keep a copy of the book first, because the edit removes or rewrites much. */
  readonly keepsSnapshot?: boolean;
  /** Write exactly the bytes the edit made. */
  readonly isVerbatim?: boolean;
}

/** What a tool needs to work on books. */
export interface Workshop {
  readonly files: BookFiles;
  readonly limits: Limits;
  readonly editTools: EditTools;
  /** Applies an edit to a file, notes how to undo it, and tells whoever watches. */
  change<Result extends object>(
    request: ChangeRequest,
    context: Context,
    edit: (book: Book, tools: EditTools) => Edited<Result>,
  ): Promise<Result & { revision: string }>;
  /** Takes the last change back. */
  undo(request: Pick<ChangeRequest, 'file_path' | 'expected_revision'>, context: Context): Promise<Undone>;
}

export interface Undone {
  readonly success: true;
  readonly undone: string;
  readonly changed_at: string;
  readonly remaining: number;
  readonly message: string;
  readonly revision: string;
}

export function createWorkshop(services: HnpxServices): Workshop {
  const limits = { ...defaultLimits, ...services.limits };
  const files = new BookFiles({ roots: services.roots, limits });
  const editTools: EditTools = { random: services.random ?? ((bound) => randomInt(bound)), limits };

  const announce = ({ path, revision }: OpenBook, tool: string, result: object, { user }: Context) => {
    const id = 'id' in result ? { id: result.id } : {};
    const data = { file: files.display(path), revision, tool, ...id };
    services.events?.publish({ type: 'book-changed', user: user.id, data });
  };

  return {
    files,
    limits,
    editTools,
    async change(request, context, edit) {
      const { tool } = request;
      let snapshot: string | undefined;
      const outcome = await files.change(request.file_path, (book) => edit(book, editTools), {
        expectedRevision: request.expected_revision,
        signal: context.signal,
        beforeWrite({ path, book }) {
          if (request.keepsSnapshot)
            snapshot = new BookHistory(path).saveSnapshot(book.bytes, tool, context.clock()).id;
        },
        isVerbatim: request.isVerbatim ?? false,
        afterWrite(before, after) {
          const change = { tool, before: point(before), after: point(after), snapshot, now: context.clock() };
          try {
            new BookHistory(after.path).recordChange(change);
          } catch (error) {
            // The change itself is safe on disk; it only cannot be undone.
            context.log.warn('undo history not written', { tool, error });
          }
        },
      });
      if (outcome.isChanged) announce(outcome.current, tool, outcome.result, context);
      const kept = snapshot === undefined ? {} : { snapshot_id: snapshot };
      return { ...outcome.result, ...kept, revision: outcome.current.revision };
    },
    async undo(request, context) {
      let remaining = 0;
      const { result, current } = await files.change(request.file_path, (_book, open) => undoLast(open), {
        expectedRevision: request.expected_revision,
        signal: context.signal,
        isVerbatim: true,
        afterWrite({ path }) {
          remaining = new BookHistory(path).dropLast();
        },
      });
      announce(current, 'undo', result, context);
      return { ...result, remaining, revision: current.revision };
    },
  };
}

function point({ revision, book }: OpenBook) {
  return { revision, bytes: book.bytes };
}

function undoLast(open: OpenBook): Edited<Omit<Undone, 'remaining' | 'revision'>> {
  const { bytes, tool, at } = new BookHistory(open.path).previous(point(open));
  const message = `Took back ${tool} of ${at}`;
  return { book: Book.parse(bytes), result: { success: true, undone: tool, changed_at: at, message } };
}
