import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modes } from './model.ts';
import { isAllowed, pathBetween } from './modes.ts';
import { modeBreakdown, nextSteps, outcomeProgress, streakDays } from './progress.ts';
import { firstReview, nextReview } from './review-schedule.ts';

const concepts = (understood: number, teaching: number, identified: number) => [
  ...Array.from({ length: understood }, () => ({ status: 'understood' as const })),
  ...Array.from({ length: teaching }, () => ({ status: 'teaching' as const })),
  ...Array.from({ length: identified }, () => ({ status: 'identified' as const })),
];

describe('progress', () => {
  test('proven concepts count whole, taught ones a quarter [SAGE-029] [SAGE-035]', () => {
    expect(outcomeProgress(concepts(3, 1, 1))).toBe(0.65);
    expect(outcomeProgress(concepts(1, 3, 1))).toBe(0.35);
    expect(outcomeProgress([])).toBe(0);
    expect(outcomeProgress(concepts(5, 0, 0))).toBe(1);
    expect(outcomeProgress(concepts(1, 0, 4), true)).toBe(1);
  });

  test('a streak counts back from today, or from yesterday', () => {
    expect(streakDays(['2026-11-18', '2026-11-17', '2026-11-15'], '2026-11-18')).toBe(2);
    expect(streakDays(['2026-11-17', '2026-11-16'], '2026-11-18')).toBe(2);
    expect(streakDays(['2026-11-16'], '2026-11-18')).toBe(0);
    expect(streakDays(['2026-03-01', '2026-02-28'], '2026-03-01')).toBe(2);
  });

  test('the shares of modes add up to one and follow the turns [SAGE-069]', () => {
    expect(modeBreakdown(['check_in', 'probing', 'teaching', 'teaching', 'verification'])).toEqual({
      probing: 0.25,
      teaching: 0.5,
      verification: 0.25,
    });
    expect(modeBreakdown(['check_in'])).toEqual({});
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...modes), { minLength: 1, maxLength: 60 }), (turns) => {
        const shares = Object.values(modeBreakdown(turns));
        if (shares.length > 0) expect(Math.round(shares.reduce((sum, share) => sum + share * 100, 0))).toBe(100);
      }),
    );
  });

  test('next steps: at most three, never none, from what is known [SAGE-070]', () => {
    const nothing = {
      today: '2026-11-18',
      upcoming: [],
      pending: [],
      halfProven: undefined,
      dueReviews: [],
      nextConcept: undefined,
      goal: undefined,
      achieved: false,
      practice: undefined,
    };
    expect(nextSteps(nothing)).toHaveLength(1);
    const upcoming = [{ occasion: 'your call', plannedDate: '2026-11-24', concept: 'Anchoring' }];
    const steps = nextSteps({ ...nothing, upcoming, dueReviews: ['A', 'B'], nextConcept: 'C', goal: 'G' });
    expect(steps).toHaveLength(3);
    expect(steps[0]).toBe('Practice Anchoring before your call on Tuesday (2026-11-24)');
  });
});

describe('modes', () => {
  test('every mode can be reached from every other by allowed steps, and only by them', () => {
    for (const from of modes) {
      for (const to of modes) {
        const path = pathBetween(from, to);
        if (to === 'check_in' || (to === 'followup' && from !== 'check_in')) {
          if (from !== to) expect(path).toBeUndefined();
          continue;
        }
        let at = from;
        for (const step of path ?? []) {
          expect(isAllowed(at, step)).toBe(true);
          at = step;
        }
        expect(at).toBe(to);
      }
    }
  });
});

describe('reviews', () => {
  const day = 86_400_000;
  const earned = new Date('2026-11-18T09:00:00Z');
  test('a proof comes due in days, later each time it holds, soon after it failed', () => {
    const first = firstReview(earned);
    const gap = first.dueAt.getTime() - earned.getTime();
    expect(gap).toBeGreaterThanOrEqual(day);
    const second = nextReview(first.card, 'good', first.dueAt);
    expect(second.dueAt.getTime() - first.dueAt.getTime()).toBeGreaterThan(gap);
    const failed = nextReview(second.card, 'again', second.dueAt);
    expect(failed.dueAt.getTime() - second.dueAt.getTime()).toBeLessThan(
      second.dueAt.getTime() - first.dueAt.getTime(),
    );
  });
});
