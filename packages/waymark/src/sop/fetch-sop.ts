import { decodeText, type FetchText, sizeLimit } from './library.ts';

/** Fetches SOPs from the internet, never from inside; with `loopback` also from this machine. */
export function createFetchText(reach: 'https' | 'loopback'): FetchText {
  return async (url, signal) => {
    const { safeFetch } = await import('../kit/safe-fetch.ts');
    const { body } = await safeFetch(url, { signal, maxBytes: sizeLimit, allowLoopback: reach === 'loopback' });
    return decodeText(body, url);
  };
}
