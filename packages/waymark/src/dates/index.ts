export { addDays, type CivilDate, formatDate, type Weekday } from './calendar.ts';
export {
  type Due,
  dueDay,
  dueInstant,
  dueInWords,
  type DueParts,
  type DueText,
  isOverdue,
  moveDue,
  readDue,
  shiftDue,
} from './due.ts';
export { type DatePhrase, findDatePhrase, type Span, withoutSpans } from './find-date.ts';
export type { Duration } from './number-rules.ts';
export { type DateOptions, type DateResult, parseDate, parseDuration } from './parse-date.ts';
export {
  formatInstant,
  instantOf,
  isTimeZone,
  startOfDay,
  systemTimeZone,
  wallClockAt,
  type WallClock,
} from './zone.ts';
export {
  findRecurrencePhrase,
  nextOccurrence,
  parseRecurrence,
  type Recurrence,
  type RecurrencePhrase,
  type RecurrenceResult,
} from './recurrence.ts';
export { recurrenceInWords } from './recurrence-words.ts';
export { parseRule } from './rrule.ts';
