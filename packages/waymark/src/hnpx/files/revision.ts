import { createHash, webcrypto } from 'node:crypto';

const length = 12;
const smallEnough = 512 * 1024;

/** The checksum of a file's bytes, as callers see it. */
export function revisionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, length);
}

/** The same, away from the main thread for large files, so that it runs while the file is written. */
export async function revisionAside(bytes: Buffer<ArrayBuffer>): Promise<string> {
  if (bytes.length <= smallEnough) return revisionOf(bytes);
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes))
    .toString('hex')
    .slice(0, length);
}
