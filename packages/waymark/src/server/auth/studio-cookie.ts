import type { FastifyRequest } from 'fastify';

export const studioCookie = 'waymark_studio';

/** The token of a browser that has signed in; requests from other sites never carry it (SameSite). */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}
