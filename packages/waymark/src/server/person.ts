import { readdir, rm } from 'node:fs/promises';
import { exportConversations, hasConversationFiles, removeConversations } from '../sop/personal-data.ts';
import { exportUserData, type Removal, removeUser, type Store } from '../store/index.ts';
import { filesIn, placesOfUser } from './user-roots.ts';

export interface Places {
  readonly store: Store;
  readonly dataDirectory: string;
}

/**
 * Removes a person with everything that is theirs, in the store and below the data directory. The store
 * comes first: where removing the files fails, the same call finds what is left. Somebody who only ever
 * left files is known too.
 */
export async function removePerson(
  { store, dataDirectory }: Places,
  id: string,
  { evenWithData }: { readonly evenWithData: boolean },
): Promise<Removal> {
  const otherData = await dataInFiles(dataDirectory, id);
  const inStore = await removeUser(store, id, { evenWithData, otherData });
  const known = inStore.known || otherData.length > 0;
  const removed = inStore.removed || (!inStore.known && known && evenWithData);
  if (removed) {
    await removeConversations(dataDirectory, id);
    const { own, owner } = placesOfUser(filesIn(dataDirectory), id);
    await rm(own, { recursive: true, force: true });
    await rm(owner, { force: true });
  }
  return { known, removed, data: inStore.data };
}

/** Everything held about a person; undefined where there is no such person. */
export async function exportPerson(
  { store, dataDirectory }: Places,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const data = await exportUserData(store, id);
  const conversations = await exportConversations(dataDirectory, store, id);
  if (data['users']?.length === 0 && conversations.length === 0) return undefined;
  return conversations.length > 0 ? { ...data, sop_conversations: conversations } : data;
}

async function dataInFiles(dataDirectory: string, id: string): Promise<string[]> {
  const { own } = placesOfUser(filesIn(dataDirectory), id);
  const entries = await readdir(own).catch(() => []);
  const hasConversations = await hasConversationFiles(dataDirectory, id);
  return [...(hasConversations ? ['recorded conversations'] : []), ...(entries.length > 0 ? ['files'] : [])];
}
