import { createHash, randomBytes } from 'node:crypto';
import { type Scope, ToolError } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import { authTables } from './tables.ts';

/** Personal access tokens start with this, so that leaked ones can be found and told from others. */
export const accessTokenPrefix = 'wmk_';

export interface AccessToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Tokens a person makes for scripts: shown once, stored as a hash, scoped, expiring. */
export class AccessTokens {
  readonly #store: () => Promise<Store>;
  readonly #now: () => Date;

  constructor(store: () => Promise<Store>, now: () => Date = () => new Date()) {
    this.#store = store;
    this.#now = now;
  }

  async create(
    userId: string,
    name: string,
    scopes: readonly Scope[],
    expiresAt: Date | null,
  ): Promise<{ id: string; token: string }> {
    const store = await this.#store();
    const user = await store.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst();
    if (!user) throw new ToolError('USER_NOT_FOUND', `There is no user "${userId}"`);
    const id = randomBytes(6).toString('hex');
    const token = `${accessTokenPrefix}${id}_${randomBytes(24).toString('base64url')}`;
    await authTables(store)
      .insertInto('access_tokens')
      .values({
        id,
        user_id: userId,
        name,
        hash: hashOf(token),
        scopes: [...scopes],
        expires_at: expiresAt,
        last_used_at: null,
      })
      .execute();
    return { id, token };
  }

  async list(userId?: string): Promise<AccessToken[]> {
    let query = authTables(await this.#store())
      .selectFrom('access_tokens')
      .selectAll()
      .orderBy('created_at');
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    return (await query.execute()).map((row) => ({
      id: row.id,
      userId: row.user_id,
      name: row.name,
      scopes: row.scopes,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  async revoke(id: string): Promise<boolean> {
    const result = await authTables(await this.#store())
      .deleteFrom('access_tokens')
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Whose token it is, or undefined for one that is unknown, revoked or expired. */
  async verify(token: string): Promise<Pick<AccessToken, 'id' | 'userId' | 'scopes' | 'expiresAt'> | undefined> {
    const now = this.#now();
    const row = await authTables(await this.#store())
      .updateTable('access_tokens')
      .set({ last_used_at: now })
      .where('hash', '=', hashOf(token))
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .returning(['id', 'user_id', 'scopes', 'expires_at'])
      .executeTakeFirst();
    return row && { id: row.id, userId: row.user_id, scopes: row.scopes, expiresAt: row.expires_at };
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
