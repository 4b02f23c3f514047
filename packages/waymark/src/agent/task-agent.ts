import type { Client } from '@modelcontextprotocol/client';
import { isTimeZone, systemTimeZone } from '../dates/index.ts';
import type { Events, Logger, User } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { honest, summary } from './claims.ts';
import {
  type OpenConversation,
  ConversationStore,
  type ConversationSummary,
  type Held,
  leaseSeconds,
  type StoredTurn,
} from './conversation-store.ts';
import { decide, declined, titlesOf } from './held-calls.ts';
import { instructionsFor } from './instructions.ts';
import { type Item, LoopError, type LoopResult, runLoop, type TurnModel } from './loop.ts';
import { type CallRecord, type Dialog, emptyDialog, type TaskReference } from './model.ts';
import { createOfflineModel, type OfflineModel } from './offline/offline-model.ts';
import { say } from './offline/phrases.ts';
import { createToolbelt, type Toolbelt } from './toolbelt.ts';
import type { DateContext } from './understanding/index.ts';

export interface TaskAgentServices {
  readonly store: () => Promise<Store>;
  /** An MCP client on the task tools for this user. */
  readonly connect: (user: User) => Promise<Client>;
  readonly clock: () => Date;
  readonly randomId: () => string;
  readonly log: Logger;
  readonly events?: Events;
  /** The zone of people who have none of their own. */
  readonly timeZone?: string | undefined;
  /** A language model; without one the offline model answers. */
  readonly model?: TurnModel | undefined;
}

export interface TurnRequest {
  readonly user: User;
  readonly message: string;
  readonly conversation?: string | undefined;
  /** What the client says of its zone. */
  readonly timeZone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
}

export interface TurnAnswer {
  readonly conversation: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  /** Tasks that wait for the person's yes. */
  readonly pending?: { readonly tool: string; readonly tasks: readonly string[] };
  readonly model: string;
  readonly usage: LoopResult['usage'];
  /** Ids the model made up in this turn; none of them reached a tool. */
  readonly invented: readonly string[];
}

/** The conversation is being answered elsewhere and did not come free in time. */
export class ConversationBusyError extends Error {
  override readonly name = 'ConversationBusyError';
}

const agentName = 'tasks';
const maxSteps = 60;
const rememberedTurns = 20;
const maxMessage = 20_000;
const allowed = [
  'add_task',
  'list_tasks',
  'complete_task',
  'delete_task',
  'update_task',
  'set_task_recurrence',
  'undo_last_change',
];
const noUsage = { inputTokens: 0, outputTokens: 0, requests: 0 };
const modelTrouble = "I'm having trouble answering right now. Please try again in a moment.";

interface Turn {
  readonly request: TurnRequest;
  readonly conversation: OpenConversation;
  readonly dates: DateContext;
  readonly belt: Toolbelt;
  /** Made anew for every run: it lives no longer than its turn. */
  readonly model: () => TurnModel | OfflineModel;
}

interface Outcome {
  readonly reply: string;
  readonly items: readonly Item[];
  readonly dialog: Dialog;
  readonly held: Held | undefined;
  readonly usage: LoopResult['usage'];
}

/** Talks with people about their tasks. All it knows between two turns is in the database. */
export class TaskAgent {
  readonly #services: TaskAgentServices;
  readonly #conversations: ConversationStore;
  /** Turns that are being answered in this process; nothing of a conversation outlives its turn. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(services: TaskAgentServices) {
    this.#services = services;
    this.#conversations = new ConversationStore(services.store);
  }

  get modelName(): string {
    return this.#services.model?.name ?? 'offline';
  }

  conversations(user: User, limit = 50): Promise<ConversationSummary[]> {
    return this.#conversations.list(user.id, agentName, limit);
  }

  history(user: User, conversation: string): Promise<StoredTurn[] | undefined> {
    return this.#conversations.turns(user.id, conversation);
  }

  forget(user: User, conversation: string): Promise<boolean> {
    return this.#conversations.remove(user.id, conversation);
  }

  /** Answers one message. Messages of one conversation are answered one after the other. */
  async turn(request: TurnRequest): Promise<TurnAnswer> {
    const id = request.conversation ?? this.#services.randomId();
    return this.#inTurn(`${request.user.id} ${id}`, () =>
      this.#turn({ ...request, message: request.message.slice(0, maxMessage) }, id),
    );
  }

  async #inTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#running.get(key) ?? Promise.resolve();
    const result = before.then(run);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#running.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#running.get(key) === settled) this.#running.delete(key);
    }
  }

  async #turn(request: TurnRequest, id: string): Promise<TurnAnswer> {
    const { user, message } = request;
    const { clock, log, events } = this.#services;
    const conversation = await this.#open(user.id, id);
    const renewal = setInterval(
      () => {
        this.#conversations
          .renew(user.id, conversation)
          .catch((error: unknown) => log.warn('hold not renewed', { error }));
      },
      (leaseSeconds * 1000) / 3,
    ).unref();
    const started = performance.now();
    try {
      let streamed = false;
      const onText = request.onText && ((text: string) => ((streamed = true), request.onText?.(text)));
      const turn = await this.#prepare({ ...request, onText }, conversation);
      const outcome = await this.#answer(turn);
      // What no model said, such as the question before a deletion, is heard as well.
      if (!streamed) request.onText?.(outcome.reply);
      const { calls, invented } = turn.belt;
      const durationMs = performance.now() - started;
      const finished = { ...outcome, message, calls, model: this.modelName, at: clock(), durationMs };
      const kept = await this.#conversations.finish(user.id, agentName, conversation, finished);
      if (!kept) log.warn('a turn outlived its hold on the conversation', { conversation: id });
      events?.publish({ type: 'conversation-changed', user: user.id, data: { conversation: id } });
      const { reply, held, usage } = outcome;
      return {
        conversation: id,
        reply,
        calls,
        ...(held ? { pending: { tool: held.calls[0]?.tool ?? '', tasks: titlesOf(held) } } : {}),
        model: this.modelName,
        usage,
        invented,
      };
    } catch (error) {
      await this.#conversations.release(user.id, conversation).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  async #open(user: string, id: string): Promise<OpenConversation> {
    const deadline = performance.now() + leaseSeconds * 2000;
    for (let wait = 5; ; wait = Math.min(wait * 2, 250)) {
      const opened = await this.#conversations.open(user, id, this.#services.randomId(), emptyDialog);
      if (opened) return opened;
      if (performance.now() > deadline) {
        throw new ConversationBusyError('This conversation is still being answered. Please try again.');
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #prepare(request: TurnRequest, conversation: OpenConversation): Promise<Turn> {
    const { connect, clock, log, timeZone, model } = this.#services;
    const zone =
      [conversation.timeZone, request.timeZone, timeZone].find((name) => name !== undefined && isTimeZone(name)) ??
      systemTimeZone();
    const dates = { now: clock(), zone };
    const belt = await createToolbelt({
      client: await connect(request.user),
      user: request.user.id,
      zone,
      log,
      allow: allowed,
      known: knownTasks(conversation.dialog, conversation.held),
      onCall: request.onCall,
    });
    return { request, conversation, dates, belt, model: () => model ?? createOfflineModel(conversation.dialog, dates) };
  }

  async #answer(turn: Turn): Promise<Outcome> {
    const { held } = turn.conversation;
    return held ? this.#answerHeld(turn, held) : this.#run(turn, turn.request.message, []);
  }

  /** A destructive call waits. Only a clear yes lets it through; whatever else is said, nothing is deleted. */
  async #answerHeld(turn: Turn, held: Held): Promise<Outcome> {
    const { message } = turn.request;
    const { dialog } = turn.conversation;
    const decision = decide(message, held, turn.dates);
    switch (decision.kind) {
      case 'approve':
        return this.#approve(turn, held, decision.further);
      case 'lapse':
        return this.#run(turn, message, declined(held));
      case 'ask-again':
        return { reply: held.question, items: [], dialog, held: { ...held, asked: held.asked + 1 }, usage: noUsage };
      case 'keep':
        return { reply: say.kept(titlesOf(held)), items: declined(held), dialog, held: undefined, usage: noUsage };
    }
  }

  async #approve(turn: Turn, held: Held, further: string | undefined): Promise<Outcome> {
    const approved = await this.#attempt(turn, { approved: held.state }, []);
    if (further === undefined) return approved;
    const next = await this.#run(turn, further, []);
    return { ...next, reply: `${approved.reply}\n\n${next.reply}`, items: [...approved.items, ...next.items] };
  }

  async #run(turn: Turn, message: string, before: readonly Item[]): Promise<Outcome> {
    const outcome = await this.#attempt(turn, { message }, before);
    return { ...outcome, items: [...before, ...outcome.items] };
  }

  /** One run of the loop. A model that fails is met with a friendly line; what its tools did stays done and told. */
  async #attempt(
    turn: Turn,
    input: { message: string } | { approved: string },
    before: readonly Item[],
  ): Promise<Outcome> {
    const { request, conversation, dates, belt } = turn;
    const model = turn.model();
    const isOffline = 'dialog' in model;
    const history = isOffline ? [] : await this.#conversations.items(request.user.id, conversation.id, rememberedTurns);
    try {
      const result = await runLoop({
        name: agentName,
        instructions: isOffline ? '' : instructionsFor(dates),
        model,
        tools: belt.tools,
        history: [...history, ...before],
        input,
        maxSteps,
        signal: request.signal,
        onText: request.onText,
      });
      const dialog = isOffline ? withoutKnown(model.dialog()) : { ...conversation.dialog, known: belt.known() };
      if (result.state !== undefined) return hold(result, dialog, belt, isOffline ? model.said() : '');
      return {
        reply: isOffline ? result.text : honest(result.text, belt, modelTrouble),
        items: result.items,
        dialog,
        held: undefined,
        usage: result.usage,
      };
    } catch (error) {
      if (request.signal?.aborted) throw error;
      this.#services.log.warn('the model failed', {
        model: model.name,
        error,
        ...(error instanceof LoopError ? { reason: error.reason } : {}),
      });
      const dialog = { ...conversation.dialog, pending: undefined, known: belt.known() };
      return {
        reply: [summary(belt), modelTrouble].filter(Boolean).join('\n'),
        items: [],
        dialog,
        held: undefined,
        usage: noUsage,
      };
    }
  }
}

function hold(result: LoopResult, dialog: Dialog, belt: Toolbelt, said: string): Outcome {
  const calls = result.held.map(({ callId, name, arguments: args }) => ({
    callId,
    tool: name,
    arguments: args,
    title: belt.titleOf(String(args['task_id'])) ?? 'this task',
  }));
  const held = { calls, state: result.state ?? '', asked: 1 };
  const question = say.sureDelete(titlesOf(held));
  return {
    reply: [said, question].filter(Boolean).join('\n\n'),
    items: result.items,
    dialog,
    held: { ...held, question },
    usage: result.usage,
  };
}

function knownTasks({ known, shown, focus, pending }: Dialog, held: Held | undefined): TaskReference[] {
  const heldTasks = (held?.calls ?? []).map(({ arguments: args, title }) => ({ id: String(args['task_id']), title }));
  const waiting =
    pending && 'options' in pending
      ? pending.options
      : pending && 'tasks' in pending
        ? pending.tasks
        : pending && 'task' in pending && 'id' in pending.task
          ? [pending.task]
          : [];
  return [...known, ...shown, ...focus, ...waiting, ...heldTasks];
}

/** The offline model looks every task up anew, so it need not remember what it has seen. */
function withoutKnown(dialog: Dialog): Dialog {
  return { ...dialog, known: [] };
}
