import { createRemoteJWKSet } from 'jose';
import { z } from 'zod';
import { AccessTokens } from './access-tokens.ts';
import { Audit } from './audit.ts';
import type { Auth, AuthServices } from './auth.ts';
import { BearerGate } from './bearer.ts';
import { metadataPath, registerResourceMetadata } from './resource-metadata.ts';

const discoverySchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** Tokens come from somebody else's issuer; we only check them. The user is issuer and subject together. */
export function createExternalAuth({ config, store, log, keyCooldownMs = 5_000 }: AuthServices): Auth {
  const issuer = config.auth.issuer ?? '';
  const audit = new Audit(store, log);
  let running: { gate: BearerGate; resource: string } | undefined;
  const ready = () => {
    if (!running) throw new Error('authentication has not started');
    return running;
  };

  async function userOf({ issuer: from, subject }: { issuer: string; subject: string }): Promise<string> {
    const id = `${from}|${subject}`;
    const { db } = await store();
    await db
      .insertInto('users')
      .values({ id, time_zone: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return id;
  }

  return {
    audit,
    authenticate: (request, reply) => ready().gate.authenticate(request, reply),
    forbid: (reply, scopes) => ready().gate.forbid(reply, scopes),
    async start(baseUrl) {
      const base = (config.publicUrl ? new URL(config.publicUrl) : baseUrl).origin;
      const resource = `${base}/mcp`;
      const { jwks_uri: jwksUri, issuer: named } = await discover(issuer);
      const gate = new BearerGate({
        issuer: named,
        audience: config.auth.audience ?? resource,
        keys: createRemoteJWKSet(new URL(jwksUri), { cooldownDuration: keyCooldownMs, cacheMaxAge: 600_000 }),
        tokens: new AccessTokens(store),
        metadataUrl: `${base}${metadataPath}`,
        userOf,
        scopeClaim: config.auth.scopeClaim,
        now: () => new Date(),
      });
      running = { gate, resource };
    },
    registerRoutes(app) {
      registerResourceMetadata(app, () => ({ resource: ready().resource, issuer }));
    },
  };
}

/** RFC 8414 first, OpenID Connect discovery second, with and without a path in the issuer. */
async function discover(issuer: string): Promise<z.infer<typeof discoverySchema>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const address of addresses) {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    const document = response?.ok ? discoverySchema.safeParse(await response.json().catch(() => undefined)) : undefined;
    if (document?.success && document.data.issuer.replace(/\/$/, '') === issuer.replace(/\/$/, ''))
      return document.data;
  }
  throw new Error(`The issuer ${issuer} does not answer with its metadata. Check auth.issuer.`);
}
