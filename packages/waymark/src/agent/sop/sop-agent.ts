import type { Client } from '@modelcontextprotocol/client';
import type { Logger, User } from '../../kit/index.ts';
import type { Store } from '../../store/index.ts';
import { ConversationStore, type Held, type OpenConversation } from '../conversation-store.ts';
import { declined } from '../held-calls.ts';
import { type Item, runLoop, type TurnModel } from '../loop.ts';
import type { CallRecord } from '../model.ts';
import { createPlannedModel } from '../offline/planned-model.ts';
import type { Outcome } from '../offline/plan.ts';
import { readConfirmation } from '../understanding/index.ts';
import { follow, followAfter, type FollowerDesk } from './follower.ts';
import { emptySopDialog, type Procedure, type SopDialog } from './model.ts';
import { createSopTools, loadProcedure, type SopTools, type ToolServer } from './sop-tools.ts';

export interface SopAgentServices {
  readonly store: () => Promise<Store>;
  /** A client on the sop tools: load_graph, goto_node, todo. */
  readonly sop: Client;
  readonly file: string;
  readonly servers: readonly ToolServer[];
  readonly model?: TurnModel | undefined;
  readonly clock: () => Date;
  readonly randomId: () => string;
  readonly log: Logger;
}

export interface SopTurn {
  readonly conversation: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  readonly node: string | undefined;
}

const maxSteps = 80;
const rememberedTurns = 40;
const trouble = "I'm having trouble answering right now. Please try again in a moment.";
const rules = `

## How you work here

- Move with goto_node along the edges, starting at the entry node; write the requests of the user down with todo first.
- Do what the current node says, with the tools it lists. No other tools exist at this point.
- A call that changes something is put to the user for confirmation by itself; do not ask twice.
- When a tool fails, say so kindly, without technical details, and do not call it again on your own.`;

/** An agent that follows one SOP file, with a language model or by rules alone. */
export class SopAgent {
  readonly #services: SopAgentServices;
  readonly #conversations: ConversationStore;

  constructor(services: SopAgentServices) {
    this.#services = services;
    this.#conversations = new ConversationStore(services.store);
  }

  get modelName(): string {
    return this.#services.model?.name ?? 'offline';
  }

  async turn(request: {
    readonly user: User;
    readonly message: string;
    readonly conversation?: string | undefined;
    readonly onCall?: (call: CallRecord) => void;
    readonly onText?: (text: string) => void;
  }): Promise<SopTurn> {
    const { randomId, clock, sop, file, servers, log } = this.#services;
    const id = request.conversation ?? randomId();
    const opened = await this.#conversations.open(request.user.id, id, randomId(), emptySopDialog);
    if (!opened) throw new Error('This conversation is still being answered. Please try again.');
    const started = performance.now();
    try {
      const { procedure, handle } = await loadProcedure(sop, file, opened.dialog.handle);
      const tools = await createSopTools({
        sop,
        handle,
        servers,
        position: opened.dialog.position,
        log,
        onCall: request.onCall,
      });
      const dialog = { ...opened.dialog, handle };
      const outcome = await this.#answer({ ...opened, dialog }, procedure, tools, request);
      const finished = {
        ...outcome,
        message: request.message,
        calls: tools.calls,
        model: this.modelName,
        at: clock(),
        durationMs: performance.now() - started,
      };
      await this.#conversations.finish(request.user.id, `sop:${procedure.agent}`, opened, finished);
      return { conversation: id, reply: outcome.reply, calls: tools.calls, node: outcome.dialog.position?.id };
    } catch (error) {
      await this.#conversations.release(request.user.id, opened).catch(() => undefined);
      throw error;
    }
  }

  async #answer(
    { dialog, held, id }: OpenConversation<SopDialog>,
    procedure: Procedure,
    tools: SopTools,
    request: { readonly user: User; readonly message: string; readonly onText?: (text: string) => void },
  ): Promise<{ reply: string; items: readonly Item[]; dialog: SopDialog; held: Held | undefined }> {
    const verdict = held ? readConfirmation(request.message) : undefined;
    if (held && verdict !== 'yes') {
      if (verdict === 'unclear' && held.asked < 2)
        return { reply: held.question, items: [], dialog, held: { ...held, asked: held.asked + 1 } };
      const reply = 'Okay, I have not done that. What would you like to do instead?';
      return { reply, items: declined(held), dialog: { ...dialog, question: { kind: 'again' } }, held: undefined };
    }
    const desk: FollowerDesk = {
      dialog,
      procedure,
      tools: this.#services.servers.flatMap((server) => server.tools),
      said: [],
    };
    const model = this.#services.model ?? followerModel(desk);
    const isOffline = this.#services.model === undefined;
    try {
      const result = await runLoop({
        name: 'sop',
        instructions: isOffline ? '' : procedure.systemPrompt + rules,
        model,
        tools: tools.tools,
        history: isOffline ? [] : await this.#conversations.items(request.user.id, id, rememberedTurns),
        input: held ? { approved: held.state } : { message: request.message },
        maxSteps,
        onText: request.onText,
      });
      const after = { ...(isOffline ? desk.dialog : dialog), position: tools.position() };
      if (result.state === undefined)
        return { reply: result.text || trouble, items: result.items, dialog: after, held: undefined };
      const calls = result.held.map(({ callId, name, arguments: args }) => ({
        callId,
        tool: name,
        arguments: args,
        title: name,
      }));
      const question = `I am about to ${calls.map(describeCall).join(', and to ')}. Shall I go ahead?`;
      const reply = [...desk.said.splice(0), question].join('\n');
      return { reply, items: result.items, dialog: after, held: { calls, state: result.state, question, asked: 1 } };
    } catch (error) {
      this.#services.log.warn('the model failed', { error });
      return { reply: trouble, items: [], dialog: { ...dialog, position: tools.position() }, held: undefined };
    }
  }
}

function followerModel(desk: FollowerDesk): TurnModel {
  return createPlannedModel({
    name: 'offline',
    start: (message) => follow(desk, message),
    resume: (outcomes) => followAfter(desk, outcomes),
    read: readSopOutcome,
  });
}

function readSopOutcome(output: string): Outcome {
  try {
    const data = JSON.parse(output) as Record<string, unknown>;
    const ok = data['error'] === undefined && data['valid'] !== false && data['success'] !== false;
    return { ok, data, code: ok ? undefined : 'REFUSED' };
  } catch {
    return { ok: false, data: {}, code: 'MALFORMED' };
  }
}

function describeCall({ tool, arguments: args }: Held['calls'][number]): string {
  const details = Object.entries(args).map(
    ([name, value]) => `${name.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return `${tool.replaceAll('_', ' ')}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}
