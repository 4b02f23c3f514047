import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeStores, emptyStore } from '../../store/store.test-helpers.ts';
import type { Store } from '../../store/store.ts';
import { Accounts } from './accounts.ts';

const password = 'a long enough secret';

describeStores('signing in', (open) => {
  let store: Store;
  let now = new Date('2026-01-01T12:00:00Z');
  const accounts = () =>
    new Accounts(
      async () => store,
      () => now,
    );
  const wait = (ms: number) => (now = new Date(now.getTime() + ms));
  beforeAll(async () => (store = await open()));
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    await accounts().setPassword('local', password);
  });

  test('takes the right password only', async () => {
    expect(await accounts().login('local', password)).toEqual({ ok: true, userId: 'local' });
    expect(await accounts().login('local', `${password} `)).toMatchObject({ ok: false, reason: 'wrong' });
    expect(await accounts().login('nobody', password)).toMatchObject({ ok: false, reason: 'wrong' });
  });

  test('accepts a password typed with other code points for the same letters', async () => {
    await accounts().setPassword('local', 'cafe\u0301 in the rain');
    expect(await accounts().login('local', 'caf\u00e9 in the rain')).toMatchObject({ ok: true });
  });

  test('locks after five wrong guesses, longer each time, and forgets after a success', async () => {
    for (let attempt = 1; attempt < 5; attempt++) await accounts().login('local', 'wrong wrong');
    expect(await accounts().login('local', 'wrong wrong')).toEqual({
      ok: false,
      reason: 'locked',
      retryAfterMs: 30_000,
    });
    expect(await accounts().login('local', password)).toMatchObject({ ok: false, reason: 'locked' });
    wait(30_001);
    expect(await accounts().login('local', 'wrong wrong')).toMatchObject({ reason: 'locked', retryAfterMs: 60_000 });
    wait(60_001);
    expect(await accounts().login('local', password)).toMatchObject({ ok: true });
    expect(await accounts().login('local', 'wrong wrong')).toMatchObject({ reason: 'wrong' });
  });

  test('guesses made at the same time count one by one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => accounts().login('local', 'wrong wrong')));
    expect(outcomes.every((outcome) => !outcome.ok)).toBe(true);
    expect(await accounts().login('local', password)).toMatchObject({ ok: false, reason: 'locked' });
  });

  test('refuses a short password', async () => {
    await expect(accounts().setPassword('local', 'short')).rejects.toThrow('at least 10 characters');
  });
});
