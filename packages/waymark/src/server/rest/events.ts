import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Events } from '../../kit/index.ts';
import type { RequestUser } from '../request-user.ts';

const keepAliveMs = 15_000;

/** `GET /api/events`: what happens to the caller's things, as it happens. */
export function registerEventRoutes(app: FastifyInstance, services: { events: Events; userOf: RequestUser }): void {
  app.get('/api/events', async (request, reply) => {
    const user = await services.userOf(request, reply);
    if (!user) return reply;
    const stream = openEventStream(reply);
    const unsubscribe = services.events.subscribe((event) => {
      if (event.user === user.id) stream.send(event.type, event.data);
    });
    stream.onClose(unsubscribe);
    return reply;
  });
}

export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  onClose(listener: () => void): void;
  close(): void;
}

const open = new Set<EventStream>();

/** Ends every open stream: they would otherwise keep a stopping server waiting. */
export function closeEventStreams(): void {
  for (const stream of open) stream.close();
}

/** Turns a reply into a server-sent event stream that stays open and is kept alive. */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.write(':\n\n');
  const timer = setInterval(() => raw.write(':\n\n'), keepAliveMs).unref();
  const stream: EventStream = {
    send(event, data, id) {
      if (raw.writableEnded || raw.destroyed) return;
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    onClose: (listener) => raw.once('close', listener),
    close: () => raw.end(),
  };
  open.add(stream);
  raw.once('close', () => {
    clearInterval(timer);
    open.delete(stream);
  });
  return stream;
}
