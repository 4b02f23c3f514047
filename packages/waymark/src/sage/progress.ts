import { formatDate, wallClockAt } from '../dates/index.ts';
import type { ConceptStatus, Mode } from './model.ts';

/** Proven concepts count whole, those being taught a quarter. */
export function outcomeProgress(required: readonly { readonly status: ConceptStatus }[], achieved = false): number {
  if (achieved) return 1;
  if (required.length === 0) return 0;
  const count = (status: ConceptStatus) => required.filter((concept) => concept.status === status).length;
  return round((count('understood') + 0.25 * count('teaching')) / required.length);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function localDay(at: Date, zone: string): string {
  return formatDate(wallClockAt(at, zone).date);
}

/** Consecutive days with something done, counted back from today, or from yesterday while today has nothing yet. */
export function streakDays(days: Iterable<string>, today: string): number {
  const active = new Set(days);
  let day = active.has(today) ? today : dayBefore(today);
  let count = 0;
  while (active.has(day)) {
    count += 1;
    day = dayBefore(day);
  }
  return count;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** A pause longer than this is not time spent learning. */
export const idleGapMs = 15 * 60_000;

export function activeTime(from: Date, to: Date): number {
  return Math.min(Math.max(0, to.getTime() - from.getTime()), idleGapMs);
}

/** The share of turns in each mode, check-in left out; shares add up to exactly 1 in hundredths. */
export function modeBreakdown(turnModes: readonly Mode[]): Record<string, number> {
  const counted = turnModes.filter((mode) => mode !== 'check_in');
  if (counted.length === 0) return {};
  const counts = new Map<Mode, number>();
  for (const mode of counted) counts.set(mode, (counts.get(mode) ?? 0) + 1);
  const parts = [...counts].map(([mode, count]) => {
    const exact = (count * 100) / counted.length;
    return { mode, whole: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const missing = 100 - parts.reduce((sum, { whole }) => sum + whole, 0);
  const rounded = new Set(parts.toSorted((left, right) => right.rest - left.rest).slice(0, missing));
  return Object.fromEntries(parts.map((part) => [part.mode, (part.whole + (rounded.has(part) ? 1 : 0)) / 100]));
}

export interface StepFacts {
  readonly today: string;
  readonly upcoming: readonly {
    readonly occasion: string;
    readonly plannedDate: string | null;
    readonly concept: string | undefined;
  }[];
  readonly pending: readonly string[];
  /** A concept half proven: explained, but not used, or the reverse. */
  readonly halfProven: string | undefined;
  readonly dueReviews: readonly string[];
  readonly nextConcept: string | undefined;
  readonly goal: string | undefined;
  readonly achieved: boolean;
  readonly practice: string | undefined;
}

/** At most three things to do next, from what is known. Never none. */
export function nextSteps(facts: StepFacts): string[] {
  const steps = [
    ...facts.upcoming.map(({ occasion, plannedDate, concept }) => {
      const what = concept ? `Practice ${concept}` : 'Go over your notes';
      return `${what} before ${occasion}${plannedDate ? ` on ${weekday(plannedDate)} (${plannedDate})` : ''}`;
    }),
    ...facts.pending.map((occasion) => `Tell me how ${occasion} went, at the start of the next session`),
    ...(facts.halfProven ? [`Finish ${facts.halfProven}: one answer in your own words is still missing`] : []),
    ...facts.dueReviews.map((concept) => `Review ${concept}; it is due`),
    ...(facts.nextConcept ? [`Next piece: ${facts.nextConcept}`] : []),
    ...(facts.achieved && facts.goal ? [`Use “${facts.goal}” for real within a week, and report back`] : []),
    ...(facts.practice ? [`Rehearse it in the role play “${facts.practice}”`] : []),
  ];
  if (steps.length > 0) return [...new Set(steps)].slice(0, 3);
  return [
    facts.goal
      ? `Come back to “${facts.goal}” within two days`
      : 'Decide on one thing you want to be able to do, and start with it',
  ];
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function weekday(day: string): string {
  return weekdays[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? day;
}
