import type { ConversationRecord } from './conversation.ts';

/** Where conversations are recorded, so that they can be taken up again, listed and replayed. */
export interface ConversationLog {
  /** Takes the record at once; when it is safe depends on the kind of log. */
  append(id: string, record: ConversationRecord): void;
  /** Another process has written to this conversation since it was last resumed or written here. */
  changedElsewhere(id: string): boolean;
  /** Everything recorded, for looking at it. */
  read(id: string): Promise<ConversationRecord[] | undefined>;
  /** The same, for going on with it. */
  resume(id: string): Promise<ConversationRecord[] | undefined>;
  list(user: string): Promise<ConversationEntry[]>;
  /** The text of the SOP a conversation is bound to, kept by its hash. */
  saveSource(hash: string, text: string): void;
  readSource(hash: string): Promise<string | undefined>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ConversationEntry {
  readonly id: string;
  readonly startedAt: string;
  readonly lastUsedAt: string;
}

/** Keeps nothing: conversations end with the process. */
export const noLog: ConversationLog = {
  append() {},
  changedElsewhere: () => false,
  read: async () => undefined,
  resume: async () => undefined,
  list: async () => [],
  saveSource() {},
  readSource: async () => undefined,
  async flush() {},
  async close() {},
};
