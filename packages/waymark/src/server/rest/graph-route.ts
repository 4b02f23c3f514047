import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Graphs } from '../../graph/open-graphs.ts';
import { type Scope, ToolError, type User } from '../../kit/index.ts';
import type { RequestUser } from '../request-user.ts';
import { refuse } from './refuse.ts';

export interface GraphRouteServices {
  /** Opened with the first request. */
  readonly graphs: () => Promise<Graphs>;
  readonly userOf: RequestUser;
  readonly readOnly?: boolean | undefined;
}

export interface Call {
  readonly graphs: Graphs;
  readonly user: User;
  readonly params: Readonly<Record<string, string>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gives back is the body; it may also have taken the reply over, as event streams do. */
export type Handler = (call: Call) => unknown;

/** Defines routes that know the caller, check the scope and speak of errors in one way. */
export function createRoute(app: FastifyInstance, services: GraphRouteServices) {
  return (method: Method, url: string, scope: Scope, handler: Handler): void => {
    app.route({
      method,
      url,
      async handler(request, reply) {
        const user = await services.userOf(request, reply);
        if (!user) return reply;
        try {
          if (user.scopes !== 'all' && !user.scopes.has(scope)) {
            throw new ToolError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}`, { scopes: [scope] });
          }
          if (services.readOnly && method !== 'GET') throw new ToolError('READ_ONLY', 'This server is read-only');
          const params = request.params as Record<string, string>;
          const body = await handler({ graphs: await services.graphs(), user, params, request, reply });
          return reply.sent ? reply : await reply.send(body);
        } catch (error) {
          return refuse(reply, error, statusOf);
        }
      },
    });
  };
}

const statusOf: Readonly<Record<string, number>> = {
  GRAPH_NOT_FOUND: 404,
  TOOL_NOT_FOUND: 404,
  SERVER_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  QUESTION_NOT_FOUND: 404,
  COMMAND_NOT_ALLOWED: 403,
  RUN_ACTIVE: 409,
  RUN_ENDED: 409,
  WRONG_STATE: 409,
  INVALID_GRAPH: 422,
  EXPRESSION_ERROR: 422,
  SERVER_UNAVAILABLE: 502,
};
