import type {
  LanguageModelV3,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCallPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { Item, JsonObject, ModelAnswer, ModelStep, TurnModel } from '../loop.ts';

export interface ModelSettings {
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** How long one answer may take. */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 60_000;

/** Any model of an AI SDK provider as a model of our loop. Always streamed; never tried twice. */
export function adaptLanguageModel(name: string, model: LanguageModelV3, settings: ModelSettings): TurnModel {
  return {
    name,
    async answer(step) {
      const timeout = AbortSignal.timeout(settings.timeoutMs ?? defaultTimeoutMs);
      const { stream } = await model.doStream({
        prompt: toPrompt(step),
        tools: step.tools.map((tool) => ({
          type: 'function' as const,
          name: tool.name,
          description: tool.description,
          inputSchema: tool.parameters as never,
        })),
        ...(step.tools.length > 0 ? { toolChoice: { type: 'auto' as const } } : {}),
        ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
        ...(settings.maxTokens === undefined ? {} : { maxOutputTokens: settings.maxTokens }),
        abortSignal: step.signal ? AbortSignal.any([step.signal, timeout]) : timeout,
        // Nothing of a conversation is kept with a provider that would keep it by default.
        providerOptions: { openai: { store: false } },
      });
      return collect(stream, step.onText);
    },
  };
}

interface Reasoning {
  text: string;
  readonly metadata?: SharedV3ProviderMetadata;
}

async function collect(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  onText: ModelStep['onText'],
): Promise<ModelAnswer> {
  let text = '';
  let usage = { inputTokens: 0, outputTokens: 0 };
  const calls: { id: string; name: string; arguments: JsonObject; extra?: JsonObject }[] = [];
  const reasoning = new Map<string, Reasoning>();
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
    switch (part.type) {
      case 'text-delta':
        text += part.delta;
        onText?.(part.delta);
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const before = reasoning.get(part.id) ?? { text: '' };
        const metadata = part.providerMetadata ?? before.metadata;
        const delta = part.type === 'reasoning-delta' ? part.delta : '';
        reasoning.set(part.id, { text: before.text + delta, ...(metadata ? { metadata } : {}) });
        break;
      }
      case 'tool-call':
        calls.push({
          id: part.toolCallId,
          name: part.toolName,
          arguments: readArguments(part.input),
          ...(part.providerMetadata ? { extra: { metadata: part.providerMetadata } } : {}),
        });
        break;
      case 'finish':
        usage = { inputTokens: part.usage.inputTokens.total ?? 0, outputTokens: part.usage.outputTokens.total ?? 0 };
        break;
      case 'error':
        throw part.error instanceof Error
          ? part.error
          : new Error('the model reported an error', { cause: part.error });
      default:
        break;
    }
  }
  const thoughts = [...reasoning.values()].filter((one) => one.metadata !== undefined);
  return { text, calls, usage, ...(thoughts.length > 0 ? { extra: { reasoning: thoughts } } : {}) };
}

function readArguments(input: string): JsonObject {
  try {
    const value: unknown = JSON.parse(input || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** One message per side: an assistant's words and calls stand together, and so do their results. */
function toPrompt({ instructions, items }: ModelStep): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = instructions ? [{ role: 'system', content: instructions }] : [];
  for (const item of items) {
    const last = messages.at(-1);
    switch (item.kind) {
      case 'user':
        messages.push({ role: 'user', content: [{ type: 'text', text: item.text }] });
        break;
      case 'assistant': {
        const content = [...reasoningOf(item), ...(item.text ? [{ type: 'text' as const, text: item.text }] : [])];
        if (content.length > 0) messages.push({ role: 'assistant', content });
        break;
      }
      case 'call':
        if (last?.role === 'assistant') last.content.push(callPart(item));
        else messages.push({ role: 'assistant', content: [callPart(item)] });
        break;
      case 'result': {
        const part = {
          type: 'tool-result' as const,
          toolCallId: item.id,
          toolName: item.name,
          output: { type: 'text' as const, value: item.output },
        };
        if (last?.role === 'tool') last.content.push(part);
        else messages.push({ role: 'tool', content: [part] });
        break;
      }
    }
  }
  return messages;
}

function reasoningOf({ extra }: Item & { kind: 'assistant' }) {
  const thoughts = (extra?.['reasoning'] ?? []) as readonly Reasoning[];
  return thoughts.map(({ text, metadata }) => ({
    type: 'reasoning' as const,
    text,
    ...(metadata ? { providerOptions: metadata } : {}),
  }));
}

function callPart({ id, name, arguments: args, extra }: Item & { kind: 'call' }): LanguageModelV3ToolCallPart {
  const metadata = extra?.['metadata'] as SharedV3ProviderMetadata | undefined;
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: args,
    ...(metadata ? { providerOptions: metadata } : {}),
  };
}
