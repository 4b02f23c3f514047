import { describe, expect, test } from 'vitest';
import { adapt, mergeCheckins } from './adaptation.ts';

describe('adaptation', () => {
  test.each([
    [{ energy: 'medium', timeAvailable: 30, environment: 'quiet office' }, 'moderate', 'standard', true],
    [{}, 'moderate', 'standard', true],
    [{ energy: 'low' }, 'patient', 'light', true],
    [{ energy: 'low', timeAvailable: 15 }, 'patient', 'light', false],
    [{ energy: 'high' }, 'fast', 'standard', true],
    [{ energy: 'high', timeAvailable: 60 }, 'fast', 'deep', true],
    [{ energy: 'high', timeAvailable: 15 }, 'moderate', 'light', true],
    [{ energy: 'high', timeAvailable: 60, environment: 'a cafe' }, 'moderate', 'deep', true],
    [{ timeAvailable: 10 }, 'moderate', 'light', false],
    [{ timeAvailable: 20 }, 'moderate', 'light', true],
    [{ timeAvailable: 45 }, 'moderate', 'standard', true],
    [{ environment: 'commuting by train' }, 'patient', 'standard', false],
    [{ energy: 'high', timeAvailable: 60, environment: 'driving home' }, 'patient', 'deep', false],
  ] as const)(
    '%o gives pace %s, depth %s, practice %s [SAGE-018] [SAGE-019]',
    (checkin, pace, depth, practiceEnabled) => {
      expect(adapt(checkin)).toMatchObject({ pace, depth, practiceEnabled });
    },
  );

  test('each rule that fires says so; a neutral check-in says nothing', () => {
    expect(adapt({ energy: 'medium', timeAvailable: 30 }).reasons).toEqual([]);
    expect(adapt({ energy: 'low', timeAvailable: 10 }).reasons).toHaveLength(3);
    expect(adapt({ environment: 'driving' })).toMatchObject({ driving: true });
  });

  test('strain and preference only slow down', () => {
    expect(adapt({ energy: 'high', mindset: 'stressed about work' }).pace).toBe('patient');
    expect(adapt({ energy: 'high' }, 'moderate').pace).toBe('moderate');
    expect(adapt({ energy: 'low' }, 'fast').pace).toBe('patient');
  });

  test('later check-ins win, field by field [SAGE-021]', () => {
    const merged = mergeCheckins([
      { energy: 'low', timeAvailable: 10 },
      { energy: 'high', timeAvailable: undefined },
    ]);
    expect(merged).toEqual({ energy: 'high', timeAvailable: 10 });
  });
});
