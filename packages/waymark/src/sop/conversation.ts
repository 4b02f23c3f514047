import type { FactValue } from './model.ts';

export type TodoStatus = 'pending' | 'in_progress' | 'completed';

export interface Todo {
  readonly content: string;
  readonly note?: string;
  readonly status: TodoStatus;
  readonly completion_node?: string;
}

/** How a move was allowed: along an edge, by starting over, or back to a re-entry node. */
export type MoveKind = 'edge' | 'entry' | 'reentry' | 'repeat';

/** What happened in a conversation. State is nothing but these, applied one after the other. */
export type ConversationEvent =
  | { readonly type: 'started'; readonly user: string }
  | {
      readonly type: 'loaded';
      readonly agent: string;
      readonly hash: string;
      readonly file: string;
      /** Begins the path anew. */
      readonly reset: boolean;
    }
  | {
      readonly type: 'moved';
      readonly from: string | null;
      readonly to: string;
      readonly by: MoveKind;
      readonly complete: boolean;
      readonly unlocks: boolean;
    }
  | { readonly type: 'refused'; readonly from: string | null; readonly to: string; readonly reason: RefusalReason }
  | { readonly type: 'todos'; readonly todos: readonly Todo[] }
  | { readonly type: 'fact'; readonly name: string; readonly value: FactValue | null }
  | { readonly type: 'tool'; readonly name: string; readonly node: string | null; readonly verdict: ToolVerdict };

export type RefusalReason = 'unknown-node' | 'not-started' | 'no-edge' | 'locked' | 'missing-facts';
export type ToolVerdict = 'allowed' | 'warned' | 'refused';

export type ConversationRecord = ConversationEvent & { readonly at: string };

/** Where a conversation stands in one procedure. */
export interface Walk {
  readonly agent: string;
  hash: string;
  file: string;
  /** Nodes entered since the path was last begun. */
  path: string[];
  readonly unlocked: Set<string>;
  complete: boolean;
}

export interface Conversation {
  readonly id: string;
  readonly user: string;
  readonly startedAt: string;
  lastUsedAt: string;
  /** The procedure that was loaded last. */
  agent: string | undefined;
  readonly walks: Map<string, Walk>;
  todos: readonly Todo[];
  readonly facts: Map<string, FactValue>;
}

export function startConversation(id: string, user: string, at: string): Conversation {
  const empty = { agent: undefined, walks: new Map(), todos: [], facts: new Map() };
  return { id, user, startedAt: at, lastUsedAt: at, ...empty };
}

export function currentWalk(conversation: Conversation): Walk | undefined {
  return conversation.agent === undefined ? undefined : conversation.walks.get(conversation.agent);
}

/** Brings a conversation up to date with one event. */
export function applyEvent(conversation: Conversation, event: ConversationEvent): void {
  switch (event.type) {
    case 'loaded':
      return applyLoaded(conversation, event);
    case 'moved':
      return applyMoved(conversation, event);
    case 'todos':
      conversation.todos = event.todos;
      return;
    case 'fact':
      if (event.value === null) conversation.facts.delete(event.name);
      else conversation.facts.set(event.name, event.value);
      return;
    case 'started':
    case 'refused':
    case 'tool':
      return;
  }
}

function applyLoaded(conversation: Conversation, event: ConversationEvent & { type: 'loaded' }): void {
  const { agent, hash, file, reset } = event;
  conversation.agent = agent;
  const walk = conversation.walks.get(agent);
  if (!walk) {
    conversation.walks.set(agent, { agent, hash, file, path: [], unlocked: new Set(), complete: false });
    return;
  }
  walk.hash = hash;
  walk.file = file;
  if (!reset) return;
  walk.path = [];
  walk.unlocked.clear();
  walk.complete = false;
}

function applyMoved(conversation: Conversation, event: ConversationEvent & { type: 'moved' }): void {
  const walk = currentWalk(conversation);
  if (!walk) return;
  if (event.by === 'entry') walk.path = [event.to];
  else if (event.by !== 'repeat') walk.path.push(event.to);
  if (event.unlocks) walk.unlocked.add(event.to);
  walk.complete = event.complete;
}

/** Rebuilds a conversation from what was recorded of it. */
export function replayRecords(id: string, records: readonly ConversationRecord[]): Conversation | undefined {
  const [first] = records;
  if (first?.type !== 'started') return undefined;
  const conversation = startConversation(id, first.user, first.at);
  for (const record of records) {
    applyEvent(conversation, record);
    conversation.lastUsedAt = record.at;
  }
  return conversation;
}
