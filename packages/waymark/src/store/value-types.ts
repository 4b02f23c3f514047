import type { CustomTypesConfig } from 'pg';
import pg from 'pg';

const { builtins } = pg.types;

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number; select it as text`);
  return value;
}

const parsers = new Map<number, (text: string) => unknown>([
  // count(*) and bigint columns are numbers, not strings.
  [builtins.INT8, toSafeNumber],
  // A calendar day has no time zone: it stays `2026-01-31`.
  [builtins.DATE, (text) => text],
  // A timestamp without a zone is UTC, never the zone of the machine.
  [builtins.TIMESTAMP, (text) => new Date(`${text.replace(' ', 'T')}Z`)],
]);

/** How values come back, the same on every back end and machine: bigint as number, date as text, timestamps as Date. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) ||
    pg.types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
};
