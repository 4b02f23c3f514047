import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allScopes } from '../../kit/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { BearerGate } from './bearer.ts';
import { errorPage } from './pages.ts';
import { cookieOf, studioCookie } from './studio-cookie.ts';

/** The studio is a client of our own authorization server; people need not allow it to itself. */
export const studioClientId = 'waymark-studio';

const attemptCookie = 'waymark_login';
const dayMs = 86_400_000;

interface StudioLoginServices {
  readonly base: () => string;
  readonly gate: () => BearerGate;
  readonly tokens: AccessTokens;
  readonly fetch: typeof fetch;
}

/** `/login` sends a person to sign in and back; the studio then has a cookie that scripts cannot read. */
export function registerStudioLogin(app: FastifyInstance, services: StudioLoginServices): void {
  app.get('/login', async (request, reply) => {
    const { to } = request.query as { to?: string };
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(16).toString('base64url');
    const attempt = Buffer.from(JSON.stringify({ verifier, state, to: localPath(to) })).toString('base64url');
    const url = new URL('/oauth/authorize', services.base());
    url.search = new URLSearchParams({
      client_id: studioClientId,
      response_type: 'code',
      redirect_uri: `${services.base()}/login/callback`,
      scope: allScopes.join(' '),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${services.base()}/mcp`,
      state,
    }).toString();
    return reply.header('set-cookie', cookie(services, attemptCookie, attempt, 600)).redirect(url.href, 302);
  });

  app.get('/login/callback', async (request, reply) => {
    const { code, state } = request.query as { code?: string; state?: string };
    const attempt = readAttempt(request);
    if (!attempt || !code || state !== attempt.state) return refuse(reply);
    const userId = await exchange(services, code, attempt.verifier);
    if (userId === undefined) return refuse(reply);
    const { token } = await services.tokens.create(userId, 'studio', allScopes, new Date(Date.now() + dayMs));
    return reply
      .header('set-cookie', [
        cookie(services, studioCookie, token, dayMs / 1000),
        cookie(services, attemptCookie, '', 0),
      ])
      .redirect(attempt.to, 302);
  });

  app.post('/logout', async (request, reply) => {
    const token = cookieOf(request, studioCookie);
    const session = token === undefined ? undefined : await services.tokens.verify(token);
    if (session) await services.tokens.revoke(session.id);
    return reply
      .header('set-cookie', cookie(services, studioCookie, '', 0))
      .code(204)
      .send();
  });
}

async function exchange(services: StudioLoginServices, code: string, verifier: string): Promise<string | undefined> {
  const response = await services.fetch(`${services.base()}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: `${services.base()}/login/callback`,
      client_id: studioClientId,
    }),
  });
  const { access_token: accessToken } = (await response.json().catch(() => ({}))) as { access_token?: string };
  const info = accessToken === undefined ? undefined : await services.gate().verify(accessToken);
  return (info?.extra?.['user'] as { id: string } | undefined)?.id;
}

function readAttempt(request: FastifyRequest): { verifier: string; state: string; to: string } | undefined {
  try {
    const text = Buffer.from(cookieOf(request, attemptCookie) ?? '', 'base64url').toString();
    const { verifier, state, to } = JSON.parse(text) as Record<string, unknown>;
    if (typeof verifier !== 'string' || typeof state !== 'string' || typeof to !== 'string') return undefined;
    return { verifier, state, to: localPath(to) };
  } catch {
    return undefined;
  }
}

/** Only a path of our own: never an address that a link has smuggled in. */
function localPath(to: string | undefined): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/';
}

function cookie(services: StudioLoginServices, name: string, value: string, seconds: number): string {
  const secure = services.base().startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function refuse(reply: FastifyReply): FastifyReply {
  const html = errorPage('login', 'Signing in did not work. Open the studio and try again.');
  return reply.code(400).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
}
