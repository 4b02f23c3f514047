import { sql } from 'kysely';
import { ToolError } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import { hashPassword, minimumPasswordLength, pretendToVerify, verifyPassword } from './password.ts';
import { authTables } from './tables.ts';

export type LoginOutcome =
  | { ok: true; userId: string }
  | { ok: false; reason: 'wrong' | 'locked'; retryAfterMs: number };

const attemptsBeforeLock = 5;
const firstLockMs = 30_000;
const longestLockMs = 3_600_000;

/** Names and passwords of the embedded authorization server. */
export class Accounts {
  readonly #store: () => Promise<Store>;
  readonly #now: () => Date;

  constructor(store: () => Promise<Store>, now: () => Date = () => new Date()) {
    this.#store = store;
    this.#now = now;
  }

  async setPassword(userId: string, password: string): Promise<void> {
    if (password.length < minimumPasswordLength) {
      throw new ToolError('WEAK_PASSWORD', `A password needs at least ${minimumPasswordLength} characters`);
    }
    const hash = await hashPassword(password);
    const db = authTables(await this.#store());
    const fresh = { password_hash: hash, failed_attempts: 0, locked_until: null, changed_at: this.#now() };
    await db
      .insertInto('credentials')
      .values({ user_id: userId, ...fresh })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
      .execute();
  }

  async any(): Promise<boolean> {
    const db = authTables(await this.#store());
    return (await db.selectFrom('credentials').select('user_id').limit(1).executeTakeFirst()) !== undefined;
  }

  async exists(userId: string): Promise<boolean> {
    const { db } = await this.#store();
    return (await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined;
  }

  /** Every wrong password counts, before the check, so that parallel guesses cannot slip past the lock. */
  async login(userId: string, password: string): Promise<LoginOutcome> {
    const db = authTables(await this.#store());
    const now = this.#now();
    const account = await db
      .updateTable('credentials')
      .set({ failed_attempts: sql`failed_attempts + 1` })
      .where('user_id', '=', userId)
      .where((where) => where.or([where('locked_until', 'is', null), where('locked_until', '<=', now)]))
      .returningAll()
      .executeTakeFirst();
    if (!account) {
      await pretendToVerify(password);
      return this.#lockedOrUnknown(userId, now);
    }
    if (await verifyPassword(password, account.password_hash)) {
      await db
        .updateTable('credentials')
        .set({ failed_attempts: 0, locked_until: null })
        .where('user_id', '=', userId)
        .execute();
      return { ok: true, userId };
    }
    if (account.failed_attempts < attemptsBeforeLock) return { ok: false, reason: 'wrong', retryAfterMs: 0 };
    const lockMs = Math.min(longestLockMs, firstLockMs * 2 ** (account.failed_attempts - attemptsBeforeLock));
    const lockedUntil = new Date(now.getTime() + lockMs);
    await db.updateTable('credentials').set({ locked_until: lockedUntil }).where('user_id', '=', userId).execute();
    return { ok: false, reason: 'locked', retryAfterMs: lockMs };
  }

  async #lockedOrUnknown(userId: string, now: Date): Promise<LoginOutcome> {
    const db = authTables(await this.#store());
    const account = await db
      .selectFrom('credentials')
      .select('locked_until')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!account?.locked_until) return { ok: false, reason: 'wrong', retryAfterMs: 0 };
    return { ok: false, reason: 'locked', retryAfterMs: Math.max(0, account.locked_until.getTime() - now.getTime()) };
  }
}
