import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../kit/index.ts';

/** Who calls a REST route. Undefined means refused, and the reply has been sent. */
export type RequestUser = (request: FastifyRequest, reply: FastifyReply) => Promise<User | undefined>;
