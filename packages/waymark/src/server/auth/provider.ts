import type { JWK } from 'jose';
import type { Configuration, Provider } from 'oidc-provider';
import { allScopes } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import { createRecordAdapter } from './oauth-records.ts';
import { studioClientId } from './studio-login.ts';

export interface ProviderOptions {
  readonly store: Store;
  readonly issuer: string;
  readonly resource: string;
  readonly keys: readonly JWK[];
  readonly cookieSecret: string;
  readonly accountExists: (userId: string) => Promise<boolean>;
  /** Fetches client metadata documents; by default the library's own, which refuses private addresses. */
  readonly fetch: typeof fetch | undefined;
}

const hour = 3600;
const day = 24 * hour;

/** OAuth 2.1 for MCP clients: code with PKCE, resource indicators, registration and metadata documents. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { Provider: OidcProvider } = await importQuietly();
  const { resource } = options;
  const configuration: Configuration = {
    adapter: createRecordAdapter(options.store),
    jwks: { keys: [...options.keys] as never[] },
    cookies: {
      keys: [options.cookieSecret],
      names: { session: 'waymark_session', interaction: 'waymark_interaction', resume: 'waymark_resume' },
    },
    scopes: ['openid', 'offline_access', ...allScopes],
    pkce: { required: () => true },
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    },
    clients: [
      {
        client_id: studioClientId,
        client_name: 'Waymark Studio',
        redirect_uris: [`${options.issuer}/login/callback`],
        application_type: options.issuer.startsWith('https:') ? 'web' : 'native',
      },
    ],
    responseTypes: ['code'],
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } as never,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          // A toolset's own endpoint is part of the one resource.
          if (indicator !== resource && !indicator.startsWith(`${resource}/`)) throw new InvalidTarget();
          return {
            scope: allScopes.join(' '),
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: hour,
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      jwks: '/oauth/jwks',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      userinfo: '/oauth/userinfo',
    },
    interactions: { url: (_context, interaction) => `/oauth/interaction/${interaction.uid}` },
    findAccount: async (_context, id) =>
      (await options.accountExists(id)) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    ...(options.fetch ? { fetch: options.fetch as never } : {}),
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: 30 * day,
      Interaction: 600,
      RefreshToken: 30 * day,
      Session: day,
      IdToken: hour,
    },
    renderError(context, out) {
      context.type = 'html';
      context.body = errorPage(out.error, out.error_description);
    },
  };
  const { errorPage } = await import('./pages.ts');
  const { InvalidTarget } = (await importQuietly()).errors;
  const provider = new OidcProvider(options.issuer, configuration);
  provider.proxy = options.issuer.startsWith('https:');
  return provider;
}

/**
 * The library works on Node 20 (our tests run there) but warns about it on import. The warning would
 * tell operators to act where there is nothing to do, so this one line is kept from the log.
 */
async function importQuietly() {
  const { warn } = globalThis.console;
  globalThis.console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    return await import('oidc-provider');
  } finally {
    globalThis.console.warn = warn;
  }
}
