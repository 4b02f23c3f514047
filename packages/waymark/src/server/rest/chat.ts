import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TaskAgent, TurnAnswer } from '../../agent/index.ts';
import type { User } from '../../kit/index.ts';
import type { RequestUser } from '../request-user.ts';
import { openEventStream } from './events.ts';

export interface ChatRouteServices {
  /** Made with the first request. */
  readonly agent: () => Promise<TaskAgent>;
  readonly userOf: RequestUser;
}

const chatBody = z.object({
  message: z.string().trim().min(1).max(20_000),
  conversation_id: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w.:@-]+$/, 'letters, digits and . : @ _ - only')
    .optional(),
  time_zone: z.string().max(100).optional(),
});

/**
 * `POST /api/chat` answers a message, as JSON or, for `Accept: text/event-stream`, as events
 * (`call`, `delta`, then `done` or `error`). Conversations are listed and read below
 * `/api/chat/conversations`.
 */
export function registerChatRoutes(app: FastifyInstance, services: ChatRouteServices): void {
  app.post('/api/chat', async (request, reply) => {
    const user = await services.userOf(request, reply);
    if (!user) return reply;
    const body = chatBody.safeParse(request.body);
    if (!body.success) {
      const [issue] = body.error.issues;
      return refuse(reply, 400, 'INVALID_INPUT', `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'invalid'}`);
    }
    const agent = await services.agent();
    const wantsEvents = request.headers.accept?.includes('text/event-stream') ?? false;
    return wantsEvents
      ? streamAnswer(agent, user, body.data, request, reply)
      : sendAnswer(agent, user, body.data, reply);
  });

  app.get('/api/chat/conversations', async (request, reply) => {
    const user = await services.userOf(request, reply);
    if (!user) return reply;
    return { conversations: await (await services.agent()).conversations(user) };
  });

  app.get<{ Params: { id: string } }>('/api/chat/conversations/:id', async (request, reply) => {
    const user = await services.userOf(request, reply);
    if (!user) return reply;
    const turns = await (await services.agent()).history(user, request.params.id);
    return turns
      ? { conversation_id: request.params.id, turns }
      : refuse(reply, 404, 'NOT_FOUND', 'There is no such conversation.');
  });

  app.delete<{ Params: { id: string } }>('/api/chat/conversations/:id', async (request, reply) => {
    const user = await services.userOf(request, reply);
    if (!user) return reply;
    const removed = await (await services.agent()).forget(user, request.params.id);
    return removed ? reply.code(204).send() : refuse(reply, 404, 'NOT_FOUND', 'There is no such conversation.');
  });
}

type ChatBody = z.infer<typeof chatBody>;

function requestOf(user: User, { message, conversation_id, time_zone }: ChatBody) {
  return { user, message, conversation: conversation_id, timeZone: time_zone };
}

function bodyOf({ conversation, reply, calls, pending }: TurnAnswer) {
  return { conversation_id: conversation, reply, calls, ...(pending ? { pending } : {}) };
}

async function sendAnswer(agent: TaskAgent, user: User, body: ChatBody, reply: FastifyReply): Promise<FastifyReply> {
  try {
    return await reply.send(bodyOf(await agent.turn(requestOf(user, body))));
  } catch (error) {
    const { status, code, message } = problemOf(error, reply);
    return refuse(reply, status, code, message);
  }
}

async function streamAnswer(
  agent: TaskAgent,
  user: User,
  body: ChatBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const stream = openEventStream(reply);
  const gone = new AbortController();
  request.raw.once('close', () => {
    if (request.raw.destroyed && !reply.raw.writableEnded && reply.raw.destroyed) gone.abort();
  });
  try {
    const answer = await agent.turn({
      ...requestOf(user, body),
      signal: gone.signal,
      onCall: (call) => stream.send('call', call),
      onText: (text) => stream.send('delta', { text }),
    });
    stream.send('done', bodyOf(answer));
  } catch (error) {
    const { code, message } = problemOf(error, reply);
    stream.send('error', { error: { code, message } });
  }
  stream.close();
  return reply;
}

function problemOf(error: unknown, reply: FastifyReply): { status: number; code: string; message: string } {
  if (error instanceof Error && error.name === 'ConversationBusyError')
    return { status: 409, code: 'BUSY', message: error.message };
  reply.log.error(error);
  return { status: 503, code: 'UNAVAILABLE', message: "I'm having trouble right now. Please try again." };
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ error: { code, message } });
}
