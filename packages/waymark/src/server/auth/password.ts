import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyLength = 32;

export const minimumPasswordLength = 10;

/** `scrypt$N$r$p$salt$key`: the parameters travel with the hash, so they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = stored.split('$');
  const expected = Buffer.from(key, 'base64url');
  const parameters = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), parameters);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Takes as long as a real check, so that an unknown name cannot be told from a wrong password. */
export async function pretendToVerify(password: string): Promise<void> {
  await derive(password, Buffer.alloc(16), cost);
}

function derive(password: string, salt: Buffer, parameters: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, parameters, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
