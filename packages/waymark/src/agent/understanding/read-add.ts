import {
  type Due,
  findDatePhrase,
  findRecurrencePhrase,
  parseDate,
  parseRecurrence,
  type Span,
  withoutSpans,
} from '../../dates/index.ts';
import { capture, unquote } from './capture.ts';
import type { DateContext } from './date-context.ts';
import { findPriority, type Priority } from './priority.ts';
import type { UpdateRequest } from './patch.ts';
import type { Sentence } from './sentence.ts';
import { taskVerb } from './vocabulary.ts';

export interface NewTask {
  readonly title: string;
  readonly due?: Due;
  readonly priority?: Priority;
  readonly description?: string;
  /** How it repeats: an RFC 5545 rule and the words that said so. */
  readonly recurrence?: { readonly rule: string; readonly text: string };
}

export interface AddRequest {
  readonly intent: 'add';
  readonly tasks: readonly NewTask[];
  /** The words that look like a date but are none, and why; then nothing should be added yet. */
  readonly dateProblem?: { readonly text: string; readonly reason: string };
  /** "Add it to my list": what was spoken of last. */
  readonly pronoun?: boolean;
  /** "Add a note to buy milk: the organic one": so read if there is such a task. */
  readonly alternative?: UpdateRequest;
}

const listNoun = String.raw`(?:todo lists?|task lists?|lists?|todos?|tasks|reminders|chores|errands|checklist|things (?:to do|to buy|i need.*)|agenda|groceries)`;
const listPhrase = String.raw`(?:to|on|in|into|onto|for|at) (?:my |the |our |this |that |a |his |her |todays |tomorrows )?(?:\S+ ){0,3}?${listNoun}(?: of (?:\S+ ?){1,4})?`;
const kindNoun = String.raw`(?:(?:new |quick |short |daily |weekly |monthly |recurring |important |personal |another |high priority |low priority |urgent )*(?:tasks?|todos?|reminders?|chores?|errands?|action items?|items?|notes?|entry|alert reminder|todo items?))`;

/** What stands before the title: the command, the kind of thing, and how its name is introduced. */
const openings: readonly RegExp[] = [
  /^(?:my |the |our )?(?:\S+ ){0,2}(?:list|reminders) (?:needs?|should|must|has to|could use|is missing|requires|to)(?: to)?(?: include| have| say| contain)? /,
  /^(?:i|we) (?:want|need|would like) (?:my |the |our )(?:\S+ ){0,2}(?:list|reminders) to (?:include|have|say|contain) /,
  /^not forget(?: to| about)? /,
  /^reminding(?: me)? (?:to|about) /,
  new RegExp(
    String.raw`^(?:on|in|to|for|into|onto|under) (?:my |the |our )(?:\S+ ){0,3}?${listNoun}(?: of \S+)? ?[,:]? (?:please |can you |also )*(?:add|put|include|insert|write|place|append) `,
  ),
  new RegExp(String.raw`^(?:my |the |our )?(?:\S+ ){0,2}list ?[,:]? (?:please )?(?:add|put|include) `),
  new RegExp(
    String.raw`^(?:also |and |then |now |please )*(?:add|put|write|include|insert|append|place|stick|jot|enter|log|note)(?: down)? (?:this |the following )?${listPhrase} ?[:,]? `,
  ),
  new RegExp(
    String.raw`^(?:also |and |then |now |please |quick )*(?:add|adding|create|creating|make|making|set up|setup|set|setting up|setting|new|start|open|schedule|put in|put down|put|enter|log|register|give|have|get|need|want|write down|write|jot down|take|save|insert|record|ask|send|place|build|generate|i (?:would like|want|need)|id like|im gonna need|could use) (?:me |us |myself |up |for me |down |in )*(?:an? |the |another |one more |this |my |some )*${kindNoun}\b(?: (?:in(?= for| to)|set|ready|up|for me|please|sent to me))?(?: ?(?:,|:|-))? ?(?:(?:to|for|about|that|called|named|titled|saying|which says|of|with the title|with title)\b(?: me to| when)? ?)?(?:: ?)?`,
  ),
  new RegExp(
    String.raw`^(?:also |and |then |please )*(?:remind|reming|remined|reminding) (?:me|us|myself|everyone|him|her|them)? ?(?:[:,] ?)?(?:(?:to|about|of|that|i have to|i need to)\b ?)?(?:i (?:have|need) to )?`,
  ),
  /^(?:to )?(?:be|get|getting|have been) reminded (?:to|about|of|that)? ?/,
  /^(?:please )?remember (?:me )?(?:: ?)?(?:(?:to|that|about)\b ?)?(?:i (?:have|need) to )?(?:the |my )?/,
  /^(?:dont|do not|lets not|never|cant|i cant|i must not|i mustnt|i should not)(?: let (?:me|us))? (?:forget|miss|lose track of)(?: (?:to|about|that))?(?: i (?:have|need) to)? ?/,
  /^make sure (?:that )?(?:i|we) (?:dont|do not) (?:forget|miss)(?: (?:to|about))? ?/,
  /^make sure (?:that )?(?:i|we) (?:remember to )?/,
  /^(?:i|we) (?:have|need|must|should|want)(?: to)? (?:remember|not forget)(?: to| about)? ?/,
  /^(?:keep|bear) in mind (?:that )?(?:i (?:have|need) to )?/,
  /^note (?:to self|to myself|to me|that i (?:have|need) to|that|down|:) ?[:,]? ?/,
  /^(?:jot|write|put|mark)(?: (?:this|that|it))? down (?:that )?(?:i (?:have|need) to )?[:,]? ?/,
  /^(?:make|take|leave) (?:me )?(?:an? )?(?:quick |mental |short )?notes? (?:to|that|of|for|about|on|:|saying) ?(?:i (?:have|need) to )?/,
  /^(?:new |next |another |one more |quick )?(?:todo|task|reminder|memo|note|item|shopping|groceries|errand|chore|add)s? ?[:\-–—,] ?/,
  /^(?:new|another|one more) (?:todo|task|reminder|item|chore|errand|note|one)(?: (?:to|for|called))? ?/,
  /^(?:a |another )?(?:reminder|task|alert) (?:to self )?(?:to|for|about|that|of) ?/,
  /^todo /,
  /^(?:alert|notify|ping|nudge|poke|prompt|buzz|tell|message|text) (?:me|us) (?:to |about |that )?/,
  /^(?:(?:i|we) (?:also |still |really )*(?:need|want)|need|(?:im|i am|we are|were|the house is) (?:all |almost |completely |nearly |running )*(?:out of|low on|short on|in need of)|(?:i|we) (?:just |almost )*(?:ran|run) out of|running (?:out of|low on)|almost out of|all out of|out of|low on) (?:some more |some |more |extra )*/,
  /^(?:i|we) (?:need|have|got) to (?=buy|pick up|grab|purchase|get)/,
  /^(?:i|we) (?:gotta|should|must) (?=buy|pick up|grab)/,
  /^(?:(?:and |oh |,)*also|plus|and|along with|one more|another one|ooh and) ?:? (?:add |put )?/,
  /^(?:make sure|ensure|be sure|see that|have|get|i (?:want|need|would like)|id like|i need for|let|we need) (?:that )?/,
  /^(?:also |and |then |please |now )*(?:add|adding|append|insert|put|place|stick|throw|include|get|toss|pop|write|jot|note|pencil in|enter|log|save|record|schedule|type|tack on|list|create|make|have|want|need|keep|set|register|scribble|leave|drop|slip)(?: down| in| up)?(?: (?:the following|this))?\b ?(?:: ?)?/,
];

const closings: readonly RegExp[] = [
  new RegExp(
    String.raw` (?:gets?|is|are|be|to be|being)? ?(?:added|included|placed|put|written|noted) ?(?:${listPhrase})?$`,
  ),
  / on it$/,
  new RegExp(
    String.raw` (?:should|needs? to|must|has to|belongs?|goes?)(?: be| go| get)?(?: added| put| placed)? ${listPhrase}$`,
  ),
  new RegExp(String.raw`(?: (?:down |there )?,? ?|^)${listPhrase}(?: please| for me| thanks| too| as well)*$`),
  / (?:please|thanks|thank you|for me|too|as well|okay|ok)$/,
  / to (?:my )?(?:list of )?(?:clients|groceries)$/,
  / (?:is|are) (?:something|things?|what) (?:i|we) (?:need|want)$/,
];

export function readAdd(sentence: Sentence, dates: DateContext): AddRequest {
  const { opening, body } = titleText(sentence);
  const request = readBody(body, dates);
  const [first] = request.tasks;
  if (!first) return request;
  return { ...request, tasks: request.tasks.map((task) => withOpening(task, opening, dates)) };
}

const nothing =
  /^(?:something|anything|stuff|some things?|something new|(?:to )?do something|(?:(?:an?|the|another|new|one|my|me|together|start|begin|generate|packing|shopping|grocery|todo|to do|work)\s+)*(?:tasks?|reminders?|items?|ones?|lists?|todos?|to-dos?|notes?|entry)(?: (?:for|called|named|of|about) .*)?)?$/i;
const pronoun = /^(?:it|that|this|them|these|this one|that one|this item|these things)$/i;

function readBody(body: string, dates: DateContext): AddRequest {
  const { text: withoutDescription, description } = takeDescription(
    body.replace(/^(\d{1,2}(?::\d\d)?) to /, 'at $1 to '),
  );
  const bare = withoutDescription.trim();
  if (pronoun.test(bare)) return { intent: 'add', tasks: [], pronoun: true };
  if (nothing.test(bare) || /^["“”'\s]+$/.test(bare)) return { intent: 'add', tasks: [] };
  const quoted = quotedTitles(withoutDescription);
  const found = findPriority(withoutDescription);
  const text = found ? cut(withoutDescription, found) : withoutDescription;
  const { spans, due, recurrence, problem } = readWhen(text, dates);
  const shared = {
    ...(found ? { priority: found.priority } : {}),
    ...(description ? { description } : {}),
    ...(due ? { due } : {}),
    ...(recurrence ? { recurrence } : {}),
  };
  const isCut = spans.length > 0 || found !== undefined;
  const rest = cleanTitle(isCut ? withoutSpans(text, spans) : text, isCut);
  const titles = quoted.length > 0 ? quoted : splitItems(rest || cleanTitle(text, true));
  return {
    intent: 'add',
    tasks: titles.map((title) => ({ title, ...shared })),
    ...(problem ? { dateProblem: problem } : {}),
  };
}

interface When {
  readonly spans: readonly Span[];
  readonly due?: Due;
  readonly recurrence?: NonNullable<NewTask['recurrence']>;
  readonly problem?: NonNullable<AddRequest['dateProblem']>;
}

function readWhen(text: string, { now, zone }: DateContext): When {
  const repeats = findRecurrencePhrase(text, now, zone);
  if (!repeats) {
    const phrase = findDatePhrase(text, now, zone);
    if (!phrase) return { spans: [] };
    if (phrase.due) return { spans: phrase.pieces, due: phrase.due };
    return { spans: phrase.pieces, problem: { text: phrase.text.trim(), reason: phrase.problem ?? '' } };
  }
  const blanked = text.slice(0, repeats.start) + ' '.repeat(repeats.end - repeats.start) + text.slice(repeats.end);
  const time = repeats.first.hasTime ? undefined : findDatePhrase(blanked, now, zone);
  const clock = time?.due?.said === 'time' ? time : undefined;
  const whole = clock && parseRecurrence(`${repeats.text} ${clock.text}`, now, zone);
  const first = whole?.ok ? whole.first : repeats.first;
  return {
    spans: clock ? [repeats, ...clock.pieces] : [repeats],
    due: first,
    recurrence: { rule: repeats.rule, text: repeats.text },
  };
}

/** "set a daily reminder", "add a high priority task": what the command itself says of the task. */
function withOpening(task: NewTask, opening: string, { now, zone }: DateContext): NewTask {
  const urgent = /\b(?:high priority|important|urgent)\b/.test(opening)
    ? 'high'
    : /\blow priority\b/.test(opening)
      ? 'low'
      : undefined;
  const rhythm = /\b(?:daily|weekly|monthly)\b/.exec(opening)?.[0];
  const repeats = rhythm && !task.recurrence ? parseRecurrence(rhythm, now, zone) : undefined;
  return {
    ...task,
    ...(urgent && !task.priority ? { priority: urgent } : {}),
    ...(repeats?.ok && rhythm
      ? { recurrence: { rule: repeats.rule, text: rhythm }, due: task.due ?? repeats.first }
      : {}),
  };
}

const embedded =
  /^(?<before>(?!(?:remind|add|set|create|put|make sure|please remind|can you)\b).+?)(?: ,)? (?:so |and |then |please |can you |could you )*(?:remind (?:me|us)|set (?:me )?a reminder|make a reminder)(?: (?:to|about|of|that))?(?: (?<after>.+))?$/d;

/** "on friday remind me to wear green", "I have to leave at 6, remind me". */
export function readEmbeddedReminder(sentence: Sentence, dates: DateContext): AddRequest | undefined {
  const groups = capture(sentence, embedded);
  if (!groups) return undefined;
  const { before = '', after = '' } = groups;
  const inside = after && !isOnlyDate(after, dates) ? readBody(after, dates) : undefined;
  if (!inside) {
    const own = readBody(
      before.replace(/^(?:i|we)(?:'ve| have)(?: got)?(?: to)? /i, '').replace(/^(?:it'?s|it is) /i, ''),
      dates,
    );
    const when = after ? readWhen(after, dates) : undefined;
    return { ...own, tasks: own.tasks.map((task) => ({ ...task, ...(when?.due ? { due: when.due } : {}) })) };
  }
  const when = isOnlyDate(before, dates) ? readWhen(before, dates) : undefined;
  if (!when?.due) return inside;
  const { due, recurrence } = when;
  return {
    ...inside,
    tasks: inside.tasks.map((task) => (task.due ? task : { ...task, due, ...(recurrence ? { recurrence } : {}) })),
  };
}

function isOnlyDate(text: string, { now, zone }: DateContext): boolean {
  return parseDate(text, now, zone).ok || parseRecurrence(text, now, zone).ok;
}

/** The sentence without its opening command and its closing "to my list". */
function titleText(sentence: Sentence): { opening: string; body: string } {
  const { plain } = sentence;
  const from = openings.map((opening) => opening.exec(plain)?.[0].length ?? 0).find((length) => length > 0) ?? 0;
  let to = plain.length;
  for (const closing of closings) {
    const match = closing.exec(plain.slice(from, to));
    if (match && (match.index > 0 || match[0].trim() !== plain.slice(from, to).trim())) to = from + match.index;
  }
  const body = sentence.slice(from, Math.max(from, to)).trim();
  return { opening: plain.slice(0, from), body: body.replace(/^[:,\-–—]\s*/, '') };
}

function takeDescription(text: string): { text: string; description?: string } {
  const match =
    /[\s,;(]+(?:with (?:the |a )?(?:description|note|notes|details?)|description|notes?|details?)\s*(?::|saying|that says)?\s+(.+?)\)?$/i.exec(
      text,
    );
  if (!match?.[1] || match.index === 0 || !/with|:/i.test(match[0])) return { text };
  return { text: text.slice(0, match.index), description: unquote(match[1].replace(/^:\s*/, '')) };
}

function quotedTitles(text: string): string[] {
  const quotes = [...text.matchAll(/"([^"]+)"|“([^”]+)”|(?<=^|\s)'([^']+)'(?=$|[\s,.!?])/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  if (quotes.every((title) => title.trim() === '')) return [];
  const outside = text.replaceAll(/"[^"]+"|“[^”]+”|(?<=^|\s)'[^']+'(?=$|[\s,.!?])/g, ' ').trim();
  // Quotes inside a longer title ("read "Dune" by friday") belong to it.
  const isWhole =
    outside
      .split(/\s+/)
      .filter(
        (word) =>
          word && !/^(?:and|,|plus|to|on|by|for|at|due|with|the|a|task|called|named|titled|it'?s|,?)$/i.test(word),
      ).length <= 4 && /^["“']/.test(text.trim());
  return isWhole ? quotes : [];
}

function cut(text: string, { start, end }: Span): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.replaceAll(/\s+/g, ' ').trim();
}

function cleanTitle(text: string, isCut: boolean): string {
  const title = text
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:[\s,;:.–—-]+|(?:a )?(?:task|reminder|todo)(?: item)? (?:to|for|called|named|about) )+/i, '')
    .replace(/^(?:to|that|about|of)\s+(?=\S)/i, '')
    .replace(/^(?:i|we)(?:'ve| have)? (?:have|need|got) to\s+(?=\S)/i, '')
    .replace(/^(?:i|we)(?:'ve got| have)\s+(?:an?\s+)?(?=\S)/i, '');
  return (
    isCut ? title.replace(/(?:[\s,;:–—-]+|\s+(?:and|due|by|on|at|for|with|to|it'?s|is|that'?s|,))+$/i, '') : title
  )
    .replace(/(?<!\p{Lu}|\.|[^\p{L}\p{N})"'”’])[.?!]+$/u, '')
    .trim();
}

/** "milk, eggs and bread" are three things; "salt and pepper" and "lunch with Ann, Bob and Cy" are one. */
function splitItems(text: string): string[] {
  if (!text) return [];
  if (!text.includes(',')) return [text];
  const parts = text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
    .map((part) => part.trim())
    .filter(Boolean);
  const areVerbs = parts.every((part) => taskVerb.test(part.toLowerCase()));
  const areThings =
    parts.every(
      (part) => part.split(/\s+/).length <= 3 && !/\b(?:with|for|to|from|about|of|at|between)\b/i.test(part),
    ) && !taskVerb.test(text.toLowerCase());
  return parts.length > 1 && (areVerbs || areThings) ? parts : [text];
}
