import type { CivilDate } from './calendar.ts';
import { type WallClock, wallClockAt } from './zone.ts';

/** The here and now that words like "tomorrow" refer to. */
export interface ReferencePoint {
  readonly now: Date;
  readonly zone: string;
  readonly wall: WallClock;
  readonly today: CivilDate;
  /** Whether 5/12 means the fifth of December. */
  readonly dayFirst: boolean;
}

export function referencePoint(now: Date, zone: string, dayFirst = false): ReferencePoint {
  const wall = wallClockAt(now, zone);
  return { now, zone, wall, today: wall.date, dayFirst };
}
