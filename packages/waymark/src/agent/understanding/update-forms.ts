import { type DateResult, parseDate, parseDuration } from '../../dates/index.ts';
import { unquote } from './capture.ts';
import type { DateContext } from './date-context.ts';
import type { Patch, Reading } from './patch.ts';
import { readPriority } from './priority.ts';
import { readTarget } from './target.ts';

type Groups = Readonly<Record<string, string>>;

const change =
  '(?:change|set|update|edit|modify|move|make|switch|swap|alter|amend|revise|correct|fix|adjust|put|turn|have)';
const dueField = '(?:due date|due time|deadline|due|date|time|day)';
const nameField = '(?:title|name|wording|text)';

/** Ways to say a change, most particular first. */
export const updateForms: readonly {
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

export function titled(value: string | undefined): Patch {
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
export function readDate(words: string, { now, zone }: DateContext): DateResult {
  const isHour = /^(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i.test(words);
  return parseDate(isHour ? `at ${words}` : words, now, zone);
}

function datedOrShifted(target: string | undefined, how: string, dates: DateContext): Reading {
  const by = /^(?:by|for) (.+)$/i.exec(how.trim());
  const shift = by?.[1] && parseDuration(by[1].replace(/\s+(?:later|more)$/i, ''));
  if (shift) return { target: readTarget(target || 'it', dates), patch: { shift } };
  return dated(target, how.replace(/^(?:to|until|till|by|as|for) /i, ''), dates);
}
