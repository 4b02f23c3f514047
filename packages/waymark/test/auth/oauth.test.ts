import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allScopes } from '../../src/kit/index.ts';
import { AccessTokens } from '../../src/server/auth/access-tokens.ts';
import {
  connectAs,
  createClientProvider,
  newClient,
  password,
  redirectUrl,
  startProtected,
} from './identity.test-helpers.ts';
import { Person } from './person.test-helpers.ts';

let server: Awaited<ReturnType<typeof startProtected>>;
const metadataUrl = 'https://client.example/client.json';
const strangeName = '<img src=x onerror=alert(1)>';

beforeAll(async () => {
  const serveMetadata = async () =>
    Response.json({
      client_id: metadataUrl,
      client_name: 'Documented host',
      redirect_uris: [redirectUrl],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  server = await startProtected({}, { fetch: serveMetadata as typeof fetch });
});
afterAll(() => server.close());

const rpc = (token: string | undefined, body: unknown, path = '/mcp') =>
  fetch(new URL(path, server.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('a client that comes without a token', () => {
  test('is told where to get one and every scope to ask for', async () => {
    const response = await rpc(undefined, listTools);
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain(`resource_metadata="${server.url.origin}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).toContain(`scope="${allScopes.join(' ')}"`);
  });

  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/mcp/tasks',
  ])('finds the resource described at %s', async (path) => {
    const document = (await (await fetch(new URL(path, server.url))).json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      resource: `${server.url.origin}/mcp`,
      authorization_servers: [server.url.origin],
    });
    expect(document['scopes_supported']).not.toContain('offline_access');
  });

  test('finds an authorization server with PKCE, registration, metadata documents and iss', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      expect(await (await fetch(new URL(path, server.url))).json()).toMatchObject({
        issuer: server.url.origin,
        code_challenge_methods_supported: ['S256'],
        registration_endpoint: `${server.url.origin}/oauth/register`,
        revocation_endpoint: `${server.url.origin}/oauth/revoke`,
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      });
    }
  });
});

describe('the whole way with the SDK client', () => {
  test('registers, signs in, allows, calls, and refreshes', async () => {
    const { client, memory, pages, callback, provider } = await connectAs(server.endpoint, 'ada');
    expect(callback.searchParams.get('iss')).toBe(server.url.origin);
    expect(pages.consentPage.html).toContain('Test host asks for access');
    expect(pages.consentPage.html).toContain('Add, change, complete and delete your tasks');
    expect(pages.consentPage.html).toContain('localhost:9');
    const added = await client.callTool({ name: 'add_task', arguments: { user_id: 'ada', title: 'Prove it' } });
    expect(added.structuredContent).toMatchObject({ success: true });
    const before = memory.tokens?.refresh_token;
    memory.tokens = { ...memory.tokens!, access_token: 'spoiled' };
    const again = newClient();
    await again.connect(new StreamableHTTPClientTransport(server.endpoint, { authProvider: provider }));
    expect(memory.tokens?.access_token).not.toBe('spoiled');
    expect(memory.tokens?.refresh_token).not.toBe(before);
    await Promise.all([client.close(), again.close()]);
  });

  test('takes a client by its metadata document', async () => {
    const { client, memory, pages } = await connectAs(server.endpoint, 'ada', { metadataUrl });
    expect(memory.redirect?.searchParams.get('client_id')).toBe(metadataUrl);
    expect(pages.consentPage.html).toContain('Documented host asks for access');
    expect(pages.consentPage.html).toContain('client.example');
    await client.close();
  });

  test('one person never sees the other', async () => {
    const ada = await connectAs(server.endpoint, 'ada');
    const grace = await connectAs(server.endpoint, 'grace');
    const added = await ada.client.callTool({ name: 'add_task', arguments: { user_id: 'ada', title: 'Secret plan' } });
    const { id } = (added.structuredContent as { task: { id: string } }).task;
    const asGrace = await grace.client.callTool({ name: 'list_tasks', arguments: { user_id: 'grace' } });
    expect(asGrace.structuredContent).toMatchObject({ success: true, count: 0 });
    for (const userId of ['grace', 'ada']) {
      const stolen = await grace.client.callTool({
        name: 'complete_task',
        arguments: { user_id: userId, task_id: id },
      });
      expect(stolen.isError).toBe(true);
    }
    await Promise.all([ada.client.close(), grace.client.close()]);
  });

  test('everybody has files of their own', async () => {
    const ada = await connectAs(server.endpoint, 'ada');
    const grace = await connectAs(server.endpoint, 'grace');
    const create = { name: 'create_document', arguments: { file_path: 'novel.xml' } };
    expect((await ada.client.callTool(create)).isError).toBeFalsy();
    const read = { name: 'get_next_empty_container', arguments: { file_path: 'novel.xml' } };
    expect((await ada.client.callTool(read)).isError).toBeFalsy();
    const stranger = await grace.client.callTool(read);
    expect(stranger.isError).toBe(true);
    expect(JSON.stringify(stranger)).not.toContain(server.data);
    expect((await grace.client.callTool(create)).isError).toBeFalsy();
    await Promise.all([ada.client.close(), grace.client.close()]);
  });

  test('a refused consent leads back with access_denied', async () => {
    const { provider, memory } = createClientProvider();
    await newClient()
      .connect(new StreamableHTTPClientTransport(server.endpoint, { authProvider: provider }))
      .catch(() => {});
    const person = new Person();
    const consent = await person.submit(await person.visit(memory.redirect!), 'login', { user: 'ada', password });
    const callback = await person.submit(consent, 'deny');
    expect(callback.url.searchParams.get('error')).toBe('access_denied');
  });
});

describe('tokens', () => {
  test('a used refresh token revokes the whole family', async () => {
    const { memory, client } = await connectAs(server.endpoint, 'ada');
    const information = memory.redirect!.searchParams.get('client_id')!;
    const refresh = (token: string) =>
      fetch(new URL('/oauth/token', server.url), {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: information }),
      });
    const first = memory.tokens!.refresh_token!;
    const second = ((await (await refresh(first)).json()) as { refresh_token: string }).refresh_token;
    expect((await refresh(first)).status).toBe(400);
    expect((await refresh(second)).status).toBe(400);
    await client.close();
  });

  test('a code works once, and only with its verifier', async () => {
    const { callback, memory, client } = await connectAs(server.endpoint, 'ada');
    const exchange = (code: string, verifier: string) =>
      fetch(new URL('/oauth/token', server.url), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: redirectUrl,
          client_id: memory.redirect!.searchParams.get('client_id')!,
        }),
      });
    const reused = await exchange(callback.searchParams.get('code')!, memory.verifier!);
    expect(await reused.json()).toMatchObject({ error: 'invalid_grant' });
    await client.close();
  });

  test.each([
    ['made-up', 'nonsense'],
    ['without a signature', unsigned({ sub: 'ada', aud: 'AUDIENCE', iss: 'ISSUER', exp: 9_999_999_999 })],
  ])('%s is refused', async (_name, token) => {
    const response = await rpc(token, listTools);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('a changed token is refused, and so is one in the query string', async () => {
    const { memory, client } = await connectAs(server.endpoint, 'ada');
    const [head, body, signature] = memory.tokens!.access_token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    expect(claims).toMatchObject({ aud: `${server.url.origin}/mcp`, iss: server.url.origin, sub: 'ada' });
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'grace' })).toString('base64url');
    expect((await rpc([head, forged, signature].join('.'), listTools)).status).toBe(401);
    expect((await rpc(undefined, listTools, `/mcp?access_token=${memory.tokens!.access_token}`)).status).toBe(401);
    await client.close();
  });
});

describe('the authorization endpoint', () => {
  async function register(overrides: Record<string, unknown> = {}) {
    const response = await fetch(new URL('/oauth/register', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: strangeName,
        redirect_uris: [redirectUrl],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        ...overrides,
      }),
    });
    return (await response.json()) as { client_id: string };
  }
  async function authorize(changes: Record<string, string | undefined>): Promise<URL> {
    const { client_id: clientId } = await register();
    const url = new URL('/oauth/authorize', server.url);
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUrl,
      scope: 'tasks:read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${server.url.origin}/mcp`,
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  test('never redirects to an address the client did not register', async () => {
    const page = await new Person().visit(await authorize({ redirect_uri: 'https://evil.example/callback' }));
    expect(page.status).toBe(400);
    expect(page.html).toContain('This cannot continue');
    expect(page.html).not.toContain('href="https://evil.example');
  });

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s is refused', async (_name, changes, error) => {
    const page = await new Person().visit(await authorize(changes));
    const answer = new URLSearchParams(page.url.search || page.url.hash.slice(1));
    expect(answer.get('error')).toBe(error);
    expect(answer.has('code') || answer.has('access_token')).toBe(false);
  });

  test('shows a strange client name as text', async () => {
    const person = new Person();
    const login = await person.visit(await authorize({}));
    expect(login.html).not.toContain(strangeName);
    expect(login.html).toContain('&#60;img src=x');
    expect(login.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(login.headers.get('x-frame-options')).toBe('DENY');
  });

  test('a token for fewer scopes lists fewer tools and is told what a call needs', async () => {
    const person = new Person();
    const { createHash, randomBytes } = await import('node:crypto');
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = await authorize({ code_challenge: challenge });
    const consent = await person.submit(await person.visit(url), 'login', { user: 'ada', password });
    expect(consent.html).toContain('See your tasks');
    expect(consent.html).not.toContain('delete your tasks');
    const { url: callback } = await person.submit(consent, 'allow');
    const response = await fetch(new URL('/oauth/token', server.url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code')!,
        code_verifier: verifier,
        redirect_uri: redirectUrl,
        client_id: url.searchParams.get('client_id')!,
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const listed = await (await rpc(token, listTools)).text();
    expect(listed).toContain('"list_tasks"');
    expect(listed).not.toContain('"add_task"');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add_task', arguments: { user_id: 'ada', title: 'x' } },
    };
    const refused = await rpc(token, call);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="tasks:write"');
  });
});

describe('what is kept', () => {
  test('tokens and sign-ins outlive a restart, and another process honours them', async () => {
    const { memory, client } = await connectAs(server.endpoint, 'ada');
    await client.close();
    const audience = new URL('/mcp', server.url).href;
    // The same public address as the first server, on the same data: a second process behind one name.
    const twin = await startProtected({ data: server.data, publicUrl: server.url.origin });
    const response = await fetch(new URL('/mcp', twin.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${memory.tokens!.access_token}`,
      },
      body: JSON.stringify(listTools),
    });
    expect(audience).toBe(`${server.url.origin}/mcp`);
    expect(response.status).toBe(200);
    const refreshed = await fetch(new URL('/oauth/token', twin.url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: memory.tokens!.refresh_token!,
        client_id: memory.redirect!.searchParams.get('client_id')!,
      }),
    });
    expect(refreshed.status).toBe(200);
    await twin.close();
  });

  test('a revoked refresh token is of no use', async () => {
    const { memory, client } = await connectAs(server.endpoint, 'ada');
    await client.close();
    const form = (fields: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams({ client_id: memory.redirect!.searchParams.get('client_id')!, ...fields }),
    });
    const token = memory.tokens!.refresh_token!;
    expect((await fetch(new URL('/oauth/revoke', server.url), form({ token }))).status).toBe(200);
    const refused = await fetch(
      new URL('/oauth/token', server.url),
      form({ grant_type: 'refresh_token', refresh_token: token }),
    );
    expect(refused.status).toBe(400);
  });

  test('the audit log tells who signed in and allowed what, without secrets', async () => {
    await (await connectAs(server.endpoint, 'grace')).client.close();
    const records = await server.auth!.audit.list({ userId: 'grace' });
    expect(records.map((record) => record.event)).toEqual(
      expect.arrayContaining(['login-succeeded', 'access-allowed']),
    );
    expect(JSON.stringify(records)).not.toContain(password);
  });
});

describe('personal access tokens', () => {
  test('work until they are revoked or expire, for their scopes only', async () => {
    const tokens = new AccessTokens(server.services.store);
    const { id, token } = await tokens.create('ada', 'script', ['tasks:read'], null);
    const listed = await (await rpc(token, listTools)).text();
    expect(listed).toContain('"list_tasks"');
    expect(listed).not.toContain('"delete_task"');
    const [kept] = (await tokens.list('ada')).filter((candidate) => candidate.id === id);
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(await tokens.revoke(id)).toBe(true);
    const expired = await tokens.create('ada', 'old', ['tasks:read'], new Date(Date.now() - 1000));
    expect((await rpc(expired.token, listTools)).status).toBe(401);
    expect(await tokens.verify(token)).toBeUndefined();
  });
});

describe('the pages', () => {
  async function loginPage(person: Person) {
    const { provider, memory } = createClientProvider();
    await newClient()
      .connect(new StreamableHTTPClientTransport(server.endpoint, { authProvider: provider }))
      .catch(() => {});
    return person.visit(memory.redirect!);
  }

  test('a wrong password and an unknown name look the same', async () => {
    const person = new Person();
    const page = await loginPage(person);
    const wrong = await person.submit(page, 'login', { user: 'ada', password: 'not it at all' });
    const unknown = await person.submit(page, 'login', { user: 'nobody', password: 'not it at all' });
    const alert = (html: string) => /<p class="alert"[^>]*>([^<]*)/.exec(html)?.[1];
    expect(alert(wrong.html)).toBe('Name or password is wrong.');
    expect(alert(unknown.html)).toBe(alert(wrong.html));
  });

  test('refuse a form that was not sent from the page, and a page of another browser', async () => {
    const person = new Person();
    const page = await loginPage(person);
    const forged = await person.visit(new URL(`${page.url.pathname}/login`, page.url), {
      csrf: 'guessed',
      user: 'ada',
      password,
    });
    expect(forged.status).toBe(403);
    const stranger = await new Person().visit(page.url);
    expect(stranger.status).toBe(400);
    expect(stranger.html).toContain('expired or was opened in another browser');
  });

  test('nobody is allowed in who has not signed in', async () => {
    const person = new Person();
    const page = await loginPage(person);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.html) ?? [];
    const skipped = await person.visit(new URL(`${page.url.pathname}/allow`, page.url), { csrf });
    expect(skipped.status).toBe(400);
  });
});

function unsigned(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`;
}
