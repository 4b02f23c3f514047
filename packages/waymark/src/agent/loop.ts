import {
  Agent,
  type AgentInputItem,
  MaxTurnsExceededError,
  type Model,
  ModelBehaviorError,
  type ModelRequest,
  Runner,
  RunState,
  type StreamEvent,
  tool,
  Usage,
} from '@openai/agents-core';

/** The only module that knows the agent SDK. Everything else speaks the types below. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** One entry of a conversation as a model sees it. Kept in the database as it is. */
export type Item =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string; readonly extra?: JsonObject }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
      readonly extra?: JsonObject;
    }
  | { readonly kind: 'result'; readonly id: string; readonly name: string; readonly output: string };

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Whether this call waits for the person's yes. */
  needsApproval(args: JsonObject): boolean;
  /** Hidden from the model while false; asked before every step. */
  isEnabled?(): boolean;
  run(args: JsonObject, signal: AbortSignal | undefined): Promise<string>;
}

export interface ModelStep {
  readonly instructions: string;
  readonly items: readonly Item[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly signal: AbortSignal | undefined;
  readonly onText: ((delta: string) => void) | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: JsonObject;
    readonly extra?: JsonObject;
  }[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** What the provider wants back with the next request, such as signed reasoning. */
  readonly extra?: JsonObject;
}

/** A language model, or what stands in for one. */
export interface TurnModel {
  readonly name: string;
  answer(step: ModelStep): Promise<ModelAnswer>;
}

export interface LoopRequest {
  readonly name: string;
  readonly instructions: string;
  readonly model: TurnModel;
  readonly tools: readonly LoopTool[];
  readonly history: readonly Item[];
  /** A new message, or an earlier run whose held calls the person has approved. */
  readonly input: { readonly message: string } | { readonly approved: string };
  readonly maxSteps: number;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((delta: string) => void) | undefined;
}

export interface LoopResult {
  readonly text: string;
  /** What this run adds to the history; calls that are held are left out. */
  readonly items: readonly Item[];
  readonly held: readonly { readonly callId: string; readonly name: string; readonly arguments: JsonObject }[];
  /** The run, to be taken up again once the held calls are approved. */
  readonly state: string | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly requests: number };
}

/** The model went round in circles or named a tool that does not exist. */
export class LoopError extends Error {
  override readonly name = 'LoopError';
  readonly reason: 'too-many-steps' | 'bad-behaviour';

  constructor(reason: 'too-many-steps' | 'bad-behaviour', options?: ErrorOptions) {
    super(
      reason === 'too-many-steps' ? 'The model did not come to an end' : 'The model asked for something impossible',
      options,
    );
    this.reason = reason;
  }
}

const runner = new Runner({ tracingDisabled: true, traceIncludeSensitiveData: false });

/** Runs one turn: model, tools, model, … until there is an answer or a call needs approval. */
export async function runLoop(request: LoopRequest): Promise<LoopResult> {
  const agent = new Agent({
    name: request.name,
    instructions: request.instructions,
    model: adaptModel(request.model, request.onText),
    tools: request.tools.map((one) => adaptTool(one, request.signal)),
  });
  const before = request.history.length + ('message' in request.input ? 1 : 0);
  const options = { maxTurns: request.maxSteps, ...(request.signal ? { signal: request.signal } : {}) };
  try {
    const result =
      'approved' in request.input
        ? await runner.run(agent, await approvedState(agent, request.input.approved), options)
        : await runner.run(
            agent,
            toInput([...request.history, { kind: 'user', text: request.input.message }]),
            options,
          );
    const held = result.interruptions.map(({ rawItem }) => ({
      callId: 'callId' in rawItem ? String(rawItem.callId) : '',
      name: 'name' in rawItem ? String(rawItem.name) : '',
      arguments: parseArguments('arguments' in rawItem ? String(rawItem.arguments) : ''),
    }));
    const heldIds = new Set(held.map(({ callId }) => callId));
    const items = fromInput(result.history).slice('message' in request.input ? before : 0);
    const own = items.filter((item) => item.kind !== 'user' && !(item.kind === 'call' && heldIds.has(item.id)));
    const { usage } = result.state;
    return {
      text: own.findLast((item) => item.kind === 'assistant')?.text ?? '',
      items: own,
      held,
      state: held.length > 0 ? result.state.toString() : undefined,
      usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, requests: usage.requests },
    };
  } catch (error) {
    if (error instanceof MaxTurnsExceededError) throw new LoopError('too-many-steps', { cause: error });
    if (error instanceof ModelBehaviorError) throw new LoopError('bad-behaviour', { cause: error });
    throw error;
  }
}

async function approvedState(agent: Agent, stored: string) {
  const state = await RunState.fromString(agent, stored);
  for (const item of state.getInterruptions()) state.approve(item);
  return state;
}

function adaptTool(definition: LoopTool, signal: AbortSignal | undefined) {
  return tool({
    name: definition.name,
    description: definition.description,
    parameters: { ...definition.parameters, type: 'object', additionalProperties: true } as never,
    strict: false,
    needsApproval: async (_context: unknown, input: unknown) => definition.needsApproval(input as JsonObject),
    ...(definition.isEnabled ? { isEnabled: () => definition.isEnabled?.() ?? true } : {}),
    errorFunction: () => JSON.stringify({ success: false, error: { code: 'INVALID_ARGUMENTS' } }),
    execute: (input: unknown) => definition.run((input ?? {}) as JsonObject, signal),
  });
}

function adaptModel(model: TurnModel, onText: ((delta: string) => void) | undefined): Model {
  return {
    async getResponse(request: ModelRequest) {
      const answer = await model.answer({
        instructions: request.systemInstructions ?? '',
        items: typeof request.input === 'string' ? [{ kind: 'user', text: request.input }] : fromInput(request.input),
        tools: request.tools.flatMap((one) =>
          one.type === 'function'
            ? [{ name: one.name, description: one.description, parameters: one.parameters as unknown as JsonObject }]
            : [],
        ),
        signal: request.signal,
        onText,
      });
      const { inputTokens = 0, outputTokens = 0 } = answer.usage ?? {};
      return {
        usage: new Usage({ requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }),
        output: toOutput(answer),
      };
    },
    // The runner is never asked to stream: text reaches the caller through `onText`.
    // eslint-disable-next-line require-yield
    async *getStreamedResponse(): AsyncIterable<StreamEvent> {
      throw new Error('not used');
    },
  };
}

function toOutput({ text, calls, extra }: ModelAnswer) {
  const message = {
    type: 'message' as const,
    role: 'assistant' as const,
    status: 'completed' as const,
    content: [{ type: 'output_text' as const, text }],
    ...(extra ? { providerData: { ...extra } } : {}),
  };
  const made = calls.map((call) => ({
    type: 'function_call' as const,
    callId: call.id,
    name: call.name,
    status: 'completed' as const,
    arguments: JSON.stringify(call.arguments),
    ...(call.extra ? { providerData: { ...call.extra } } : {}),
  }));
  return text || made.length === 0 || extra ? [message, ...made] : made;
}

function toInput(items: readonly Item[]): AgentInputItem[] {
  return items.map((item): AgentInputItem => {
    switch (item.kind) {
      case 'user':
        return { type: 'message', role: 'user', content: item.text };
      case 'assistant':
        return {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: item.text }],
          ...(item.extra ? { providerData: { ...item.extra } } : {}),
        };
      case 'call':
        return {
          type: 'function_call',
          callId: item.id,
          name: item.name,
          status: 'completed',
          arguments: JSON.stringify(item.arguments),
          ...(item.extra ? { providerData: { ...item.extra } } : {}),
        };
      case 'result':
        return {
          type: 'function_call_result',
          callId: item.id,
          name: item.name,
          status: 'completed',
          output: { type: 'text', text: item.output },
        };
    }
  });
}

function fromInput(items: readonly AgentInputItem[]): Item[] {
  return items.flatMap((item): Item[] => {
    if (item.type === 'function_call') {
      const extra = item.providerData as JsonObject | undefined;
      return [
        {
          kind: 'call',
          id: item.callId,
          name: item.name,
          arguments: parseArguments(item.arguments),
          ...(extra ? { extra } : {}),
        },
      ];
    }
    if (item.type === 'function_call_result') {
      return [{ kind: 'result', id: item.callId, name: item.name, output: textOf(item.output) }];
    }
    if (!('role' in item) || item.role === 'system') return [];
    const text = textOf(item.content);
    const extra = item.providerData as JsonObject | undefined;
    return item.role === 'user' ? [{ kind: 'user', text }] : [{ kind: 'assistant', text, ...(extra ? { extra } : {}) }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content === 'object' && content !== null && 'text' in content) return String(content.text);
  return '';
}

function parseArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
