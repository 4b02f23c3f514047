import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { silentLogger } from '../../src/kit/index.ts';
import { Accounts } from '../../src/server/auth/accounts.ts';
import { type ConfigInput, configSchema } from '../../src/server/config.ts';
import { startServer } from '../../src/server/serve.ts';
import { Person } from './person.test-helpers.ts';

export const password = 'correct horse battery';
export const redirectUrl = 'http://localhost:9/callback';

/** A server with the embedded authorization server and two people who can sign in. */
export async function startProtected(changes: ConfigInput = {}, options: Parameters<typeof startServer>[2] = {}) {
  const data = changes.data ?? (await mkdtemp(join(tmpdir(), 'waymark-auth-')));
  const config = configSchema.parse({
    port: 0,
    data,
    toolsets: ['tasks', 'hnpx'],
    auth: { mode: 'embedded' },
    ...changes,
  });
  const server = await startServer(config, silentLogger, options);
  const store = await server.services.store();
  const accounts = new Accounts(server.services.store);
  for (const id of ['ada', 'grace']) {
    await store.db
      .insertInto('users')
      .values({ id, time_zone: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await accounts.setPassword(id, password);
  }
  return { ...server, data, endpoint: new URL('/mcp', server.url) };
}

/** The host's side of OAuth, as the SDK wants it: remembers what it is given. */
export function createClientProvider(metadata: { name?: string; metadataUrl?: string } = {}) {
  const credentials = new Map<string, unknown>();
  const memory: {
    redirect?: URL;
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
    verifier?: string;
    state?: string;
    discovery?: unknown;
  } = {};
  const provider = {
    redirectUrl,
    ...(metadata.metadataUrl ? { clientMetadataUrl: metadata.metadataUrl } : {}),
    clientMetadata: {
      client_name: metadata.name ?? 'Test host',
      redirect_uris: [redirectUrl],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientInformation: (context?: { issuer: string }) => context && credentials.get(context.issuer),
    saveClientInformation: (information: unknown, context: { issuer: string }) =>
      void credentials.set(context.issuer, information),
    tokens: () => memory.tokens,
    saveTokens: (tokens: NonNullable<typeof memory.tokens>) => void (memory.tokens = tokens),
    state: () => (memory.state = crypto.randomUUID()),
    saveDiscoveryState: (state: unknown) => void (memory.discovery = state),
    discoveryState: () => memory.discovery,
    redirectToAuthorization: (url: URL) => void (memory.redirect = url),
    saveCodeVerifier: (verifier: string) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier ?? '',
  } as unknown as OAuthClientProvider;
  return { provider, memory };
}

export function newClient(): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
}

/** The whole way: refused, registered, signed in, allowed, connected. */
export async function connectAs(
  endpoint: URL,
  user: string,
  metadata: Parameters<typeof createClientProvider>[0] = {},
) {
  const { provider, memory } = createClientProvider(metadata);
  const first = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
  await newClient()
    .connect(first)
    .then(
      () => Promise.reject(new Error('connected without signing in')),
      () => {},
    );
  if (!memory.redirect) throw new Error('the client was not sent to sign in');
  const person = new Person();
  const loginPage = await person.visit(memory.redirect);
  const consentPage = await person.submit(loginPage, 'login', { user, password });
  const callback = await person.submit(consentPage, 'allow');
  await first.finishAuth(callback.url.searchParams);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: provider }));
  return { client, memory, person, pages: { loginPage, consentPage }, callback: callback.url, provider };
}
