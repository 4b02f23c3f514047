import { lookup, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { kindOfAddress } from '../../kit/safe-fetch.ts';
import type { Fetch } from './bounded-fetch.ts';

export interface GuardOptions {
  /** Addresses the operator chose; they may lead anywhere, also into a private network. */
  readonly isTrusted: (url: URL) => boolean;
  readonly resolve?: typeof lookup;
}

/**
 * A fetch for servers whose address somebody else may have chosen: only https, and only to public
 * addresses. The check is made on the very address the connection goes to, so that a name cannot
 * change its mind in between.
 */
export function guardedFetch({ isTrusted, resolve = lookup }: GuardOptions): Fetch {
  return async (target, init = {}) => {
    const url = new URL(target);
    if (isTrusted(url)) return fetch(url, init);
    if (url.protocol !== 'https:') throw new Error(`only https addresses may be used here, not ${url.protocol}`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) refusePrivate(host, host);
    return toResponse(await send(url, init, checkedLookup(host, resolve)));
  };
}

function refusePrivate(host: string, address: string): void {
  if (kindOfAddress(address) !== 'public') throw new Error(`${host} is not a public address`);
}

function checkedLookup(host: string, resolve: typeof lookup): LookupFunction {
  return (_hostname, options, callback) => {
    resolve(host, { ...options, all: true }, (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      try {
        // One private address among public ones is as suspect as only private ones.
        for (const { address } of found) refusePrivate(host, address);
      } catch (refusal) {
        return callback(refusal as Error, '', 0);
      }
      const [first] = found;
      if (options.all) return (callback as unknown as (error: null, found: LookupAddress[]) => void)(null, found);
      return callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}

function send(url: URL, init: RequestInit, lookupHost: LookupFunction): Promise<IncomingMessage> {
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolveResponse, reject) => {
    const outgoing = request(url, {
      method: init.method ?? 'GET',
      headers,
      lookup: lookupHost,
      agent: false,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    outgoing.once('response', resolveResponse);
    outgoing.once('error', reject);
    outgoing.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 502, headers: given } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const body = hasBody ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, headers });
}
