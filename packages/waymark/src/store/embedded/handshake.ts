import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Raised when processes with this and the version before can no longer share a store. */
export const protocolVersion = 1;

const nonceLength = 16;

/**
 * Both ends prove that they can read the data directory, without saying the secret: any user of the machine
 * may connect to the socket, or may have taken its name first.
 */
export interface Hello {
  readonly version: number;
  readonly nonce: Buffer;
}

export function createHello(): Hello {
  return { version: protocolVersion, nonce: randomBytes(nonceLength) };
}

export function encodeHello({ version, nonce }: Hello): Buffer {
  return Buffer.concat([Buffer.from([version]), nonce]);
}

export function decodeHello(payload: Buffer): Hello {
  if (payload.length < 1 + nonceLength) throw new Error('not a greeting of the store');
  return { version: payload.readUInt8(0), nonce: payload.subarray(1, 1 + nonceLength) };
}

export function prove(role: 'holder' | 'forwarder', secret: string, forwarder: Hello, holder: Hello): Buffer {
  return createHmac('sha256', secret).update(role).update(forwarder.nonce).update(holder.nonce).digest();
}

export function isProof(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
