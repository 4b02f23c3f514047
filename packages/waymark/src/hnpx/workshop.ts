import { randomInt } from 'node:crypto';
import type { Context, Events, Roots } from '../kit/index.ts';
import type { Book } from './book/book.ts';
import type { Edited, EditTools } from './edit/edit.ts';
import { BookFiles, type OpenBook } from './files/book-files.ts';
import { defaultLimits, type Limits } from './model.ts';
import type { RandomInteger } from './node-id.ts';

export interface HnpxServices {
  readonly roots: Roots;
  readonly events?: Events;
  readonly limits?: Partial<Limits>;
  /** Where new ids come from; cryptographically strong unless a test says otherwise. */
  readonly random?: RandomInteger;
}

/** What a tool needs to work on books. */
export interface Workshop {
  readonly files: BookFiles;
  readonly limits: Limits;
  readonly editTools: EditTools;
  /** Applies an edit to a file; the answer carries the file's new revision. */
  change<Result extends object>(
    request: ChangeRequest,
    context: Context,
    edit: (book: Book, tools: EditTools) => Edited<Result>,
  ): Promise<Result & { revision: string }>;
}

export interface ChangeRequest {
  readonly tool: string;
  readonly file_path: string;
  readonly expected_revision?: string | null | undefined;
  /** Keep a copy of the book first, because the edit removes or rewrites much. */
  readonly snapshot?: string;
}

export function createWorkshop(services: HnpxServices): Workshop {
  const limits = { ...defaultLimits, ...services.limits };
  const files = new BookFiles({ roots: services.roots, limits });
  const editTools: EditTools = { random: services.random ?? ((bound) => randomInt(bound)), limits };
  return {
    files,
    limits,
    editTools,
    async change(request, context, edit) {
      const outcome = await files.change(request.file_path, (book) => edit(book, editTools), {
        expectedRevision: request.expected_revision,
        signal: context.signal,
      });
      if (outcome.isChanged) announce(services.events, files, outcome.current, request.tool, context);
      return { ...outcome.result, revision: outcome.current.revision };
    },
  };
}

function announce(
  events: Events | undefined,
  files: BookFiles,
  { path, revision }: OpenBook,
  tool: string,
  { user }: Context,
): void {
  events?.publish({ type: 'book-changed', user: user.id, data: { file: files.display(path), revision, tool } });
}
