import { join } from 'node:path';
import { silentLogger } from '../kit/context.ts';
import type { Store } from '../store/store.ts';
import type { ConversationRecord } from './conversation.ts';
import { createFileLog, removeConversationFiles } from './conversation-files.ts';
import { createSharedLog, createStoreLog } from './conversation-store.ts';

export interface ExportedConversation {
  readonly id: string;
  readonly started_at: string;
  readonly last_used_at: string;
  readonly records: readonly ConversationRecord[];
}

/** Everything recorded of a person's conversations, in files and in the store, newest first. */
export async function exportConversations(
  dataDirectory: string,
  store: Store,
  user: string,
): Promise<ExportedConversation[]> {
  const files = createFileLog(join(dataDirectory, 'sop'), silentLogger);
  const log = createSharedLog(
    files,
    createStoreLog(async () => store, silentLogger, 'export'),
  );
  try {
    const conversations: ExportedConversation[] = [];
    for (const { id, startedAt, lastUsedAt } of await log.list(user)) {
      const records = (await log.read(id)) ?? [];
      conversations.push({ id, started_at: startedAt, last_used_at: lastUsedAt, records });
    }
    return conversations;
  } finally {
    await log.close();
  }
}

export async function hasConversationFiles(dataDirectory: string, user: string): Promise<boolean> {
  const entries = await createFileLog(join(dataDirectory, 'sop'), silentLogger).list(user);
  return entries.length > 0;
}

/** Those in the store go with the user. */
export function removeConversations(dataDirectory: string, user: string): Promise<void> {
  return removeConversationFiles(join(dataDirectory, 'sop'), user);
}
