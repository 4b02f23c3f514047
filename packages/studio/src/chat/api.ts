import { useQuery } from '@tanstack/react-query';
import { api, ApiError } from '../api/http.ts';

export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
}

export interface Turn {
  readonly message: string;
  readonly reply: string;
  readonly calls: readonly ToolCall[];
  readonly model?: string;
}

export interface Answer {
  readonly conversation_id: string;
  readonly reply: string;
  readonly calls: readonly ToolCall[];
  readonly pending?: { readonly tool: string; readonly tasks: readonly string[] };
}

export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly waiting: boolean;
  readonly updated_at: string;
}

export function useConversations() {
  return useQuery({
    queryKey: ['conversations'],
    queryFn: ({ signal }) => api.get<{ conversations: Conversation[] }>('/api/chat/conversations', signal),
  });
}

export function useHistory(conversation: string | undefined) {
  return useQuery({
    queryKey: ['conversations', conversation],
    queryFn: ({ signal }) => api.get<{ turns: Turn[] }>(`/api/chat/conversations/${conversation}`, signal),
    enabled: conversation !== undefined,
  });
}

export interface TurnListener {
  readonly onCall: (call: ToolCall) => void;
  readonly onText: (text: string) => void;
}

/** Sends a message and tells what happens as it happens. */
export async function sendMessage(
  message: string,
  conversation: string | undefined,
  listener: TurnListener,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      message,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(conversation ? { conversation_id: conversation } : {}),
    }),
    signal,
  });
  if (!response.ok || !response.body)
    throw new ApiError(response.status, 'UNAVAILABLE', 'The agent does not answer.', {});
  for await (const { event, data } of readEvents(response.body)) {
    if (event === 'call') listener.onCall(data as ToolCall);
    else if (event === 'delta') listener.onText((data as { text: string }).text);
    else if (event === 'done') return data as Answer;
    else if (event === 'error') {
      const { code, message: text } = (data as { error: { code: string; message: string } }).error;
      throw new ApiError(503, code, text, {});
    }
  }
  throw new ApiError(0, 'OFFLINE', 'The connection broke before the answer came.', {});
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += value;
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const [event, data] = [field('event'), field('data')];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as unknown };
    }
  }
}
