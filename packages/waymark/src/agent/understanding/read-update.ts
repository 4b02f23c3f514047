import {
  type DateResult,
  type Due,
  type Duration,
  findDatePhrase,
  parseDate,
  parseDuration,
} from '../../dates/index.ts';
import { capture, unquote } from './capture.ts';
import type { DateContext } from './date-context.ts';
import { readPriority, type Priority } from './priority.ts';
import type { Sentence } from './sentence.ts';
import { readTarget, type Target } from './target.ts';

/** What an update sets. Dates stay relative where they depend on the task. */
export interface Patch {
  readonly title?: string;
  readonly description?: string | null;
  readonly priority?: Priority;
  /** One step up or down. */
  readonly priorityStep?: 1 | -1;
  readonly due?: Due;
  /** How the person said the date ("4pm"), for the reply. */
  readonly dueWords?: string;
  readonly clearDue?: boolean;
  readonly shift?: Duration;
  readonly completed?: false;
}

export interface UpdateRequest {
  readonly intent: 'update';
  readonly target: Target;
  readonly patch: Patch;
  /** Words that stand where a date should, but are none. */
  readonly dateProblem?: string;
}

type Groups = Readonly<Record<string, string>>;
type Reading = Omit<UpdateRequest, 'intent'>;

const change =
  '(?:change|set|update|edit|modify|move|make|switch|swap|alter|amend|revise|correct|fix|adjust|put|turn|have)';
const dueField = '(?:due date|due time|deadline|due|date|time|day)';
const nameField = '(?:title|name|wording|text)';

/** Ways to say a change, most particular first. */
const forms: readonly {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, dates: DateContext) => Reading | undefined;
}[] = [
  // remove the due date from pay rent
  form(
    String.raw`^(?:remove|clear|delete|drop|erase|take|get rid of|unset|strip|wipe|cancel|lose) (?:the |its |any |a )?(?<field>${dueField}|description|priority|notes?)(?: (?:from|of|on|off|for))?(?: of)? ?(?<target>.*)$`,
    (groups, dates) => clearing(groups, dates),
  ),
  form(
    String.raw`^(?:remove|clear|delete|drop|erase|take|unset) (?<target>.+?)s? (?<field>due date|deadline|description|priority)$`,
    (groups, dates) => clearing(groups, dates),
  ),
  // rename X to Y
  form(
    String.raw`^(?:rename|retitle|reword|rephrase|relabel|re-name|re-title) (?<target>.+?) (?:to|as|into|:) (?<value>.+)$`,
    ({ target, value }, dates) => ({ target: readTarget(target ?? '', dates), patch: titled(value) }),
  ),
  form(
    String.raw`^(?:rename|retitle|reword|rephrase|relabel) (?<target>.+) (?<value>quoted)$`,
    ({ target, value }, dates) => ({ target: readTarget(target ?? '', dates), patch: titled(value) }),
  ),
  form(
    String.raw`^call (?<target>it|that|(?:the|my) .*?\b(?:task|one|reminder|todo)|(?:task|number|item) \S+) (?<value>.+?)(?: instead)?$`,
    ({ target, value }, dates) => ({ target: readTarget(target ?? '', dates), patch: titled(value) }),
  ),
  form(String.raw`^(?:rename|retitle|reword|rephrase) (?<target>.+)$`, ({ target }, dates) => ({
    target: readTarget(target ?? '', dates),
    patch: {},
  })),
  // reopen
  form(
    String.raw`^(?:undo (?:the )?(?:completion|check|completing)(?: of)?|un-?check|un-?tick|un-?mark|re-?open|un-?complete|un-?finish|re-?activate|unarchive|bring back|restore)(?: (?<target>.+))?$`,
    ({ target }, dates) => ({ target: readTarget(target ?? '', dates), patch: { completed: false } }),
  ),
  form(
    String.raw`^(?:mark|set|put|flag|change|make|move|turn|switch|update|label) (?:the status of )?(?<target>.+?)(?: (?:back|as|to|is|status))* (?:not (?:yet |actually |really )?(?:done|complete|completed|finished)|undone|incomplete|unfinished|uncompleted|open|todo|pending|active|outstanding|in progress)$`,
    ({ target }, dates) => ({ target: readTarget(target ?? '', dates), patch: { completed: false } }),
  ),
  form(
    String.raw`^(?<target>.+?) (?:isnt|is not|are not|arent|was not|wasnt) (?:actually |really )?(?:done|finished|complete|completed) (?:after all|actually)$`,
    ({ target }, dates) => ({ target: readTarget(target ?? '', dates), patch: { completed: false } }),
  ),
  form(
    String.raw`^(?:i|we) (?:did not|didnt|havent|have not) (?:actually|really) (?:do|done|did|finish|finished|complete|completed) (?<target>.+?)(?: ,.*)?$`,
    ({ target }, dates) => ({ target: readTarget(target ?? '', dates), patch: { completed: false } }),
  ),
  // priority
  form(
    String.raw`^(?<verb>raise|increase|boost|bump up|bump|lift|elevate|upgrade|lower|reduce|decrease|drop|downgrade|change|set|update|turn|edit|adjust|make) (?:the )?(?:priority|urgency|importance) (?:level )?(?:of|on|for) (?<target>.+?)(?: (?:to|as|up|down|down to|up to) (?<value>.+))?$`,
    prioritising,
  ),
  form(
    String.raw`^(?<verb>raise|increase|boost|bump up|bump|lower|reduce|decrease|drop|change|set|update) (?<target>.+?s) (?:priority|urgency)(?: (?:to|as) (?<value>.+))?$`,
    prioritising,
  ),
  form(
    String.raw`^(?<verb>raise|increase|boost|bump|lower|reduce|change|set|update) (?:the |its )?(?:priority|urgency)(?: level)?(?: (?:to|as) (?<value>.+))?$`,
    prioritising,
  ),
  form(String.raw`^(?:bump) (?<target>.+?) up in priority$`, ({ target }, dates) => ({
    target: readTarget(target ?? '', dates),
    patch: { priorityStep: 1 },
  })),
  form(
    String.raw`^(?<verb>(?:de-?|re-?)?prioriti[sz]e|escalate|star)(?: (?<target>.+?))?(?: (?:as|to) (?<value>.+))?$`,
    ({ verb, target, value }, dates) => ({
      target: readTarget(target ?? '', dates),
      patch: { priority: readPriority(value ?? '') ?? ((verb ?? '').toLowerCase().startsWith('de') ? 'low' : 'high') },
    }),
  ),
  form(
    String.raw`^(?:add|give|assign|set|put) (?:an? |the )?(?<value>high|higher|low|lower|medium|top) priority (?:to|on|for) (?<target>.+)$`,
    ({ target, value }, dates) => withPriority(target, value, dates),
  ),
  form(
    String.raw`^(?:make|mark|set|flag|label|bump|move|turn|put|give|treat|rank|have|upgrade|downgrade|change|switch|update) (?<target>.+?)(?: (?:as|to|at|a|an|to be|be|up|down|my|the|for))* (?<value>(?:high|higher|highest|low|lower|lowest|medium|normal|top)(?:[ -]prio(?:rity)?)?|urgent|(?:very |really |less )?important|critical|p[1-4])(?: now| please)?$`,
    ({ target, value }, dates) => withPriority(target, value, dates),
  ),
  form(
    String.raw`^(?:actually )?(?<target>.+?) (?:is|are|should be|needs to be|has to be)(?: now| actually| really)* (?:a )?(?<value>(?:high|low|medium|top)(?: priority)|urgent|(?:very )?important)(?: now| actually)?$`,
    ({ target, value }, dates) => withPriority(target, value, dates),
  ),
  // description
  form(
    String.raw`^(?:add|attach|put|write|append) (?:an? |the |some )?(?:new |quick |short )?(?:notes?|description|comment|details?) (?:to|on|for) (?<target>.+?)(?: ?[:,] ?| saying | that says | with )(?<value>.+)$`,
    ({ target, value }, dates) => ({
      target: readTarget(target ?? '', dates),
      patch: { description: unquote(value ?? '') },
    }),
  ),
  form(
    String.raw`^add to the (?:description|notes?|details) of (?<target>.+?) ?[:,] ?(?<value>.+)$`,
    ({ target, value }, dates) => ({
      target: readTarget(target ?? '', dates),
      patch: { description: unquote(value ?? '') },
    }),
  ),
  form(
    String.raw`^${change} (?:the )?(?:description|notes?|details) (?:of|for|on) (?<target>.+?) to (?<value>.+)$`,
    ({ target, value }, dates) => ({
      target: readTarget(target ?? '', dates),
      patch: { description: unquote(value ?? '') },
    }),
  ),
  form(
    String.raw`^(?:add|include|append) (?!(?:an? |the |some )?(?:new |quick )?(?:notes?|description|comment|details?|due date|deadline|priority)\b)(?<value>.+?) (?:to|in|into) (?<target>(?:the|my|that|this) .*(?:task|reminder|todo item))$`,
    ({ target, value }, dates) => ({
      target: readTarget(target ?? '', dates),
      patch: { description: unquote(value ?? '') },
    }),
  ),
  form(
    String.raw`^(?:add|attach|put|write|append) (?:an? |the |some )?(?:new |quick )?(?:notes?|description|comment|details?) (?:to|on|for) (?<target>.+)$`,
    ({ target }, dates) => ({ target: readTarget(target ?? '', dates), patch: {} }),
  ),
  // field of X to Y
  form(
    String.raw`^${change} (?:the |its )?${nameField} (?:of|for|on) (?<target>.+?) (?:to|as|with|to say) (?<value>.+)$`,
    ({ target, value }, dates) => ({ target: readTarget(target ?? '', dates), patch: titled(value) }),
  ),
  form(String.raw`^(?:${change}|replace) (?:the |its )${nameField} (?:to|as|with) (?<value>.+)$`, ({ value }) => ({
    target: { kind: 'pronoun', plural: false },
    patch: titled(value),
  })),
  form(
    String.raw`^give (?<target>.+?) (?:an? |the )?(?:new )?${dueField} (?:of |on |at |for )?(?<value>.+)$`,
    ({ target, value }, dates) => dated(target, value, dates),
  ),
  form(
    String.raw`^(?:${change}|extend|push|postpone|reschedule|shift|bump|delay) (?:the |its )?(?:new )?${dueField} (?:of|for|on) (?<target>.+?) (?<how>to|until|till|by|as|for) (?<value>.+)$`,
    ({ target, how, value }, dates) => datedOrShifted(target, `${how} ${value}`, dates),
  ),
  form(
    String.raw`^(?:${change}|extend|push|postpone|reschedule|shift|bump|delay) (?:the |its )?(?:new )?${dueField} (?<how>to|until|till|by) (?<value>.+)$`,
    ({ how, value }, dates) => datedOrShifted('it', `${how} ${value}`, dates),
  ),
  form(
    String.raw`^(?:${change}|extend|push|postpone|reschedule) (?<target>.+?)(?: s|s)? (?:due date|deadline|due time|time) (?<how>to|until|by) (?<value>.+)$`,
    ({ target, how, value }, dates) => datedOrShifted(target, `${how} ${value}`, dates),
  ),
  form(
    String.raw`^(?:add|set|put|give|assign|attach) (?:an? |the )?(?:new )?${dueField} (?:of |at |on )?(?<value>.+?) (?:to|for|on) (?<target>.+)$`,
    ({ target, value }, dates) => sureDate(target, value, dates),
  ),
  form(
    String.raw`^(?:the |my )?(?:new )?(?:deadline|due date) (?:for|of|on) (?<target>.+?) (?:is|should be|needs to be|changed to|moved to)(?: now)? (?<value>.+)$`,
    ({ target, value }, dates) => dated(target, value, dates),
  ),
  form(
    String.raw`^(?:add|set|put|change|adjust|fix|edit|update|alter) (?:an? |the |its )?(?:new )?${dueField}(?: (?:to|for|on|of) (?<target>.+))?$`,
    ({ target }, dates) => ({ target: readTarget(target ?? 'it', dates), patch: {} }),
  ),
  form(
    String.raw`^(?:edit|change|update|fix|correct|revise|amend) (?:the |its )?(?:${nameField}|description|spelling|typo|details)(?: (?:in|of|for|on) (?<target>.+))?$`,
    ({ target }, dates) => ({ target: readTarget(target ?? 'it', dates), patch: {} }),
  ),
  // the dentist got moved to thursday
  form(
    String.raw`^(?:the |my |our )?(?<target>.+?) (?:(?:is|was|has been|got|are|were|have been|just got) (?:moved|pushed|postponed|rescheduled|delayed|changed|bumped|shifted)(?: back| up| forward| out)? (?:to|until|by)|(?:is|are) (?:now|actually) (?:due )?(?:on|at|for|by)?|(?:is|are) due (?:on|at|by)?|should (?:now )?be (?:due(?: on| at| by)?|on|at|by|for|moved to)|needs? to be (?:moved|pushed|changed|rescheduled|postponed) to) (?<value>.+?)(?: instead| not .*)?$`,
    ({ target, value }, dates) => dated(target, value, dates),
  ),
  form(
    String.raw`^(?:actually|no|wait|sorry|oops)(?: ,)? (?:its?|that|i meant?)(?: is|s)?(?: on| at| for| by| due| now)* (?<value>.+?)(?: instead)?$`,
    ({ value }, dates) => dated('it', value, dates),
  ),
  form(
    String.raw`^(?:i|we) (?:need|want) (?<target>.+?) to be (?:at|on|for|due) (?<value>.+?)(?: instead.*)?$`,
    ({ target, value }, dates) => dated(target, value, dates),
  ),
  form(
    String.raw`^(?:actually |no |wait |,)*make (?:it|that|this) (?:at |for )?(?<value>\d{1,2}(?::\d\d)?)(?: instead)?$`,
    ({ value }, dates) => dated('it', value, dates),
  ),
  form(String.raw`^remind me (?<value>(?:at|on|in) .+?) instead(?: of .+)?$`, ({ value }, dates) =>
    dated('it', value, dates),
  ),
  form(
    String.raw`^give (?:me|us) (?<value>(?:another|more|\S+ more) \S+|until .+?) (?:for|on|to|with) (?<target>.+)$`,
    ({ target, value }, dates) =>
      datedOrShifted(
        target,
        (value ?? '').replace(/^(?:another|one more)/i, 'by a').replace(/^(\w+) more/i, 'by $1'),
        dates,
      ),
  ),
];

function form(pattern: string, read: (groups: Groups, dates: DateContext) => Reading | undefined) {
  return { pattern: new RegExp(pattern, 'd'), read };
}

export function readUpdate(said: Sentence, dates: DateContext): UpdateRequest {
  const sentence = withoutFormer(said);
  for (const { pattern, read } of forms) {
    const groups = capture(sentence, pattern);
    const reading = groups && read(groups, dates);
    if (reading) return { intent: 'update', ...reading };
  }
  return { intent: 'update', ...(moved(sentence, dates) ?? replaced(sentence, dates) ?? untold(sentence, dates)) };
}

/** "to 6 instead of 5", "from 5 to 6": what it was before matters to nobody. */
function withoutFormer(sentence: Sentence): Sentence {
  const end = / (?:instead of|rather than|and not) .+$/.exec(sentence.plain);
  return end && !sentence.plain.startsWith('remind') ? sentence.part(0, end.index) : sentence;
}

function clearing({ field, target = '' }: Groups, dates: DateContext): Reading {
  const of = readTarget(target || 'it', dates);
  if (/description|note/i.test(field ?? '')) return { target: of, patch: { description: null } };
  if (/priority/i.test(field ?? '')) return { target: of, patch: { priority: 'medium' } };
  return { target: of, patch: { clearDue: true } };
}

function prioritising({ verb = '', target, value }: Groups, dates: DateContext): Reading | undefined {
  const of = readTarget((target || 'it').replace(/['’]s$/, ''), dates);
  const named = value ? readPriority(value) : undefined;
  return { target: of, patch: named ? { priority: named } : value ? {} : stepBy(verb) };
}

function stepBy(verb: string): Patch {
  if (/^(?:lower|reduce|decrease|drop|downgrade)/i.test(verb)) return { priorityStep: -1 };
  return /^(?:raise|increase|boost|bump|lift|elevate|upgrade)/i.test(verb) ? { priorityStep: 1 } : {};
}

function withPriority(target: string | undefined, value: string | undefined, dates: DateContext): Reading | undefined {
  const priority = readPriority(value ?? '');
  return priority && { target: readTarget(target ?? '', dates), patch: { priority } };
}

function titled(value: string | undefined): Patch {
  const title = unquote((value ?? '').trim().replace(/[.!]$/, '')).trim();
  return title ? { title } : {};
}

function dated(target: string | undefined, value: string | undefined, dates: DateContext): Reading {
  const words = (value ?? '')
    .trim()
    .replace(/[\s.!?,]+$/, '')
    .replace(/\s+(?:instead(?: of .*)?|please|now|rather than .*|not .*)$/i, '')
    .replace(/^(?:be |due |of )+/i, '');
  const of = readTarget((target || 'it').replace(/\s+from\s+\S+(?:\s+(?:am|pm))?$/i, ''), dates);
  const read = readDate(words, dates);
  if (read.ok) return { target: of, patch: { due: read.due, dueWords: words.replace(/^(?:at|on|by|for)\s+/i, '') } };
  return { target: of, patch: {}, dateProblem: words };
}

function sureDate(target: string | undefined, value: string | undefined, dates: DateContext): Reading | undefined {
  const reading = dated(target, value, dates);
  return reading.dateProblem === undefined ? reading : undefined;
}

/** Where a date is expected, a bare number is an hour. */
function readDate(words: string, { now, zone }: DateContext): DateResult {
  const isHour = /^(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i.test(words);
  return parseDate(isHour ? `at ${words}` : words, now, zone);
}

function datedOrShifted(target: string | undefined, how: string, dates: DateContext): Reading {
  const by = /^(?:by|for) (.+)$/i.exec(how.trim());
  const shift = by?.[1] && parseDuration(by[1].replace(/\s+(?:later|more)$/i, ''));
  if (shift) return { target: readTarget(target || 'it', dates), patch: { shift } };
  return dated(target, how.replace(/^(?:to|until|till|by|as|for) /i, ''), dates);
}

const moveVerb = String.raw`(?:move|push|shift|bump|bring|pull|slide|carry|roll|postpone|reschedule|re-schedule|delay|defer|put off|put|snooze|extend|prolong|prepone|hold off on|change|make|set|update|switch|swap|modify|edit|have|schedule|adjust|drag|alter)`;

/** "push the report back an hour", "postpone it by a week", "make that tomorrow instead". */
function moved(sentence: Sentence, dates: DateContext): Reading | undefined {
  const body = capture(
    sentence,
    new RegExp(
      String.raw`^(?:actually |no |wait |,)*${moveVerb}(?: (?:back|off|out|forward|up))? (?<rest>.+?)(?: instead)?$`,
      'd',
    ),
  )?.['rest'];
  if (body === undefined) return undefined;
  const verb = sentence.plain;
  const rest = body
    .replace(/\s+instead(?: of .*)?$/i, '')
    .replace(/[.!?]+$/, '')
    .replace(/\s+from\s+(?:\S+\s+)?\S+(?:\s*(?:am|pm))?\s+to\s+/i, ' to ');
  const shifted =
    /^(.+?)\s+(?:(?:back|forward|up|out|off|ahead)\s+)?(?:by\s+|for\s+)?(?:another\s+)?((?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half an|a couple of|a few|\d+)\s+(?:more\s+)?(?:minutes?|mins?|hours?|days?|weeks?|months?|fortnight)|a?\s?half (?:an )?hour)(?:\s+(earlier|later|sooner|forward|back|ahead))?$/i.exec(
      rest,
    );
  const isDistance = shifted && !/\bin\s+\S+\s+\S+$/i.test(rest);
  const duration = isDistance && shifted[2] ? parseDuration(shifted[2].replace(/^another /i, 'a ')) : undefined;
  if (duration && shifted?.[1]) {
    const earlier =
      /\b(?:earlier|sooner)\b/i.test(rest) ||
      /\b(?:up|forward)\b/i.test(rest) ||
      /^(?:bring|pull|move up|prepone)\b/.test(verb);
    const amount = earlier ? -duration.amount : duration.amount;
    return {
      target: readTarget(shifted[1].replace(/\s+(?:back|forward|up|out|off|ahead|by)$/i, ''), dates),
      patch: { shift: { ...duration, amount } },
    };
  }
  const split =
    /^(.+?)\s+(?:forward |back |up |off |out |over )?(?:to be due|to be at|to be on|due on|due by|due|to be|to say|to|until|till|for|at|on|as)\s+(.+)$/i.exec(
      rest,
    );
  const direct = split?.[1] && split[2] ? lastDate(split[1], split[2], rest, dates) : undefined;
  if (direct) return direct;
  const phrase = findDatePhrase(rest, dates.now, dates.zone);
  if (phrase?.due && phrase.start > 0) {
    const target = rest
      .slice(0, phrase.start)
      .replace(/\s+(?:due|to|on|at|for|until|by|be|from .*)+\s*$/i, '')
      .trim();
    return {
      target: readTarget(target || 'it', dates),
      patch: { due: phrase.due, dueWords: phrase.text.replace(/^(?:due |on |at |by |to |for |until )+/i, '') },
    };
  }
  return undefined;
}

/** In "X to Y" the date may be said with a further "at" or "on"; the longest reading that is a date counts. */
function lastDate(first: string, second: string, rest: string, dates: DateContext): Reading | undefined {
  for (const match of rest.matchAll(/\s+(?:due on|due by|due|to be|to|until|till|for|at|on|as)\s+/gi)) {
    const value = rest.slice(match.index + match[0].length);
    const read = readDate(value, dates);
    if (!read.ok) continue;
    const phrase = findDatePhrase(rest, dates.now, dates.zone);
    if (phrase?.due && phrase.start > 0 && phrase.start < match.index && phrase.end >= rest.trimEnd().length)
      return undefined;
    const target = rest
      .slice(0, match.index)
      .replace(/\s+from\s+\S+(?:\s+(?:am|pm|o'clock))?$/i, '')
      .replace(/\s+(?:forward|back|up|off|out|over)$/i, '');
    return { target: readTarget(target, dates), patch: { due: read.due, dueWords: value } };
  }
  const looksLikeDate =
    /^(?:(?:next|this|last|every)\s+)?(?:\S*day|january|february|march|april|may|june|july|august|september|october|november|december)$/i.test(
      second.trim(),
    );
  return looksLikeDate ? { target: readTarget(first, dates), patch: {}, dateProblem: second } : undefined;
}

/** "change milk to oat milk", "replace X with Y", "swap X for Y". */
function replaced(sentence: Sentence, dates: DateContext): Reading | undefined {
  const groups =
    capture(
      sentence,
      /^(?:replace|swap|switch) (?<target>.+?) (?:with|for|by) (?<value>.+?)(?: (?:on|in) (?:my|the) .*)?$/d,
    ) ??
    capture(
      sentence,
      /^(?:change|update|edit|modify|switch|convert|turn|set|correct|alter|fix|amend|revise) (?<target>.+?) (?:to say|to be|so it says|into|to|as) (?<value>.+?)(?: (?:on|in) (?:my|the) .*)?(?: instead)?$/d,
    );
  if (!groups) return undefined;
  const priority = readPriority(groups['value'] ?? '');
  const target = readTarget(groups['target'] ?? '', dates);
  return { target, patch: priority ? { priority } : titled(groups['value']) };
}

/** "edit task 1": which task is clear, what to change is not. */
function untold(sentence: Sentence, dates: DateContext): Reading {
  const groups = capture(
    sentence,
    new RegExp(
      String.raw`^(?:actually )?(?:${moveVerb}|fix|correct|replace|amend|revise|tweak)(?: (?<target>.+?))?(?: (?:time|date))?$`,
      'd',
    ),
  );
  return { target: readTarget(groups?.['target'] ?? 'it', dates), patch: {} };
}
