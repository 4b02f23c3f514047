import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import { exportAnki } from './anki.ts';
import type { Circumstances } from './circumstances.ts';
import { connectSage, now, proveFirst, solid, type TestTutor } from './sage.test-helpers.ts';
import { exportLearner, importLearner } from './transfer.ts';

const as = (userId: string): Circumstances => ({
  userId,
  now,
  randomId: () => randomBytes(18).toString('base64url'),
  clientZone: undefined,
  requestKey: undefined,
  signal: new AbortController().signal,
});

describeStores('taking a learner along', (open) => {
  let store: Store;
  let tutor: TestTutor;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    tutor = await connectSage(store, { user: { id: 'local' } });
  });

  /** One proof, one plan, one review, one practice. */
  async function live(): Promise<string> {
    await tutor.start('saying no', { energy: 'high' });
    await proveFirst(tutor);
    await tutor.say('I have a meeting with my boss on Friday.');
    const { data } = await tutor.call('sage_practice_start');
    await tutor.call('sage_practice_message', { session_id: data['practiceSessionId'], message: 'maybe' });
    await tutor.call('sage_practice_end', { session_id: data['practiceSessionId'] });
    tutor.pass({ days: 30 });
    await tutor.start();
    await tutor.say('hello');
    await tutor.say('It was good, thanks for asking me.');
    await tutor.say(solid.clearNo[0]);
    return JSON.stringify(await exportLearner(store, as('local')));
  }

  test('everything comes back as it was, for another person too', async () => {
    const file = await live();
    const report = await importLearner(store, as('copy'), file, { replace: false });
    expect(report).toEqual({ outcomes: 1, concepts: 2, proofs: 1, sessions: 2 });
    const copy = await connectSage(store, { user: { id: 'copy' } });
    copy.pass({ days: 30 });
    const [mine, theirs] = [await tutor.call('sage_progress'), await copy.call('sage_progress')];
    const withoutIds = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/_[a-z2-7]{20}/g, '')) as unknown;
    expect(withoutIds(theirs.data)).toEqual(withoutIds(mine.data));
    expect(withoutIds((await copy.call('sage_graph')).meta)).toEqual(withoutIds((await tutor.call('sage_graph')).meta));
    const again = JSON.parse(JSON.stringify(await exportLearner(store, as('copy')))) as {
      tables: Record<string, unknown[]>;
    };
    const first = JSON.parse(file) as { tables: Record<string, unknown[]> };
    for (const [table, rows] of Object.entries(first.tables)) {
      expect([table, again.tables[table]?.length]).toEqual([table, rows.length]);
      expect(rows.length).toBeGreaterThan(0);
    }
  });

  test('what is there is replaced only when asked to, and a bad file changes nothing', async () => {
    const file = await live();
    await expect(importLearner(store, as('local'), file, { replace: false })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await importLearner(store, as('local'), file, { replace: true });
    for (const bad of [
      '',
      '[]',
      '{}',
      file.replace('"understood"', '"forgotten"'),
      file.replace('waymark-learner/1', 'x'),
    ]) {
      await expect(importLearner(store, as('local'), bad, { replace: true })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
    const broken = JSON.parse(file) as { tables: { proofs: { concept_id: string }[] } };
    for (const proof of broken.tables.proofs) proof.concept_id = `con_${'a'.repeat(20)}`;
    await expect(importLearner(store, as('local'), JSON.stringify(broken), { replace: true })).rejects.toThrow();
    expect((await tutor.call('sage_progress')).data['stats'].totalProofs).toBe(1);
  });

  test('proofs become flash cards in the learner’s own words', async () => {
    await live();
    const { text, cards } = await exportAnki(store, as('local'), 'My deck');
    expect(cards).toBe(2);
    const lines = text.trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '#separator:tab',
      '#html:true',
      '#deck:My deck',
      '#guid column:1',
      '#tags column:4',
    ]);
    for (const line of lines.slice(5)) expect(line.split('\t')).toHaveLength(4);
    expect(text).toContain('If I refuse right away they can look for someone else');
    expect((await exportAnki(store, as('nobody'))).cards).toBe(0);
  });
});
