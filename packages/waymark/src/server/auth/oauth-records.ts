import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Store } from '../../store/store.ts';
import { authTables } from './tables.ts';

/** Everything the authorization server remembers, in the store: restarts and several processes are no matter. */
export function createRecordAdapter(store: Store): new (kind: string) => Adapter {
  return class RecordAdapter implements Adapter {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
      const row = {
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        user_id: payload.accountId ?? null,
        expires_at: expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
      };
      await authTables(store)
        .insertInto('oauth_records')
        .values({ kind: this.#kind, id, consumed_at: null, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
        .execute();
    }

    find(id: string) {
      return this.#findBy('id', id);
    }

    findByUid(uid: string) {
      return this.#findBy('uid', uid);
    }

    /** Only the device flow asks for this, which is off. */
    async findByUserCode(): Promise<undefined> {}

    /** At most one caller consumes a code or a refresh token, also when two arrive at once. */
    async consume(id: string): Promise<void> {
      await authTables(store)
        .updateTable('oauth_records')
        .set({ consumed_at: new Date() })
        .where('kind', '=', this.#kind)
        .where('id', '=', id)
        .where('consumed_at', 'is', null)
        .execute();
    }

    async destroy(id: string): Promise<void> {
      await authTables(store).deleteFrom('oauth_records').where('kind', '=', this.#kind).where('id', '=', id).execute();
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await authTables(store).deleteFrom('oauth_records').where('grant_id', '=', grantId).execute();
    }

    async #findBy(column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> {
      const row = await authTables(store)
        .selectFrom('oauth_records')
        .select(['payload', 'expires_at', 'consumed_at'])
        .where('kind', '=', this.#kind)
        .where(column, '=', value)
        .executeTakeFirst();
      if (!row || (row.expires_at && row.expires_at.getTime() <= Date.now())) return undefined;
      const consumed = row.consumed_at ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) } : {};
      return { ...(row.payload as AdapterPayload), ...consumed };
    }
  };
}

export async function sweepExpiredRecords(store: Store): Promise<void> {
  await authTables(store).deleteFrom('oauth_records').where('expires_at', '<', new Date()).execute();
}
