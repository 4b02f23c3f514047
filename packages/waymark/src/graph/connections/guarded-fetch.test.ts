import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';

type Resolve = NonNullable<Parameters<typeof guardedFetch>[0]['resolve']>;

type Found = (error: null, addresses: { address: string; family: number }[]) => void;

const resolvesTo = (...addresses: string[]): Resolve =>
  ((_host: string, _options: object, found: Found) => {
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as Resolve;

const strict = (resolve?: Resolve) => guardedFetch({ isTrusted: () => false, ...(resolve ? { resolve } : {}) });

describe('a fetch for addresses that somebody else chose', () => {
  test.each([
    'https://127.0.0.1/mcp',
    'https://2130706433/mcp',
    'https://0x7f.1/mcp',
    'https://[::1]/mcp',
    'https://[::ffff:127.0.0.1]/mcp',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.8/mcp',
    'https://192.168.1.1/mcp',
    'https://[fd00::1]/mcp',
  ])('refuses %s', async (url) => {
    await expect(strict()(url)).rejects.toThrow('is not a public address');
  });

  test('refuses a name that leads into a private network, also among public addresses', async () => {
    await expect(strict(resolvesTo('127.0.0.1'))('https://innocent.example/mcp')).rejects.toThrow(
      'not a public address',
    );
    await expect(strict(resolvesTo('93.184.216.34', '10.0.0.1'))('https://mixed.example/')).rejects.toThrow(
      'not a public',
    );
    await expect(strict(resolvesTo('::ffff:a9fe:a9fe'))('https://meta.example/')).rejects.toThrow(
      'not a public address',
    );
  });

  test.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd'])('refuses %s', async (url) => {
    await expect(strict(resolvesTo('93.184.216.34'))(url)).rejects.toThrow('only https');
  });

  test('goes where the operator said, wherever that is', async () => {
    const server = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const fetchTrusted = guardedFetch({ isTrusted: ({ origin }) => origin === new URL(url).origin });
    expect(await (await fetchTrusted(url)).text()).toBe('hello');
    await expect(fetchTrusted('http://127.0.0.1:1/')).rejects.toThrow('only https');
    server.close();
  });
});
