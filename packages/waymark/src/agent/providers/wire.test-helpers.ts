import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a scripted model says in one answer. */
export interface Line {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** Answer with this status instead. */
  readonly status?: number;
  /** Take the request and never answer. */
  readonly silent?: boolean;
  /** Break off in the middle of the answer. */
  readonly broken?: boolean;
}

/** Decides what to say from the request as it came over the wire. */
export type Script = (body: Record<string, unknown>, request: number) => Line;

export interface ProviderServer {
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: Record<string, unknown>;
  }[];
  close(): Promise<void>;
}

type Wire = 'openai' | 'anthropic' | 'google' | 'chat';

/** A server on this machine that speaks a provider's streaming wire. */
export async function serveProvider(wire: Wire, script: Script): Promise<ProviderServer> {
  const requests: { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      answer(wire, script(body, requests.length), response, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(wire: Wire, line: Line, response: ServerResponse, count: number): void {
  if (line.silent) return;
  if (line.status !== undefined) {
    response.writeHead(line.status, {
      'content-type': 'application/json',
      ...(line.status === 429 ? { 'retry-after': '20' } : {}),
    });
    response.end(JSON.stringify(errorBody(wire, line.status)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = { openai: openaiEvents, anthropic: anthropicEvents, google: googleEvents, chat: chatEvents }[wire](
    line,
    count,
  );
  if (line.broken) {
    response.write(events[0]);
    response.destroy();
    return;
  }
  for (const event of events) response.write(event);
  response.end();
}

function errorBody(wire: Wire, status: number): unknown {
  const message = `secret internal detail of status ${status} at 10.0.0.7`;
  if (wire === 'anthropic')
    return { type: 'error', error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message } };
  if (wire === 'google') return { error: { code: status, message, status: 'UNAVAILABLE' } };
  return { error: { message, type: 'server_error', param: null, code: null } };
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (name: string, value: object) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...value })}\n\n`;
const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)].filter(Boolean);

/** The Responses API of OpenAI. */
function openaiEvents({ text, calls = [] }: Line, count: number): string[] {
  const events = [
    data({
      type: 'response.created',
      response: { id: `resp_${count}`, created_at: 1, model: 'test', service_tier: null },
    }),
  ];
  let index = 0;
  if (text) {
    const id = `msg_${count}`;
    events.push(
      data({ type: 'response.output_item.added', output_index: index, item: { type: 'message', id, phase: null } }),
      ...halves(text).map((delta) =>
        data({
          type: 'response.output_text.delta',
          item_id: id,
          output_index: index,
          content_index: 0,
          delta,
          logprobs: null,
        }),
      ),
      data({ type: 'response.output_item.done', output_index: index, item: { type: 'message', id, phase: null } }),
    );
    index++;
  }
  for (const [position, call] of calls.entries()) {
    const item = {
      type: 'function_call',
      id: `fc_${count}_${position}`,
      call_id: `call_${count}_${position}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    };
    events.push(
      data({ type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '' } }),
      ...halves(item.arguments).map((delta) =>
        data({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index: index, delta }),
      ),
      data({ type: 'response.output_item.done', output_index: index, item: { ...item, status: 'completed' } }),
    );
    index++;
  }
  events.push(
    data({
      type: 'response.completed',
      response: {
        incomplete_details: null,
        usage: {
          input_tokens: 11,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 0 },
        },
        service_tier: null,
      },
    }),
  );
  return events;
}

/** The Messages API of Anthropic. */
function anthropicEvents({ text, calls = [] }: Line, count: number): string[] {
  const events = [
    named('message_start', {
      message: {
        id: `msg_${count}`,
        type: 'message',
        role: 'assistant',
        model: 'test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    }),
  ];
  let index = 0;
  if (text) {
    events.push(
      named('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      ...halves(text).map((piece) =>
        named('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
      ),
      named('content_block_stop', { index }),
    );
    index++;
  }
  for (const [position, call] of calls.entries()) {
    events.push(
      named('content_block_start', {
        index,
        content_block: { type: 'tool_use', id: `toolu_${count}_${position}`, name: call.name, input: {} },
      }),
      ...halves(JSON.stringify(call.arguments)).map((piece) =>
        named('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } }),
      ),
      named('content_block_stop', { index }),
    );
    index++;
  }
  events.push(
    named('message_delta', {
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    named('message_stop', {}),
  );
  return events;
}

/** `streamGenerateContent` of Google. */
function googleEvents({ text, calls = [] }: Line): string[] {
  const chunk = (parts: unknown[], finishReason?: string) =>
    data({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason ? { finishReason } : {}) }],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    });
  return [
    ...halves(text ?? '').map((piece) => chunk([{ text: piece }])),
    ...calls.map((call) =>
      chunk([{ functionCall: { name: call.name, args: call.arguments }, thoughtSignature: 'sig-1' }]),
    ),
    chunk([{ text: '' }], 'STOP'),
  ];
}

/** Chat completions, as Ollama, vLLM and LM Studio serve them. */
function chatEvents({ text, calls = [] }: Line, count: number): string[] {
  const chunk = (delta: unknown, finish: string | null = null) =>
    data({
      id: `chat_${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return [
    ...halves(text ?? '').map((content) => chunk({ role: 'assistant', content })),
    ...calls.flatMap((call, index) => {
      const [first = '', second = ''] = halves(JSON.stringify(call.arguments));
      return [
        chunk({
          tool_calls: [
            { index, id: `call_${count}_${index}`, type: 'function', function: { name: call.name, arguments: first } },
          ],
        }),
        ...(second ? [chunk({ tool_calls: [{ index, function: { arguments: second } }] })] : []),
      ];
    }),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    data({
      id: `chat_${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    }),
    'data: [DONE]\n\n',
  ];
}
