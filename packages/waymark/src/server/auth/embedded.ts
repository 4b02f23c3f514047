import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import { RateLimiter } from '../limits.ts';
import { AccessTokens } from './access-tokens.ts';
import { Accounts } from './accounts.ts';
import { Audit } from './audit.ts';
import type { Auth, AuthServices } from './auth.ts';
import { BearerGate } from './bearer.ts';
import { registerInteractionRoutes } from './interactions.ts';
import { sweepExpiredRecords } from './oauth-records.ts';
import { createProvider } from './provider.ts';
import { metadataPath, registerResourceMetadata } from './resource-metadata.ts';
import { registerStudioLogin } from './studio-login.ts';
import { createKeyLookup, loadSecret, loadSigningKeys } from './signing-keys.ts';

const sweepMs = 600_000;

/** Our own authorization server: accounts, sign-in and consent pages, tokens. */
export function createEmbeddedAuth({ config, store, log, fetch: clientFetch }: AuthServices): Auth {
  const accounts = new Accounts(store);
  const tokens = new AccessTokens(store);
  const audit = new Audit(store, log);
  const registrations = new RateLimiter({ perSecond: 0.02, burst: 30 }, () => Date.now());
  let running: { provider: Provider; gate: BearerGate; base: string } | undefined;
  const ready = () => {
    if (!running) throw new Error('the authorization server has not started');
    return running;
  };

  return {
    audit,
    authenticate: (request, reply) => ready().gate.authenticate(request, reply),
    forbid: (reply, scopes) => ready().gate.forbid(reply, scopes),

    async start(baseUrl) {
      const base = (config.publicUrl ? new URL(config.publicUrl) : baseUrl).origin;
      const resource = `${base}/mcp`;
      const opened = await store();
      const keys = await loadSigningKeys(opened, new Date());
      const provider = await createProvider({
        store: opened,
        issuer: base,
        resource,
        keys,
        cookieSecret: await loadSecret(opened, 'cookies'),
        accountExists: (userId) => accounts.exists(userId),
        fetch: clientFetch,
      });
      provider.on('server_error', (_context, error) => log.error('authorization server', { error }));
      provider.on('grant.revoked', (context, grantId) => {
        audit.record({ event: 'grant-revoked', client: context.oidc.client?.clientId, details: { grantId } });
      });
      const gate = new BearerGate({
        issuer: base,
        audience: resource,
        keys: createKeyLookup(keys, async () => loadSigningKeys(await store(), new Date())),
        tokens,
        metadataUrl: `${base}${metadataPath}`,
        userOf: async ({ subject }) => ((await accounts.exists(subject)) ? subject : undefined),
        now: () => new Date(),
      });
      running = { provider, gate, base };
      setInterval(() => {
        sweepExpiredRecords(opened).catch((error: unknown) => log.warn('expired records not swept', { error }));
      }, sweepMs).unref();
    },

    registerRoutes(app) {
      registerStudioLogin(app, {
        base: () => ready().base,
        gate: () => ready().gate,
        tokens,
        fetch: (url, init) => fetchOwn(app, url, init),
      });
      registerResourceMetadata(app, () => ({ resource: `${ready().base}/mcp`, issuer: ready().base }));
      app.register((scope, _options, done) => {
        scope.removeAllContentTypeParsers();
        // The authorization server reads its own bodies.
        scope.addContentTypeParser('*', (_request, _payload, next) => next(null));
        scope.get('/.well-known/oauth-authorization-server', async (request, reply) => {
          const twin = { url: '/.well-known/openid-configuration', headers: { host: request.host } };
          const response = await app.inject(twin);
          return reply.header('access-control-allow-origin', '*').send(response.json());
        });
        for (const url of ['/oauth/*', '/.well-known/openid-configuration']) {
          scope.all(url, async (request, reply) => {
            if (
              request.url.startsWith('/oauth/register') &&
              request.method === 'POST' &&
              registrations.take(request.ip) > 0
            ) {
              return reply
                .code(429)
                .header('retry-after', '60')
                .send({ error: 'slow_down', error_description: 'Too many registrations' });
            }
            reply.hijack();
            await ready().provider.callback()(request.raw, reply.raw);
          });
        }
        done();
      });
      app.register((scope, _options, done) => {
        scope.addContentTypeParser(
          'application/x-www-form-urlencoded',
          { parseAs: 'string' },
          (_request, body, next) => {
            next(null, Object.fromEntries(new URLSearchParams(body as string)));
          },
        );
        registerInteractionRoutes(scope, {
          provider: async () => ready().provider,
          accounts,
          audit,
          csrfSecret: async () => loadSecret(await store(), 'csrf'),
        });
        done();
      });
    },
  };
}

/** A request to ourselves, without leaving the process: the public address may not be reachable from inside. */
async function fetchOwn(app: FastifyInstance, url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { pathname, host } = new URL(url instanceof Request ? url.url : url);
  const payload = init.body instanceof URLSearchParams ? init.body.toString() : undefined;
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await app.inject({ method: 'POST', url: pathname, headers, ...(payload ? { payload } : {}) });
  return new Response(answer.body, { status: answer.statusCode });
}
