import type { Context, Events } from '../kit/index.ts';
import {
  arrivalAnswer,
  type ArrivalAnswer,
  graphAnswer,
  nodeAnswer,
  type NodeAnswer,
  problemAnswer,
  type RefusalAnswer,
  refusalAnswer,
} from './answers.ts';
import { type Conversation, currentWalk, type Todo, type ToolVerdict, type Walk } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { Library } from './library.ts';
import { decideTool } from './gate.ts';
import type { FactValue, GateMode, Navigation, Sop } from './model.ts';
import { nextNodes, planMove, type Position, routeTo } from './navigate.ts';
import { checkTodos, summarise } from './todos.ts';
import type { LoadAnswer, StateAnswer } from './tool-outputs.ts';

export interface SopServiceParts {
  readonly conversations: Conversations;
  readonly library: Library;
  readonly events: Events;
  /** Where the SOP itself does not say. */
  readonly navigation: Navigation;
}

interface Standing {
  readonly conversation: Conversation;
  readonly walk: Walk;
  readonly sop: Sop;
}

export interface ToolPermission {
  readonly verdict: ToolVerdict;
  readonly message: string;
  readonly node: string | null;
  /** Where the tool may be used. */
  readonly nodes: readonly string[];
  /** The fewest moves to the nearest of them. */
  readonly route?: readonly string[];
}

export type GotoAnswer = (ArrivalAnswer | RefusalAnswer) & { readonly passed?: readonly NodeAnswer[] };

const notLoaded: RefusalAnswer = {
  valid: false,
  error: 'Graph not loaded. Call load_graph first.',
  current_node: null,
  valid_next: [],
};

/** What the tools do, apart from how they are called. */
export class SopService {
  readonly #parts: SopServiceParts;

  constructor(parts: SopServiceParts) {
    this.#parts = parts;
  }

  async load(
    { file, conversationId, reset }: { file: string; conversationId: string | undefined; reset: boolean },
    context: Context,
  ): Promise<LoadAnswer> {
    const { conversations, library } = this.#parts;
    // A broken file must not leave an empty conversation behind, nor touch the one there is.
    const { sop, file: shown, warnings } = await library.load(file, context.signal);
    const conversation = await conversations.findOrStart(context, conversationId);
    const before = conversation.walks.get(sop.agent);
    const changed = before !== undefined && before.hash !== sop.hash;
    const begins = reset || changed;
    conversations.record(
      conversation,
      { type: 'loaded', agent: sop.agent, hash: sop.hash, file: shown, reset: begins },
      context,
    );
    const here = currentWalk(conversation)?.path.at(-1);
    this.#publish('sop-loaded', conversation, { agent: sop.agent, hash: sop.hash });
    return {
      ...graphAnswer(sop),
      conversation_id: conversation.id,
      content_hash: sop.hash,
      status: before === undefined ? 'loaded' : reset ? 'reset' : changed ? 'changed' : 'unchanged',
      ...(changed && !reset
        ? { note: 'The file has changed since it was loaded: the path begins anew, todos are kept.' }
        : {}),
      ...(here === undefined ? {} : { current_node: here }),
      ...(warnings.length > 0 ? { warnings: warnings.map(problemAnswer) } : {}),
    };
  }

  async goto(targets: readonly string[], conversationId: string | undefined, context: Context): Promise<GotoAnswer> {
    const { conversations, library } = this.#parts;
    const conversation = await conversations.find(context, conversationId);
    const standing = await this.#standing(conversation);
    if (!standing) return notLoaded;
    const { walk, sop } = standing;
    const stale = await library.isStale(walk.file, walk.hash, context.clock().getTime());
    const passed: NodeAnswer[] = [];
    let repeat = false;
    for (const target of targets) {
      const move = planMove(this.#position(standing), target);
      conversations.record(conversation, move.event, context);
      if (!move.allowed) {
        this.#publishMove(standing, false);
        const refused = refusalAnswer(move);
        return targets.length > 1 ? { ...refused, passed } : refused;
      }
      repeat = move.event.by === 'repeat';
      passed.push(nodeAnswer(sop, move.event.to).node);
    }
    this.#publishMove(standing, true);
    const arrived = arrivalAnswer(sop, walk, conversation, { repeat, stale });
    return targets.length > 1 ? { ...arrived, passed: passed.slice(0, -1) } : arrived;
  }

  async writeTodos(
    todos: readonly Todo[],
    conversationId: string | undefined,
    ignored: readonly string[],
    context: Context,
  ) {
    const { conversations } = this.#parts;
    const conversation = await conversations.find(context, conversationId);
    conversations.record(conversation, { type: 'todos', todos }, context);
    const sop = (await this.#standing(conversation))?.sop;
    const warnings = [...ignored, ...checkTodos(todos, sop)];
    const summary = summarise(todos);
    this.#publish('sop-todos-changed', conversation, { summary });
    return { todos, summary, ...(warnings.length > 0 ? { warnings } : {}) };
  }

  async recordFact(name: string, value: FactValue | null, conversationId: string | undefined, context: Context) {
    const { conversations } = this.#parts;
    const conversation = await conversations.find(context, conversationId);
    conversations.record(conversation, { type: 'fact', name, value }, context);
    this.#publish('sop-fact-recorded', conversation, { name });
    return { facts: Object.fromEntries(conversation.facts) };
  }

  /** Whether the conversation may use one of the procedure's tools where it stands. Recorded either way. */
  async permitTool(
    tool: string,
    mode: GateMode,
    conversationId: string | undefined,
    context: Context,
  ): Promise<ToolPermission> {
    const { conversations } = this.#parts;
    const conversation = await conversations.find(context, conversationId);
    const standing = await this.#standing(conversation);
    if (!standing) {
      const message = `${tool} belongs to a procedure. ${notLoaded.error}`;
      return { verdict: 'refused', message, node: null, nodes: [] };
    }
    const { sop, walk } = standing;
    const node = walk.path.at(-1) ?? null;
    const rule = sop.gate ?? mode;
    const { allowed, nodes } = decideTool(sop, node ?? undefined, tool);
    const verdict = allowed || rule === 'off' ? 'allowed' : rule === 'warn' ? 'warned' : 'refused';
    conversations.record(conversation, { type: 'tool', name: tool, node, verdict }, context);
    this.#publish('sop-tool-used', conversation, { tool, node, verdict });
    if (verdict === 'allowed') return { verdict, message: '', node, nodes };
    const where = nodes.length > 0 ? `It may be used at ${nodes.join(', ')}` : 'No node of this procedure lists it';
    const routes = nodes.map((id) => routeTo(this.#position(standing), id)).filter((route) => route !== undefined);
    const [route] = routes.toSorted((left, right) => left.length - right.length);
    const message = `${tool} may not be used ${node === null ? `before ${sop.entry}` : `at ${node}`}. ${where}.`;
    return { verdict, message, node, nodes, ...(route ? { route } : {}) };
  }

  async state(conversationId: string | undefined, context: Context): Promise<StateAnswer> {
    const { conversations, library } = this.#parts;
    const conversation = await conversations.find(context, conversationId);
    const standing = await this.#standing(conversation);
    const { todos, facts } = conversation;
    const shared = {
      conversation_id: conversation.id,
      todos,
      summary: summarise(todos),
      facts: Object.fromEntries(facts),
    };
    if (!standing) return { ...shared, agent: null, current_node: null, valid_next: [], path: [], complete: false };
    const { walk, sop } = standing;
    const stale = await library.isStale(walk.file, walk.hash, context.clock().getTime());
    return {
      ...shared,
      agent: sop.agent,
      sop_file: walk.file,
      content_hash: walk.hash,
      current_node: walk.path.at(-1) ?? null,
      valid_next: nextNodes(this.#position(standing)),
      path: [...walk.path],
      complete: walk.complete,
      unlocked: [...walk.unlocked],
      ...(stale ? { stale: true } : {}),
    };
  }

  async #standing(conversation: Conversation): Promise<Standing | undefined> {
    const walk = currentWalk(conversation);
    const sop = walk && (await this.#parts.library.byHash(walk.hash, walk.agent));
    return walk && sop ? { conversation, walk, sop } : undefined;
  }

  #position({ conversation, walk, sop }: Standing): Position {
    return { sop, walk, facts: conversation.facts, navigation: sop.navigation ?? this.#parts.navigation };
  }

  #publishMove({ conversation, walk }: Standing, valid: boolean): void {
    this.#publish('sop-moved', conversation, {
      agent: walk.agent,
      node: walk.path.at(-1) ?? null,
      valid,
      complete: walk.complete,
    });
  }

  #publish(type: string, conversation: Conversation, data: Record<string, unknown>): void {
    const { user, id } = conversation;
    this.#parts.events.publish({ type, user, data: { conversation_id: id, ...data } });
  }
}
