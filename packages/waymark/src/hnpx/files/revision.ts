import { createHash } from 'node:crypto';

const length = 12;

/** The checksum of a file's bytes, as callers see it. */
export function revisionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, length);
}
