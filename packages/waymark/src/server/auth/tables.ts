import type { JWK } from 'jose';
import type { ColumnType, Generated } from 'kysely';
import type { Scope } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';

export type AuthTables = {
  credentials: {
    user_id: string;
    password_hash: string;
    failed_attempts: Generated<number>;
    locked_until: Date | null;
    changed_at: Generated<Date>;
  };
  access_tokens: {
    id: string;
    user_id: string;
    name: string;
    hash: Buffer;
    scopes: Scope[];
    created_at: Generated<Date>;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  oauth_records: {
    kind: string;
    id: string;
    payload: ColumnType<Record<string, unknown>, string, string>;
    grant_id: string | null;
    uid: string | null;
    user_id: string | null;
    expires_at: Date | null;
    consumed_at: Date | null;
  };
  signing_keys: { id: string; private_key: ColumnType<JWK, string, string>; created_at: Generated<Date> };
  server_secrets: { name: string; value: string };
  audit_log: {
    id: Generated<string>;
    at: Generated<Date>;
    user_id: string | null;
    event: string;
    client: string | null;
    address: string | null;
    details: ColumnType<Record<string, unknown>, string, string>;
  };
};

export function authTables(store: Store) {
  return store.db.withTables<AuthTables>();
}
