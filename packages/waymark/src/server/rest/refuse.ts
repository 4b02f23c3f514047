import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ToolError } from '../../kit/index.ts';

/** The status of codes that mean the same everywhere. */
const common: Readonly<Record<string, number>> = {
  INSUFFICIENT_SCOPE: 403,
  READ_ONLY: 403,
  PATH_OUTSIDE_ROOTS: 403,
  FILE_NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  STORE_UNAVAILABLE: 503,
};

/** Answers a failed request: what was wrong as data, what was unexpected only in the log. */
export function refuse(
  reply: FastifyReply,
  error: unknown,
  statusOf: Readonly<Record<string, number>> = {},
): FastifyReply {
  if (error instanceof z.ZodError) {
    const problems = error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '));
    return reply.code(400).send({ error: { code: 'INVALID_INPUT', message: problems.join('; ') } });
  }
  if (!(error instanceof ToolError)) {
    reply.log.error(error);
    return reply.code(500).send({ error: { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' } });
  }
  const { code, message, details } = error;
  return reply.code(statusOf[code] ?? common[code] ?? 400).send({ error: { code, message, ...details } });
}
