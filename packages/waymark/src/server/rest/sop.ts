import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Scope, ToolError, type User } from '../../kit/index.ts';
import type { SopReview, SopToolsetServices } from '../../sop/index.ts';
import type { RequestUser } from '../request-user.ts';
import { refuse } from './refuse.ts';

export interface SopRouteServices extends SopToolsetServices {
  readonly userOf: RequestUser;
  readonly readOnly?: boolean | undefined;
  /** Where everybody has files of their own. */
  readonly runAs?: ((userId: string, work: () => Promise<unknown>) => Promise<unknown>) | undefined;
}

const fileQuery = z.object({ file: z.string().min(1) });
const listQuery = z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) });
const checkBody = z.strictObject({ source: z.string().max(2_000_000) });
const editBody = z.strictObject({
  file: z.string().min(1),
  content_hash: z.string(),
  edits: z
    .array(
      z.union([
        z.strictObject({ node: z.string(), label: z.string().min(1).max(2000) }),
        z.strictObject({ node: z.string(), prompt: z.string().min(1).max(100_000) }),
        z.strictObject({
          from: z.string(),
          to: z.string(),
          condition: z.string().nullable().optional(),
          label: z.string().min(1).max(2000).nullable(),
        }),
      ]),
    )
    .min(1)
    .max(100),
});

interface Call {
  readonly request: FastifyRequest;
  readonly user: User;
  readonly review: SopReview;
  readonly signal: AbortSignal;
}

/** `/api/sop`: procedures and conversations for the studio. What happens is seen live on `/api/events`. */
export function registerSopRoutes(app: FastifyInstance, services: SopRouteServices): void {
  let loaded: Promise<SopReview> | undefined;
  const load = () =>
    (loaded ??= import('../../sop/index.ts')
      .then((sop) => sop.createSopReview(services))
      .catch((error: unknown) => {
        loaded = undefined;
        throw error;
      }));

  function route(method: 'GET' | 'POST', url: string, scope: Scope, handler: (call: Call) => Promise<unknown>): void {
    app.route({
      method,
      url,
      async handler(request, reply) {
        const user = await services.userOf(request, reply);
        if (!user) return reply;
        try {
          if (user.scopes !== 'all' && !user.scopes.has(scope)) {
            throw new ToolError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}`);
          }
          const aborted = new AbortController();
          reply.raw.once('close', () => aborted.abort());
          const review = await load();
          const work = () => handler({ request, user, review, signal: aborted.signal });
          return await (services.runAs?.(user.id, work) ?? work());
        } catch (error) {
          return refuse(reply, error, statusOf);
        }
      },
    });
  }

  route('GET', '/api/sop/files', 'sop:run', async ({ review }) => ({ files: await review.files() }));
  route('GET', '/api/sop/file', 'sop:run', ({ request, review, signal }) =>
    review.read(fileQuery.parse(request.query).file, signal),
  );
  route('GET', '/api/sop/coverage', 'sop:run', ({ request, review, user, signal }) =>
    review.coverage(user.id, fileQuery.parse(request.query).file, signal),
  );
  route('GET', '/api/sop/conversations', 'sop:run', ({ request, review, user }) =>
    review.conversations(user.id, listQuery.parse(request.query).limit),
  );
  route('GET', '/api/sop/conversations/:id', 'sop:run', ({ request, review, user }) =>
    review.conversation(user.id, idOf(request)),
  );
  route('GET', '/api/sop/conversations/:id/replay', 'sop:run', ({ request, review, user, signal }) =>
    review.replay(user.id, idOf(request), fileQuery.parse(request.query).file, signal),
  );
  route('POST', '/api/sop/check', 'sop:run', async ({ request, review }) => ({
    problems: review.check(checkBody.parse(request.body).source),
  }));
  // Who follows a procedure must not be able to change it: that takes another scope than sop:run.
  route('POST', '/api/sop/edit', 'graphs:edit', async ({ request, review, user, signal }) => {
    if (services.readOnly) throw new ToolError('READ_ONLY', 'This server is read-only');
    const { file, content_hash: hash, edits } = editBody.parse(request.body);
    const edited = await review.edit(file, hash, edits as Parameters<SopReview['edit']>[2], signal);
    services.events.publish({ type: 'sop-edited', user: user.id, data: { file, content_hash: edited.content_hash } });
    return edited;
  });
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

const statusOf: Readonly<Record<string, number>> = {
  UNKNOWN_CONVERSATION: 404,
  UNKNOWN_NODE: 404,
  UNKNOWN_EDGE: 404,
  FILE_TOO_LARGE: 413,
};
