import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProtected } from './identity.test-helpers.ts';

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** Somebody else's authorization server: discovery, keys that can be rotated, tokens as wanted. */
async function startIssuer() {
  const keys: { kid: string; privateKey: Key; jwk: object }[] = [];
  async function rotate() {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = `key-${keys.length + 1}`;
    keys.unshift({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } });
  }
  await rotate();
  let fetches = 0;
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}/realms/main`;
    const documents: Record<string, unknown> = {
      '/realms/main/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/realms/main/keys': { keys: keys.map(({ jwk }) => jwk) },
    };
    const document = documents[request.url ?? ''];
    if (request.url?.endsWith('/keys')) fetches += 1;
    response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? {}));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const issuer = `http://127.0.0.1:${port}/realms/main`;
  async function sign(
    claims: { aud: string; sub?: string; scope?: unknown; iss?: string; seconds?: number },
    key = keys[0]!,
  ) {
    const { seconds = 300, iss = issuer, ...rest } = claims;
    return new SignJWT({ scope: 'tasks:read tasks:write', sub: 'user-7', ...rest })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .setIssuer(iss)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(key.privateKey);
  }
  return { issuer, rotate, sign, fetches: () => fetches, close: () => server.close() };
}

describe('an external issuer', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let server: Awaited<ReturnType<typeof startProtected>>;
  let audience = '';
  beforeAll(async () => {
    issuer = await startIssuer();
    server = await startProtected({ auth: { mode: 'external', issuer: issuer.issuer } }, { keyCooldownMs: 0 });
    audience = `${server.url.origin}/mcp`;
  });
  afterAll(async () => {
    await server.close();
    issuer.close();
  });

  const call = (token: string, name: string, args: object) =>
    fetch(server.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
  const list = (token: string) => call(token, 'list_tasks', { user_id: `${issuer.issuer}|user-7` });

  test('is named in the resource metadata, and we serve no authorization server of our own', async () => {
    const document = await (await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url))).json();
    expect(document).toMatchObject({ authorization_servers: [issuer.issuer] });
    expect((await fetch(new URL('/oauth/authorize', server.url))).status).toBe(404);
  });

  test('vouches for a user, known by issuer and subject', async () => {
    const response = await list(await issuer.sign({ aud: audience }));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"success":true');
  });

  test('may rotate its keys while we run', async () => {
    const before = issuer.fetches();
    await issuer.rotate();
    expect((await list(await issuer.sign({ aud: audience }))).status).toBe(200);
    expect(issuer.fetches()).toBeGreaterThan(before);
  });

  test.each([
    ['for another audience', { aud: 'https://other.example/mcp' }],
    ['expired', { aud: '', seconds: -60 }],
    ['of another issuer', { aud: '', iss: 'https://evil.example' }],
  ])('a token %s is refused', async (_name, claims) => {
    const token = await issuer.sign({ ...claims, aud: claims.aud || audience });
    expect((await list(token)).status).toBe(401);
  });

  test('a token without the scope is told which one', async () => {
    const response = await call(await issuer.sign({ aud: audience, scope: 'tasks:read' }), 'add_task', {
      user_id: 'x',
      title: 'y',
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('scope="tasks:write"');
  });

  test('an issuer that does not answer stops the start with its name', async () => {
    await expect(startProtected({ auth: { mode: 'external', issuer: 'http://127.0.0.1:9/none' } })).rejects.toThrow(
      'http://127.0.0.1:9/none does not answer with its metadata',
    );
  });
});
