import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServe, temporaryDirectory, waymark } from '../cli/waymark.test-helpers.ts';
import { connectAs, password, startProtected } from './identity.test-helpers.ts';

test('one server signs people in, another in external mode takes its tokens', async () => {
  const data = join(await temporaryDirectory(), 'issuer');
  expect((await waymark(['users', 'add', 'ada', '--password', '--data', data], { input: `${password}\n` })).code).toBe(
    0,
  );
  const issuer = await startServe([
    '--auth',
    'embedded',
    '--toolsets',
    'tasks',
    '--data',
    data,
    '--log-level',
    'silent',
  ]);
  const issued = await connectAs(new URL('/mcp', issuer.url), 'ada');
  const token = issued.memory.tokens!.access_token;
  await issued.client.close();

  const { origin } = issuer.url;
  const server = await startProtected({ auth: { mode: 'external', issuer: origin, audience: `${origin}/mcp` } });
  const call = (bearer: string) =>
    fetch(server.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${bearer}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_tasks', arguments: { user_id: `${origin}|ada` } },
      }),
    });
  const accepted = await call(token);
  expect(accepted.status).toBe(200);
  expect(await accepted.text()).toContain('"success":true');
  expect((await call(`${token.slice(0, -4)}AAAA`)).status).toBe(401);

  await server.close();
  issuer.child.kill('SIGTERM');
  expect((await issuer.ended).code).toBe(0);
});
