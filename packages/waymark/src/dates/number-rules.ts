import type { Cursor } from './cursor.ts';
import { ordinals, shortUnits, smallNumbers, tens, type Unit, units } from './vocabulary.ts';

export interface Duration {
  readonly amount: number;
  readonly unit: Unit;
}

/** `7`, `seven`, `twenty five`, `twenty-five`. */
export function wholeNumber(cursor: Cursor): number | undefined {
  const digits = cursor.takeNumber();
  if (digits !== undefined) return digits;
  const ten = cursor.lookUp(tens);
  if (ten === undefined) return cursor.lookUp(smallNumbers);
  return ten + (cursor.attempt((inner) => (inner.take('-'), digitWord(inner))) ?? 0);
}

function digitWord(cursor: Cursor): number | undefined {
  const value = cursor.lookUp(smallNumbers);
  return value !== undefined && value < 10 ? value : undefined;
}

/** `15th`, `3rd`, `fifth`, `twenty first`. */
export function ordinalNumber(cursor: Cursor): number | undefined {
  return cursor.firstOf(
    (inner) => {
      const digits = inner.takeNumber(1, 2);
      if (digits === undefined || !inner.isGlued) return undefined;
      return inner.take('st', 'nd', 'rd', 'th') ? digits : undefined;
    },
    (inner) => {
      const ten = inner.lookUp(tens);
      if (ten === undefined) return undefined;
      inner.take('-');
      const rest = inner.lookUp(ordinals);
      return rest !== undefined && rest < 10 ? ten + rest : undefined;
    },
    (inner) => inner.lookUp(ordinals),
  );
}

/** `3 days`, `a week`, `half an hour`, `an hour and a half`, `1.5 hours`, `two working days`, `90m`. */
export function duration(cursor: Cursor): Duration | undefined {
  return cursor.firstOf<Duration>(halfUnit, (inner) => {
    if (inner.takeWords('a fortnight') || inner.take('fortnight')) return { amount: 2, unit: 'week' };
    const whole = inner.attempt(amountOf);
    if (whole === undefined) return undefined;
    if (inner.take('fortnight', 'fortnights')) return { amount: whole * 2, unit: 'week' };
    if (inner.take('business', 'working', 'work')) {
      return inner.take('day', 'days') ? { amount: whole, unit: 'working-day' } : undefined;
    }
    const unit = inner.lookUp(units) ?? (isDigit(inner) ? inner.lookUp(shortUnits) : undefined);
    if (unit === undefined) return undefined;
    return split(inner.takeWords('and a half') ? whole + 0.5 : whole, unit);
  });
}

function amountOf(cursor: Cursor): number | undefined {
  if (cursor.takeWords('a couple of') || cursor.takeWords('a couple') || cursor.takeWords('couple of')) return 2;
  if (cursor.take('a', 'an')) return 1;
  const whole = wholeNumber(cursor);
  if (whole === undefined) return undefined;
  return (
    cursor.attempt((inner) => {
      const decimals = inner.take('.') && inner.isGlued ? inner.peek() : undefined;
      if (decimals?.kind !== 'number') return undefined;
      inner.index++;
      return Number(`${whole}.${decimals.text}`);
    }) ?? whole
  );
}

function halfUnit(cursor: Cursor): Duration | undefined {
  const half = cursor.takeWords('half an') || cursor.takeWords('half a') || cursor.takeWords('a half');
  const unit = half ? cursor.lookUp(units) : undefined;
  return unit && split(0.5, unit);
}

/** Whole minutes and days only: half an hour is 30 minutes, half a day 12 hours. */
function split(amount: number, unit: Unit): Duration | undefined {
  if (Number.isInteger(amount)) return { amount, unit };
  const finer = { hour: ['minute', 60], day: ['hour', 24], week: ['day', 7], year: ['month', 12] } as const;
  const [smaller, factor] = finer[unit as keyof typeof finer] ?? [];
  if (smaller === undefined) return undefined;
  return { amount: Math.round(amount * factor), unit: smaller };
}

function isDigit(cursor: Cursor): boolean {
  return cursor.isGlued && cursor.peek(-1)?.kind === 'number';
}
