import type { Weekday } from './calendar.ts';

const names = <T>(groups: readonly (readonly [string, T])[]): ReadonlyMap<string, T> =>
  new Map(groups.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)));

export const weekdays = names<Weekday>([
  ['monday mon', 1],
  ['tuesday tue tues', 2],
  ['wednesday wed weds', 3],
  ['thursday thu thur thurs', 4],
  ['friday fri', 5],
  ['saturday sat', 6],
  ['sunday sun', 7],
]);

export const months = names<number>([
  ['january jan', 1],
  ['february feb', 2],
  ['march mar', 3],
  ['april apr', 4],
  ['may', 5],
  ['june jun', 6],
  ['july jul', 7],
  ['august aug', 8],
  ['september sept sep', 9],
  ['october oct', 10],
  ['november nov', 11],
  ['december dec', 12],
]);

export const smallNumbers = names<number>([
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['seven', 7],
  ['eight', 8],
  ['nine', 9],
  ['ten', 10],
  ['eleven', 11],
  ['twelve', 12],
  ['thirteen', 13],
  ['fourteen', 14],
  ['fifteen', 15],
  ['sixteen', 16],
  ['seventeen', 17],
  ['eighteen', 18],
  ['nineteen', 19],
]);

export const tens = names<number>([
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);

export const ordinals = names<number>([
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
  ['eleventh', 11],
  ['twelfth', 12],
  ['thirteenth', 13],
  ['fourteenth', 14],
  ['fifteenth', 15],
  ['sixteenth', 16],
  ['seventeenth', 17],
  ['eighteenth', 18],
  ['nineteenth', 19],
  ['twentieth', 20],
  ['thirtieth', 30],
]);

export type Unit = 'minute' | 'hour' | 'day' | 'working-day' | 'week' | 'month' | 'year';

export const units = names<Unit>([
  ['minute minutes min mins', 'minute'],
  ['hour hours hr hrs', 'hour'],
  ['day days', 'day'],
  ['week weeks wk wks', 'week'],
  ['month months', 'month'],
  ['year years yr yrs', 'year'],
]);

/** Short forms that follow a digit: `30m`, `2h`, `3d`, `1w`. */
export const shortUnits = names<Unit>([
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
]);

/** Feasts with one date everywhere. Word sequences, longest first. */
export const holidays: readonly (readonly [words: string, month: number, day: number])[] = [
  ["new year's eve", 12, 31],
  ['new years eve', 12, 31],
  ["new year's day", 1, 1],
  ['new years day', 1, 1],
  ["new year's", 1, 1],
  ['christmas eve', 12, 24],
  ['christmas day', 12, 25],
  ['boxing day', 12, 26],
  ['christmas', 12, 25],
  ['xmas', 12, 25],
  ["valentine's day", 2, 14],
  ['valentines day', 2, 14],
  ['halloween', 10, 31],
];

/** Only abbreviations that mean one zone in English; an offset or an IANA name says the rest. */
export const zoneNames: ReadonlyMap<string, string> = new Map([
  ['utc', 'UTC'],
  ['gmt', 'UTC'],
  ['z', 'UTC'],
  ['et', 'America/New_York'],
  ['est', 'America/New_York'],
  ['edt', 'America/New_York'],
  ['ct', 'America/Chicago'],
  ['cdt', 'America/Chicago'],
  ['mdt', 'America/Denver'],
  ['pt', 'America/Los_Angeles'],
  ['pst', 'America/Los_Angeles'],
  ['pdt', 'America/Los_Angeles'],
  ['cet', 'Europe/Berlin'],
  ['cest', 'Europe/Berlin'],
]);

/** Words that are seldom a day or month when they stand alone. */
export const weakWords: ReadonlySet<string> = new Set(['sun', 'sat', 'wed', 'mon', 'may', 'march', 'mar', 'second']);
