import { lookup as lookupName } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { ToolError } from './tool-error.ts';

export interface SafeFetchOptions {
  /** Longest body, in bytes. */
  readonly maxBytes?: number;
  /** For everything together, redirects included. */
  readonly timeoutMilliseconds?: number;
  readonly maxRedirects?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Also this machine, and plain http to it. */
  readonly allowLoopback?: boolean;
  /** Also addresses of private networks. */
  readonly allowPrivate?: boolean;
  /** The addresses of a name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

export interface FetchedDocument {
  /** Where it was found in the end. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Fetches a document from an address that someone else may have chosen. Every hop is checked after its
 * name is resolved, and the connection goes to the very address that was checked, so that neither a
 * redirect nor a name that changes its mind leads into a private network.
 */
export async function safeFetch(url: string, options: SafeFetchOptions = {}): Promise<FetchedDocument> {
  const { timeoutMilliseconds = 10_000, maxRedirects = 5 } = options;
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  let current = parseUrl(url);
  try {
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const address = await checkedAddress(current, options);
      const response = await send(current, address, options, signal);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location) {
        response.destroy();
        current = parseUrl(headers.location, current);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw new ToolError('FETCH_FAILED', `${current.origin} answered with status ${statusCode}`, {
          status: statusCode,
        });
      }
      const body = await readBody(response, options.maxBytes ?? 4 * 1024 * 1024, signal);
      return { url: current.href, contentType: headers['content-type'] ?? '', body };
    }
    throw new ToolError('FETCH_FAILED', `${new URL(url).origin} redirects more than ${maxRedirects} times`);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (timeout.aborted) {
      throw new ToolError('FETCH_TIMEOUT', `${current.origin} did not answer within ${timeoutMilliseconds} ms`);
    }
    throw new ToolError('FETCH_FAILED', `${current.origin} could not be reached`, {}, { cause: error });
  }
}

function parseUrl(url: string, base?: URL): URL {
  if (!URL.canParse(url, base?.href)) throw notAllowed(`"${url.slice(0, 200)}" is not a URL`);
  const parsed = new URL(url, base);
  if (parsed.username || parsed.password) throw notAllowed('A URL may not carry a user name or password');
  return parsed;
}

async function checkedAddress(url: URL, options: SafeFetchOptions): Promise<string> {
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') throw notAllowed(`Only https URLs can be fetched, not ${url.protocol}`);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const { resolve = resolveName } = options;
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname);
  const [address] = addresses;
  if (address === undefined) throw new ToolError('FETCH_FAILED', `${hostname} has no address`);
  // One private address among public ones is as suspect as only private ones.
  for (const candidate of addresses) {
    const kind = kindOfAddress(candidate);
    if (kind === 'loopback' && options.allowLoopback) continue;
    if (kind === 'private' && options.allowPrivate) continue;
    if (kind !== 'public') throw notAllowed(`${hostname} is not a public address`);
    if (!isSecure) throw notAllowed(`Only https URLs can be fetched (${url.origin})`);
  }
  return address;
}

async function resolveName(hostname: string): Promise<string[]> {
  const found = await lookupName(hostname, { all: true });
  return found.map(({ address }) => address);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  closed.addSubnet(network, prefix, 'ipv4');
}

const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');
const closedIpv6 = new BlockList();
closedIpv6.addSubnet('2001::', 23, 'ipv6');
closedIpv6.addSubnet('2001:db8::', 32, 'ipv6');
closedIpv6.addSubnet('2002::', 16, 'ipv6');
closedIpv6.addSubnet('3fff::', 20, 'ipv6');

/** Whether an address is of this machine, of some network nobody outside can reach, or of the internet. */
export function kindOfAddress(address: string): 'public' | 'private' | 'loopback' {
  if (!isIPv6(address)) {
    if (loopback.check(address, 'ipv4')) return 'loopback';
    return isIP(address) === 4 && !closed.check(address, 'ipv4') ? 'public' : 'private';
  }
  const embedded = embeddedIpv4(address);
  if (embedded) return kindOfAddress(embedded);
  if (loopback.check(address, 'ipv6')) return 'loopback';
  return publicIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6') ? 'public' : 'private';
}

/** The IPv4 address inside `::ffff:a.b.c.d` and `64:ff9b::a.b.c.d`, however it is written. */
function embeddedIpv4(address: string): string | undefined {
  const canonical = new URL(`http://[${address.split('%', 1)[0]}]/`).hostname.slice(1, -1);
  const match = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!match) return undefined;
  const [high, low] = [parseInt(match[1] ?? '0', 16), parseInt(match[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function send(url: URL, address: string, options: SafeFetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const family = isIPv6(address) ? 6 : 4;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...options.headers },
      signal,
      agent: false,
      lookup: (_hostname, { all }, callback) => {
        if (all)
          (callback as (error: null, found: { address: string; family: number }[]) => void)(null, [
            { address, family },
          ]);
        else callback(null, address, family);
      },
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end();
  });
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    signal.throwIfAborted();
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      response.destroy();
      throw new ToolError('FETCH_TOO_LARGE', `The document is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function notAllowed(message: string): ToolError {
  return new ToolError('URL_NOT_ALLOWED', message);
}
