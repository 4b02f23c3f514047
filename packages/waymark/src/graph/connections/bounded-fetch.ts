import { BoundedLines } from './bounded-lines.ts';
import { replyToOversized, tooLarge } from './replies.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Bounds what a server may send for one message, and gives every request a signal of its own: the
 * SDK shares one per transport, and each request would leave a listener on it.
 */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (url, init = {}) => {
    const own = linkedSignal(init.signal ?? undefined);
    let response: Response;
    try {
      response = await fetch(url, { ...init, signal: own.signal });
    } catch (error) {
      own.release();
      throw error;
    }
    if (!response.body) {
      own.release();
      return response;
    }
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = isStream
      ? response.body.pipeThrough(boundEvents(maxBytes, own.release))
      : response.body.pipeThrough(boundBody(maxBytes, requestId(init.body), own.release));
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(body, { status: response.status, statusText: response.statusText, headers });
  };
}

function linkedSignal(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, release: () => outer?.removeEventListener('abort', abort) };
}

function requestId(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const message = JSON.parse(body) as { id?: string | number };
    return message.id;
  } catch {
    return undefined;
  }
}

/** Holds a plain body back until it is known to fit; what does not fit is replaced by an error for its call. */
function boundBody(maxBytes: number, id: string | number | undefined, done: () => void) {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      done();
      if (id === undefined) controller.error(new Error(`The response is larger than the limit of ${maxBytes} bytes`));
      else controller.enqueue(encode(JSON.stringify(tooLarge(id, bytes, maxBytes))));
      controller.terminate();
    },
    flush(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      done();
    },
  });
}

function boundEvents(maxBytes: number, done: () => void) {
  const lines = new BoundedLines(maxBytes);
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (const line of lines.push(chunk)) {
        if (typeof line === 'string') {
          controller.enqueue(encode(`${line}\n`));
          continue;
        }
        const reply = replyToOversized(line, maxBytes);
        if (reply) controller.enqueue(encode(`data: ${JSON.stringify(reply)}\n`));
      }
    },
    flush: done,
  });
}

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text);
