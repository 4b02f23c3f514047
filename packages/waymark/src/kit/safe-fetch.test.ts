import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { kindOfAddress, safeFetch } from './safe-fetch.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refused = expect.objectContaining({ code: 'URL_NOT_ALLOWED' });

describe('safeFetch', () => {
  test('reads a document and tells its type', async () => {
    const origin = await serve((_request, response) => response.setHeader('content-type', 'text/markdown').end('# hi'));
    const document = await safeFetch(`${origin}/x.md`, { allowLoopback: true });
    expect(document.body.toString()).toBe('# hi');
    expect(document).toMatchObject({ contentType: 'text/markdown', url: `${origin}/x.md` });
  });

  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[64:ff9b::a00:1]/',
    'https://0.0.0.0/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'not a url',
  ])('refuses %s', async (url) => {
    await expect(safeFetch(url)).rejects.toEqual(refused);
  });

  test('refuses plain http to the internet even where this machine is allowed', async () => {
    const resolve = async () => ['93.184.215.14'];
    await expect(safeFetch('http://example.com/', { allowLoopback: true, resolve })).rejects.toEqual(refused);
  });

  test('refuses a name with one private address among public ones', async () => {
    const resolve = async () => ['93.184.215.14', '10.0.0.5'];
    await expect(safeFetch('https://example.com/', { resolve })).rejects.toEqual(refused);
  });

  test('connects to the address it checked, not to what the name says the second time', async () => {
    const origin = await serve((_request, response) => response.end('checked'));
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
    const url = origin.replace('127.0.0.1', 'changes-its-mind.test');
    const document = await safeFetch(url, { allowLoopback: true, resolve });
    expect(document.body.toString()).toBe('checked');
    expect(asked).toBe(1);
  });

  test('checks every hop of a redirect', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/inside') response.writeHead(302, { location: 'https://10.0.0.1/secret' }).end();
      else if (request.url === '/start') response.writeHead(301, { location: '/end' }).end();
      else response.end('arrived');
    });
    await expect(safeFetch(`${origin}/inside`, { allowLoopback: true })).rejects.toEqual(refused);
    const document = await safeFetch(`${origin}/start`, { allowLoopback: true });
    expect(document).toMatchObject({ url: `${origin}/end` });
  });

  test('gives up on redirects without end, bodies without end and silence', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (request.url === '/large') response.end('x'.repeat(2000));
      else if (request.url === '/missing') response.writeHead(404).end();
    });
    const options = { allowLoopback: true, maxBytes: 1000, timeoutMilliseconds: 300 };
    const failure = async (path: string) =>
      safeFetch(origin + path, options).then(String, (error: { code: string }) => error.code);
    expect(await failure('/loop')).toBe('FETCH_FAILED');
    expect(await failure('/large')).toBe('FETCH_TOO_LARGE');
    expect(await failure('/silence')).toBe('FETCH_TIMEOUT');
    expect(await failure('/missing')).toBe('FETCH_FAILED');
  });
});

test.each([
  ['8.8.8.8', 'public'],
  ['127.9.9.9', 'loopback'],
  ['100.64.1.1', 'private'],
  ['240.0.0.1', 'private'],
  ['2606:4700::1111', 'public'],
  ['2001:db8::1', 'private'],
  ['2002:7f00:1::', 'private'],
  ['::', 'private'],
  ['::ffff:8.8.8.8', 'public'],
  ['fe80::1%eth0', 'private'],
])('%s is %s', (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});
