import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { allScopes } from '../../kit/index.ts';
import { RateLimiter } from '../limits.ts';
import type { Accounts } from './accounts.ts';
import type { Audit } from './audit.ts';
import { consentPage, errorPage, loginPage } from './pages.ts';
import { studioClientId } from './studio-login.ts';
import { textOf } from './text-of.ts';

export interface InteractionServices {
  readonly provider: () => Promise<Provider>;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly csrfSecret: () => Promise<string>;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The two pages a person sees: sign in, and allow. Both are plain forms that work without scripts. */
export function registerInteractionRoutes(app: FastifyInstance, services: InteractionServices): void {
  const byAddress = new RateLimiter({ perSecond: 0.2, burst: 20 }, () => Date.now());

  async function load(request: FastifyRequest, reply: FastifyReply): Promise<Interaction | undefined> {
    const provider = await services.provider();
    try {
      const interaction = await provider.interactionDetails(request.raw, reply.raw);
      if (interaction.uid === (request.params as { uid?: string }).uid) return interaction;
    } catch {
      // Expired, finished, or opened in another browser: the same answer for all of them.
    }
    sendPage(reply.code(400), errorPage('expired', 'This page has expired or was opened in another browser.'));
    return undefined;
  }

  async function loadPosted(request: FastifyRequest, reply: FastifyReply): Promise<Interaction | undefined> {
    const interaction = await load(request, reply);
    if (!interaction) return undefined;
    const expected = Buffer.from(await csrfFor(interaction.uid));
    const given = Buffer.from((request.body as { csrf?: string } | undefined)?.csrf ?? '');
    if (given.length === expected.length && timingSafeEqual(given, expected)) return interaction;
    sendPage(reply.code(403), errorPage('forgery', 'This form was not sent from its own page.'));
    return undefined;
  }

  async function csrfFor(uid: string): Promise<string> {
    return createHmac('sha256', await services.csrfSecret())
      .update(uid)
      .digest('base64url');
  }

  async function showLogin(
    reply: FastifyReply,
    interaction: Interaction,
    problem?: { text: string; userName: string },
  ) {
    const client = await clientOf(await services.provider(), interaction);
    const html = loginPage({
      action: `/oauth/interaction/${interaction.uid}/login`,
      csrf: await csrfFor(interaction.uid),
      clientName: client.name,
      noAccounts: !(await services.accounts.any()),
      ...(problem ? { problem: problem.text, userName: problem.userName } : {}),
    });
    return sendPage(reply.code(problem ? 401 : 200), html, client.redirectSource);
  }

  app.get('/oauth/interaction/:uid', async (request, reply) => {
    const interaction = await load(request, reply);
    if (!interaction) return reply;
    if (interaction.prompt.name === 'login') return showLogin(reply, interaction);
    const { accountId } = interaction.session ?? {};
    if (accountId && textOf(interaction.params['client_id']) === studioClientId) {
      return allow(request, reply, interaction, accountId);
    }
    const client = await clientOf(await services.provider(), interaction);
    const html = consentPage({
      allowAction: `/oauth/interaction/${interaction.uid}/allow`,
      denyAction: `/oauth/interaction/${interaction.uid}/deny`,
      csrf: await csrfFor(interaction.uid),
      clientName: client.name,
      clientHost: client.documentHost,
      redirectHost: client.redirectHost,
      redirectsToThisDevice: client.redirectsToThisDevice,
      userName: interaction.session?.accountId ?? '',
      scopes: requestedScopes(interaction),
    });
    return sendPage(reply, html, client.redirectSource);
  });

  app.post('/oauth/interaction/:uid/login', async (request, reply) => {
    const interaction = await loadPosted(request, reply);
    if (!interaction) return reply;
    const { user: userName = '', password = '' } = request.body as { user?: string; password?: string };
    const origin = { client: textOf(interaction.params['client_id']), address: request.ip };
    const tell = (text: string) => showLogin(reply, interaction, { text, userName });

    const waitMs = byAddress.take(request.ip);
    if (waitMs > 0) return tell(`Too many attempts. Try again in ${Math.ceil(waitMs / 1000)} seconds.`);
    const outcome = await services.accounts.login(userName, password);
    if (!outcome.ok) {
      services.audit.record({
        event: 'login-failed',
        userId: userName,
        ...origin,
        details: { reason: outcome.reason },
      });
      if (outcome.reason === 'wrong') return tell('Name or password is wrong.');
      return tell(`Too many attempts. Try again in ${Math.ceil(outcome.retryAfterMs / 1000)} seconds.`);
    }
    services.audit.record({ event: 'login-succeeded', userId: outcome.userId, ...origin });
    return finish(reply, request, { login: { accountId: outcome.userId, remember: true } });
  });

  app.post('/oauth/interaction/:uid/allow', async (request, reply) => {
    const interaction = await loadPosted(request, reply);
    if (!interaction) return reply;
    if (interaction.prompt.name !== 'consent' || !interaction.session?.accountId) {
      return sendPage(reply.code(400), errorPage('out_of_order', 'Sign in first.'));
    }
    return allow(request, reply, interaction, interaction.session.accountId);
  });

  async function allow(request: FastifyRequest, reply: FastifyReply, interaction: Interaction, accountId: string) {
    const provider = await services.provider();
    const clientId = textOf(interaction.params['client_id']);
    const known = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
    const grant = known ?? new provider.Grant({ accountId, clientId });
    const { missingOIDCScope, missingResourceScopes } = interaction.prompt.details as {
      missingOIDCScope?: string[];
      missingResourceScopes?: Record<string, string[]>;
    };
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    for (const [resource, granted] of Object.entries(missingResourceScopes ?? {})) {
      grant.addResourceScope(resource, granted.join(' '));
    }
    const grantId = await grant.save();
    const details = { scopes: requestedScopes(interaction) };
    services.audit.record({
      event: 'access-allowed',
      userId: accountId,
      client: clientId,
      address: request.ip,
      details,
    });
    return finish(reply, request, { consent: { grantId } });
  }

  app.post('/oauth/interaction/:uid/deny', async (request, reply) => {
    const interaction = await loadPosted(request, reply);
    if (!interaction) return reply;
    services.audit.record({
      event: 'access-denied',
      userId: interaction.session?.accountId,
      client: textOf(interaction.params['client_id']),
      address: request.ip,
    });
    return finish(reply, request, { error: 'access_denied', error_description: 'The person said no.' });
  });

  async function finish(
    reply: FastifyReply,
    request: FastifyRequest,
    result: Parameters<Provider['interactionFinished']>[2],
  ) {
    const provider = await services.provider();
    const location = await provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: !('error' in result),
    });
    return reply.code(303).header('location', location).header('cache-control', 'no-store').send();
  }
}

function requestedScopes(interaction: Interaction): string[] {
  const asked = textOf(interaction.params['scope']).split(' ');
  return asked.filter((scope) => (allScopes as string[]).includes(scope));
}

async function clientOf(provider: Provider, interaction: Interaction) {
  const clientId = textOf(interaction.params['client_id']);
  const client = await provider.Client.find(clientId);
  const redirect = new URL(textOf(interaction.params['redirect_uri']));
  const isWeb = redirect.protocol === 'http:' || redirect.protocol === 'https:';
  return {
    name: client?.clientName || hostOf(clientId) || clientId,
    documentHost: hostOf(clientId),
    redirectHost: isWeb ? redirect.host : `${redirect.protocol}//${redirect.host}`,
    redirectsToThisDevice: !isWeb || ['localhost', '127.0.0.1', '[::1]'].includes(redirect.hostname),
    /** The form ends in a redirect to the client, which the page's policy must allow. */
    redirectSource: isWeb ? redirect.origin : redirect.protocol,
  };
}

function hostOf(clientId: string): string | undefined {
  return clientId.startsWith('https://') ? new URL(clientId).host : undefined;
}

function sendPage(reply: FastifyReply, html: string, redirectSource = ''): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${redirectSource}; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('x-frame-options', 'DENY')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
