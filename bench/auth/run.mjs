// What a token check adds to a call, and what a sign-in costs beyond its password hash.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Accounts } from '../../packages/waymark/dist/server/auth/accounts.js';
import { BearerGate } from '../../packages/waymark/dist/server/auth/bearer.js';
import { hashPassword, verifyPassword } from '../../packages/waymark/dist/server/auth/password.js';
import { createKeyLookup } from '../../packages/waymark/dist/server/auth/signing-keys.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { median } from '../lib/stats.mjs';

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), alg: 'RS256', kid: 'bench' };
const token = await new SignJWT({ scope: 'tasks:read' })
  .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
  .setIssuer('https://a')
  .setAudience('https://a/mcp')
  .setSubject('ada')
  .setExpirationTime('1h')
  .sign(privateKey);
const gate = new BearerGate({
  issuer: 'https://a',
  audience: 'https://a/mcp',
  keys: createKeyLookup([key], async () => [key]),
  tokens: { verify: async () => undefined },
  metadataUrl: 'https://a/.well-known/oauth-protected-resource/mcp',
  userOf: async ({ subject }) => subject,
  now: () => new Date(),
});
if (!(await gate.verify(token))) throw new Error('the token should be good');
const rounds = 20_000;
for (let round = 0; round < rounds; round++) await gate.verify(token);
const before = process.cpuUsage();
for (let round = 0; round < rounds; round++) await gate.verify(token);
const spent = process.cpuUsage(before);
console.log(`token check after the first: ${((spent.user + spent.system) / rounds).toFixed(2)} µs CPU`);

const store = await openStore({ dataDirectory: mkdtempSync(join(tmpdir(), 'waymark-bench-')) });
const accounts = new Accounts(async () => store);
await accounts.setPassword('local', 'a long enough secret');
const hash = await hashPassword('a long enough secret');
const times = async (work) => {
  const taken = [];
  for (let round = 0; round < 20; round++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return median(taken);
};
const hashOnly = await times(() => verifyPassword('a long enough secret', hash));
const login = await times(() => accounts.login('local', 'a long enough secret'));
console.log(
  `sign-in: ${login.toFixed(1)} ms, the password hash alone ${hashOnly.toFixed(1)} ms (${(login / hashOnly).toFixed(2)}×)`,
);
await store.close();
