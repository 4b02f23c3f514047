export interface Todo {
  readonly content: string;
  readonly note?: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly completion_node?: string;
}

/** One thing that happened in a conversation, as the server recorded it. */
export type ConversationRecord = { readonly at: string } & (
  | { readonly type: 'started' }
  | { readonly type: 'loaded'; readonly agent: string; readonly file: string; readonly reset: boolean }
  | {
      readonly type: 'moved';
      readonly from: string | null;
      readonly to: string;
      readonly by: 'edge' | 'entry' | 'reentry' | 'repeat';
      readonly complete: boolean;
    }
  | { readonly type: 'refused'; readonly from: string | null; readonly to: string; readonly reason: string }
  | { readonly type: 'todos'; readonly todos: readonly Todo[] }
  | { readonly type: 'fact'; readonly name: string; readonly value: string | number | boolean | null }
  | { readonly type: 'tool'; readonly name: string; readonly node: string | null; readonly verdict: string }
);

/** A conversation as it stood after some record: a pure fold, the same live and in a replay. */
export interface ConversationView {
  readonly agent: string | undefined;
  readonly path: readonly string[];
  readonly current: string | undefined;
  readonly complete: boolean;
  readonly visits: ReadonlyMap<string, number>;
  /** Edges taken, as `edgeKey` writes them. */
  readonly walked: ReadonlySet<string>;
  readonly refused: readonly { readonly from: string | null; readonly to: string; readonly reason: string }[];
  readonly todos: readonly Todo[];
  readonly facts: ReadonlyMap<string, string | number | boolean>;
}

export function edgeKey(from: string, to: string): string {
  return `${from} → ${to}`;
}

interface Walk {
  path: string[];
  visits: Map<string, number>;
  walked: Set<string>;
  refused: { from: string | null; to: string; reason: string }[];
  complete: boolean;
}

const freshWalk = (): Walk => ({ path: [], visits: new Map(), walked: new Set(), refused: [], complete: false });

/** Every procedure of a conversation is walked by itself; shown is the one that was loaded last. */
export function foldRecords(records: readonly ConversationRecord[], upTo = Infinity): ConversationView {
  const walks = new Map<string, Walk>();
  const facts = new Map<string, string | number | boolean>();
  let todos: readonly Todo[] = [];
  let agent: string | undefined;
  let walk = freshWalk();
  for (const [index, record] of records.entries()) {
    if (index > upTo) break;
    if (record.type === 'loaded') {
      agent = record.agent;
      walk = (record.reset ? undefined : walks.get(agent)) ?? freshWalk();
      walks.set(agent, walk);
    } else if (record.type === 'moved') {
      applyMove(walk, record);
    } else if (record.type === 'refused') {
      walk.refused.push({ from: record.from, to: record.to, reason: record.reason });
    } else if (record.type === 'todos') {
      ({ todos } = record);
    } else if (record.type === 'fact') {
      if (record.value === null) facts.delete(record.name);
      else facts.set(record.name, record.value);
    }
  }
  return { ...walk, agent, current: walk.path.at(-1), todos, facts };
}

function applyMove(walk: Walk, { from, to, by, complete }: ConversationRecord & { type: 'moved' }): void {
  if (by === 'entry') walk.path = [to];
  else if (by !== 'repeat') walk.path.push(to);
  if (by !== 'repeat') walk.visits.set(to, (walk.visits.get(to) ?? 0) + 1);
  if (by === 'edge' && from !== null) walk.walked.add(edgeKey(from, to));
  walk.complete = complete;
}

const reasons: Readonly<Record<string, string>> = {
  'unknown-node': 'there is no such step',
  'not-started': 'the procedure has not begun',
  'no-edge': 'no arrow leads there',
  locked: 'that step was not reached before',
  'missing-facts': 'a fact it needs is not on record',
};

/** Why a move was refused, in words. */
export function reasonWords(reason: string): string {
  return reasons[reason] ?? reason;
}

const moveWords = { edge: 'Went to', entry: 'Began at', reentry: 'Came back to', repeat: 'Stayed at' } as const;

/** What happened, as a sentence. */
export function describeRecord(record: ConversationRecord): string {
  switch (record.type) {
    case 'started':
      return 'Conversation started';
    case 'loaded':
      return `${record.reset ? 'Loaded anew:' : 'Loaded'} ${record.agent}`;
    case 'moved':
      return `${moveWords[record.by]} ${record.to}`;
    case 'refused':
      return `Refused ${record.from ? `${record.from} → ` : ''}${record.to}: ${reasonWords(record.reason)}`;
    case 'todos':
      return `Wrote ${record.todos.length} ${record.todos.length === 1 ? 'todo' : 'todos'}`;
    case 'fact':
      return record.value === null ? `Forgot ${record.name}` : `Noted ${record.name} = ${String(record.value)}`;
    case 'tool':
      return `Tool ${record.name} ${record.verdict}`;
  }
}

/** The step a record is about. */
export function stepOf(record: ConversationRecord): string | undefined {
  if (record.type === 'moved' || record.type === 'refused') return record.to;
  return record.type === 'tool' ? (record.node ?? undefined) : undefined;
}
