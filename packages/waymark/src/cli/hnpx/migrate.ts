import { resolve } from 'node:path';
import { migrateDialect } from '../../hnpx/edit/migrate.ts';
import { createHost, silentLogger } from '../../kit/index.ts';
import { asCliError, workshopFor } from './open-book.ts';

export async function migrateFile(file: string, { to }: { readonly to: 'summary' | 'plain' }): Promise<void> {
  const workshop = await workshopFor(file);
  const { clock, randomId } = createHost();
  const context = {
    user: { id: 'local', scopes: 'all' as const },
    conversation: undefined,
    signal: new AbortController().signal,
    progress() {},
    log: silentLogger,
    clock,
    randomId,
    answers: undefined,
    meta: {},
  };
  try {
    const request = { tool: 'migrate_document', file_path: resolve(file), keepsSnapshot: true };
    const { message, changes } = await workshop.change(request, context, (book) => migrateDialect(book, to));
    process.stderr.write(`${file}: ${message}\n`);
    for (const change of changes) process.stdout.write(`${change}\n`);
  } catch (error) {
    throw await asCliError(error, file);
  }
}
