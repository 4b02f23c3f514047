import { type Context, ToolError } from '../kit/index.ts';
import {
  applyEvent,
  type Conversation,
  type ConversationEvent,
  replayRecords,
  startConversation,
} from './conversation.ts';
import { type ConversationLog, noLog } from './conversation-log.ts';

export interface ConversationLimits {
  /** A conversation not used for so long is gone. */
  readonly idleMilliseconds: number;
  /** So many are held in memory; the ones used longest ago are read back from the log when needed. */
  readonly live: number;
}

export const defaultLimits: ConversationLimits = { idleMilliseconds: 24 * 3_600_000, live: 20_000 };

const handle = /^[\w-]{16,128}$/;

/** The conversations of this process: whose they are, which one a call means, and what was recorded. */
export class Conversations {
  readonly log: ConversationLog;
  readonly #limits: ConversationLimits;
  /** Least recently used first. */
  readonly #live = new Map<string, Conversation>();
  readonly #bySession = new Map<string, string>();
  readonly #reading = new Map<string, Promise<Conversation | undefined>>();

  constructor(log: ConversationLog = noLog, limits: ConversationLimits = defaultLimits) {
    this.log = log;
    this.#limits = limits;
  }

  /** The conversation a call means: the one it names, else the one of its connection. Never another. */
  async find(context: Context, id: string | undefined): Promise<Conversation> {
    if (id !== undefined) return this.#named(context, id);
    const session = sessionKey(context);
    if (session === undefined) {
      const message = 'Pass the conversation_id that load_graph returned';
      throw new ToolError('CONVERSATION_REQUIRED', message);
    }
    const known = this.#bySession.get(session);
    const conversation = known === undefined ? undefined : await this.#read(context, known);
    return conversation ?? this.#start(context, session);
  }

  /** As `find`, but where nothing names a conversation, a new one begins. `new` asks for one. */
  async findOrStart(context: Context, id: string | undefined): Promise<Conversation> {
    const session = sessionKey(context);
    if (id === 'new' || (id === undefined && session === undefined)) return this.#start(context, undefined);
    const conversation = await this.find(context, id);
    if (session !== undefined) this.#bind(session, conversation.id);
    return conversation;
  }

  /** Makes an event true and records it. */
  record(conversation: Conversation, event: ConversationEvent, context: Context): void {
    const at = context.clock().toISOString();
    applyEvent(conversation, event);
    conversation.lastUsedAt = at;
    this.log.append(conversation.id, { ...event, at });
  }

  async close(): Promise<void> {
    await this.log.flush();
    await this.log.close();
  }

  #start(context: Context, session: string | undefined): Conversation {
    const id = context.randomId();
    const at = context.clock().toISOString();
    const conversation = startConversation(id, context.user.id, at);
    this.log.append(id, { type: 'started', user: context.user.id, at });
    this.#keep(conversation);
    if (session !== undefined) this.#bind(session, id);
    return conversation;
  }

  #bind(session: string, id: string): void {
    this.#bySession.delete(session);
    this.#bySession.set(session, id);
    forgetOldest(this.#bySession, this.#limits.live);
  }

  async #named(context: Context, id: string): Promise<Conversation> {
    const conversation = handle.test(id) ? await this.#read(context, id) : undefined;
    if (conversation) return conversation;
    throw unknownConversation(id);
  }

  async #read(context: Context, id: string): Promise<Conversation | undefined> {
    let conversation = this.#live.get(id);
    if (!conversation || this.log.changedElsewhere(id)) conversation = await this.#restore(id);
    if (!conversation || conversation.user !== context.user.id) return undefined;
    const idle = context.clock().getTime() - Date.parse(conversation.lastUsedAt);
    if (idle > this.#limits.idleMilliseconds) {
      this.#live.delete(id);
      return undefined;
    }
    this.#keep(conversation);
    return conversation;
  }

  /** Two calls that arrive together must get the same object, not two copies. */
  #restore(id: string): Promise<Conversation | undefined> {
    let reading = this.#reading.get(id);
    if (!reading) {
      reading = this.log
        .resume(id)
        .then((records) => {
          const conversation = records && replayRecords(id, records);
          if (conversation) this.#keep(conversation);
          return conversation;
        })
        .finally(() => this.#reading.delete(id));
      this.#reading.set(id, reading);
    }
    return reading;
  }

  #keep(conversation: Conversation): void {
    this.#live.delete(conversation.id);
    this.#live.set(conversation.id, conversation);
    forgetOldest(this.#live, this.#limits.live);
  }
}

function unknownConversation(id: string): ToolError {
  const message = `There is no conversation "${id.slice(0, 60)}", or it has expired. Call load_graph to begin one`;
  return new ToolError('UNKNOWN_CONVERSATION', message);
}

function forgetOldest(entries: Map<string, unknown>, limit: number): void {
  if (entries.size <= limit) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

function sessionKey({ conversation, user }: Context): string | undefined {
  return conversation === undefined ? undefined : `${user.id}\n${conversation}`;
}
