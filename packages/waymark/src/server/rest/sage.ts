import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Events, type Scope, ToolError } from '../../kit/index.ts';
import type { Circumstances, Generate } from '../../sage/index.ts';
import type { Store } from '../../store/index.ts';
import type { RequestUser } from '../request-user.ts';
import { tutorModel } from '../tutor-model.ts';
import { version } from '../version.ts';
import { describeSageApi } from './sage-openapi.ts';
import { type SageParts, type SageRoute, sageRoutes } from './sage-routes.ts';

export interface SageRouteServices {
  readonly store: () => Promise<Store>;
  readonly events: Events;
  readonly userOf: RequestUser;
  readonly clock?: (() => Date) | undefined;
  readonly readOnly?: boolean | undefined;
  readonly packs?: string | undefined;
  readonly generate?: Generate | undefined;
}

/** The tutor over REST: the paths the widgets' hosts and scripts may call, described at `/api/openapi.json`. */
export function registerSageRoutes(app: FastifyInstance, services: SageRouteServices): void {
  let loaded: Promise<SageParts> | undefined;
  const load = () =>
    (loaded ??= import('../../sage/index.ts').then(({ createSage }) => ({
      sage: createSage({ ...services, generate: services.generate ?? tutorModel() }),
    })));

  app.get('/api/openapi.json', () => describeSageApi(sageRoutes, version));
  for (const route of sageRoutes) {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      async handler(request, reply) {
        const user = await services.userOf(request, reply);
        if (!user) return reply;
        try {
          requireScope(route, user.scopes);
          if (services.readOnly && route.method !== 'GET') throw new ToolError('READ_ONLY', 'This server is read-only');
          const circumstances = circumstancesOf(request, user.id, services.clock?.() ?? new Date());
          const input = {
            params: withoutNulls(request.params as Record<string, string>),
            query: route.query ? route.query.parse(request.query) : {},
            body: route.body ? route.body.parse(request.body ?? {}) : {},
          };
          const answer = await route.handle(input as never, circumstances, await load());
          return await reply.code(route.status ?? 200).send(answer);
        } catch (error) {
          return refuse(reply, error);
        }
      },
    });
  }
}

/** No id has a null character in it, and the store would choke on one. */
function withoutNulls(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '')]));
}

function requireScope({ scope }: SageRoute, granted: ReadonlySet<Scope> | 'all'): void {
  if (granted === 'all' || granted.has(scope)) return;
  throw new ToolError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}`, { scopes: [scope] });
}

function circumstancesOf(request: FastifyRequest, userId: string, now: Date): Circumstances {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const signal = new AbortController();
  request.raw.once('close', () => {
    if (request.raw.destroyed && !request.raw.complete) signal.abort();
  });
  return {
    userId,
    now,
    randomId: () => randomBytes(18).toString('base64url'),
    clientZone: header('x-time-zone'),
    requestKey: header('idempotency-key')?.slice(0, 200),
    signal: signal.signal,
  };
}

const statusOf: Readonly<Record<string, number>> = {
  SESSION_NOT_FOUND: 404,
  PRACTICE_NOT_FOUND: 404,
  SCENARIO_NOT_FOUND: 404,
  OUTCOME_NOT_FOUND: 404,
  LEARNER_NOT_FOUND: 404,
  SESSION_ENDED: 409,
  PRACTICE_ENDED: 409,
  PRACTICE_UNSAFE: 409,
  INSUFFICIENT_SCOPE: 403,
  READ_ONLY: 403,
  ENGINE_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
};

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof z.ZodError) {
    const issues = error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
    const message = issues.map(({ path, message: text }) => [path, text].filter(Boolean).join(': ')).join('; ');
    return reply.code(422).send({ error: 'INVALID_ARGUMENT', message, issues });
  }
  if (!(error instanceof ToolError)) {
    reply.log.error(error);
    return reply.code(500).send({ error: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' });
  }
  const { code, message, details } = error;
  if (code === 'INSUFFICIENT_SCOPE') {
    const scopes = (details['scopes'] as string[]).join(' ');
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scopes}"`);
  }
  return reply.code(statusOf[code] ?? 400).send({ error: code, message, ...details });
}
