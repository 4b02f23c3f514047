import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, errors, exportJWK, generateKeyPair, type JWK, type JWTVerifyGetKey } from 'jose';
import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { type AuthTables, authTables } from './tables.ts';

/** A new key takes over after this; the old one still verifies until its last token has expired. */
const rotateAfterMs = 90 * 24 * 3_600_000;
const keepMs = 2 * 24 * 3_600_000;

/** The keys that sign access tokens, newest first. All processes on one store share them. */
export async function loadSigningKeys(store: Store, now: Date): Promise<JWK[]> {
  return store.transaction(async (transaction) => {
    const db = transaction.withTables<AuthTables>();
    await sql`lock table signing_keys in exclusive mode`.execute(db);
    const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute();
    const keys = rows.map((row) => row.private_key);
    const newest = rows[0]?.created_at;
    if (newest && now.getTime() - newest.getTime() < rotateAfterMs) return keys;

    const fresh = await createKey();
    await db
      .insertInto('signing_keys')
      .values({ id: fresh.kid, private_key: JSON.stringify(fresh), created_at: now })
      .execute();
    const outlived = new Date(now.getTime() - rotateAfterMs - keepMs);
    await db.deleteFrom('signing_keys').where('created_at', '<', outlived).execute();
    return [fresh, ...keys];
  });
}

async function createKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: randomBytes(8).toString('hex') };
}

const reloadEveryMs = 5_000;

/** Finds the key of a token; a token by a key that another process has made since leads to a look in the store. */
export function createKeyLookup(keys: readonly JWK[], reload: () => Promise<JWK[]>): JWTVerifyGetKey {
  let known = publicKeys(keys);
  let loadedAt = Date.now();
  return async (header, token) => {
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || Date.now() - loadedAt < reloadEveryMs) throw error;
      loadedAt = Date.now();
      known = publicKeys(await reload());
      return known(header, token);
    }
  };
}

function publicKeys(keys: readonly JWK[]): JWTVerifyGetKey {
  const parts = keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK);
  return createLocalJWKSet({ keys: parts });
}

/** A secret made once and kept, such as the key that signs cookies. */
export async function loadSecret(store: Store, name: string): Promise<string> {
  const db = authTables(store);
  const value = randomBytes(32).toString('base64url');
  await db
    .insertInto('server_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('server_secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
