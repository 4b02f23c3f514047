import { capture } from './capture.ts';
import type { DateContext } from './date-context.ts';
import { readFilter, type TaskFilter } from './filter.ts';
import type { Sentence } from './sentence.ts';
import { taskNoun } from './vocabulary.ts';

/** What the person wants to know: the tasks, whether one is there, or one thing about one. */
export type ListQuestion = 'show' | 'more' | 'count' | 'exists' | 'due' | 'status' | 'priority';

export interface ListRequest {
  readonly intent: 'list';
  readonly question: ListQuestion;
  readonly filter: TaskFilter;
  /** The task asked about, or words to search for. */
  readonly name?: string;
}

const onList = String.raw`(?:(?:already |still |also )*(?:on|in|part of|one of) (?:my|the|our|it|there|any)\b.*|on (?:it|there)|in (?:it|there))`;
const aboutOne: readonly (readonly [ListQuestion, RegExp])[] = [
  [
    'due',
    /^(?:when|whens|what (?:day|date|time))(?: is| are| was| s)? (?<name>.+?)(?: task| reminder| todo)? (?:due|supposed to be done|scheduled|set for|set|happening)(?: for| on| by)?(?: \?)?$/d,
  ],
  [
    'due',
    /^(?:when|what time|what day) (?:do|did|am|should|must) (?:i|we) (?:need|have|supposed|set|plan|going)(?: to)? (?<name>.+?)(?: \?)?$/d,
  ],
  [
    'due',
    /^(?:what|whats)(?: is| was)? (?:the )?(?:due date|deadline|due time|date) (?:of|for|on) (?<name>.+?)(?: \?)?$/d,
  ],
  [
    'due',
    /^(?:when|what time|whens)(?: is| was| are)? (?:my |the )?(?:\S+ )?reminder (?:for|to|about) (?<name>.+?)(?: \?)?$/d,
  ],
  [
    'priority',
    /^(?:what|whats|how)(?: is| s)? (?:the )?(?:priority|urgency|importance) (?:of|for|on) (?<name>.+?)(?: \?)?$/d,
  ],
  [
    'status',
    /^(?:is|are|was|were) (?<name>.+?) (?:already |all |still )?(?:done|finished|completed?|checked off|open|pending|unfinished)(?: yet| already)?(?: \?)?$/d,
  ],
  [
    'status',
    /^(?:did|have) (?:i|we) (?:already |ever |even )?(?:finish|finished|complete|completed|do|done|check off|checked off|mark off) (?<name>.+?)(?: yet| already)?(?: \?)?$/d,
  ],
  ['status', /^(?:what|whats)(?: is)? (?:the )?status (?:of|for|on) (?<name>.+?)(?: \?)?$/d],
  [
    'exists',
    new RegExp(
      String.raw`^(?:is|are|was|were|isnt|arent) (?:there )?(?:an? |any )?(?:${taskNoun} |item |entry )?(?:to |for |about |called |named |set for |set to )?(?<name>.+?) ${onList}(?: \?)?$`,
      'd',
    ),
  ],
  [
    'exists',
    new RegExp(
      String.raw`^(?:do|did|have|does|dont|didnt) (?:i|we|you|my \S+|my \S+ list|the \S+ list|the list|my list) (?:already |ever |even |remember to |still )*(?:have|has|had|put|add|added|include|included|write|make a note|note|got|request|say to|say|list|contain|place|create a task to|make a note on my todo list to|need) (?:an? |any |some )?(?<name>.+?) (?:to|on|in|into|onto|for) (?:my|the|our|it|there)\b.*$`,
      'd',
    ),
  ],
  [
    'exists',
    new RegExp(
      String.raw`^(?:do|did|have|is|are) (?:i|we|there|you) (?:already |ever |got |have |set up |set |make |made |create |created |request |requested |added |add |put in )*(?:an? |any |the )(?:reminders?|tasks?|todos?|notes?|items?) (?:set up |set |in |on my list |already )*(?:to|for|about|that says|called|named|regarding) (?<name>.+?)(?: \?)?$`,
      'd',
    ),
  ],
  [
    'exists',
    /^(?:does|do) (?:my|the|our) (?:\S+ ){0,2}(?:list|todos|reminders|tasks) (?:have|include|contain|say|say to|say i need to) (?<name>.+?)(?: (?:on|in) it)?(?: \?)?$/d,
  ],
  [
    'exists',
    /^(?:check|see|tell me|look to see|find out|can you see|verify|confirm)(?: and see)? (?:if|whether|that) (?:there (?:is|are) )?(?:i (?:have|put|added) )?(?:an? |any |some )?(?:reminder (?:for|to) )?(?<name>.+?) (?:is |are )?(?:on|in) (?:my|the|our) .*$/d,
  ],
];

const searches: readonly RegExp[] = [
  /\b(?:tasks|todos|reminders|items|ones|anything|everything) (?:with|that (?:contain|have|include|say)|containing) (?:the word )?(?<name>.+?)(?: in (?:it|them|the title))?(?: \?)?$/d,
  /\b(?:about|mentioning|that mention|mention|containing|regarding|related to|with the word|named|called|that says?|concerning) (?<name>.+?)(?: \?)?$/d,
  /^(?:search|find|look)(?: \S+){0,3} (?:list|tasks|todos|reminders) for (?<name>.+?)(?: \?)?$/d,
  /^(?:search|find|look up|look for) (?:for )?(?<name>.+?) (?:in|on|among) (?:my|the) .*$/d,
];

const generic = new RegExp(
  String.raw`^(?:anything|something|it|that|${taskNoun}|things?|stuff|any|my list|the list|items?|everything|what|there|to do|left|due)$`,
);

export function readList(sentence: Sentence, dates: DateContext): ListRequest {
  const { plain } = sentence;
  if (
    /^(?:show|list|read|give|see|tell|and|what)?(?: me| us)? ?(?:more|the rest|the others|the next (?:page|ones)|next page|what else)(?: please)?(?: \?)?$/.test(
      plain,
    )
  ) {
    return { intent: 'list', question: 'more', filter: {} };
  }
  for (const [question, pattern] of aboutOne) {
    const name = clean(capture(sentence, pattern)?.['name'] ?? '');
    if (!name || generic.test(name.toLowerCase()) || isFilterOnly(name, dates)) continue;
    return { intent: 'list', question, filter: {}, name };
  }
  const { filter } = readFilter(withoutQuotes(plain).replace(/^open(?: up)? /, ''), dates);
  const question = /\bhow many\b|^count\b|\bnumber of\b/.test(plain) ? 'count' : 'show';
  const name = searches
    .map((pattern) => clean(capture(sentence, pattern)?.['name'] ?? ''))
    .find((text) => text && !generic.test(text.toLowerCase()) && !isFilterOnly(text, dates));
  return { intent: 'list', question, filter: plainFilter(plain, filter), ...(name ? { name } : {}) };
}

/** "What did I finish this week" asks for what is done. */
const asksForDone =
  /\b(?:did|have) (?:i|we)\b.*\b(?:finish|finished|complete|completed|done|accomplish|accomplished|get done)\b/;

/** "What needs to be done" and "what should I get done" do not ask for what is done. */
function plainFilter(plain: string, filter: TaskFilter): TaskFilter {
  if (asksForDone.test(plain)) return { ...filter, completed: true };
  if (filter.completed !== true) return filter;
  if (
    /\b(?:need|needs|have|has|got|get|getting|to be|should|must|be|left) (?:\S+ )?(?:done|finished|completed)\b|\bcomplete (?:list|todo)\b/.test(
      plain,
    )
  ) {
    const { completed: _ignored, ...rest } = filter;
    return rest;
  }
  return filter;
}

function isFilterOnly(text: string, dates: DateContext): boolean {
  return (
    readFilter(text, dates)
      .rest.replaceAll(/\b(?:my|the|a|for|on)\b/g, '')
      .trim() === ''
  );
}

function withoutQuotes(plain: string): string {
  return plain.replaceAll(/\bquoted\b/g, ' ');
}

function clean(text: string): string {
  return text
    .trim()
    .replace(/[\s?.!,]+$/, '')
    .replace(/^(?:the|my|our|an?|any|some)\s+/i, '')
    .replace(/^(?:task|reminder|todo|item)s?\s+(?:about|for|to|called|named)?\s*(?=\S)/i, '')
    .replace(/\s+(?:task|reminder|todo|item)s?$/i, '')
    .replace(/\s+(?:already|yet)$/i, '')
    .replace(/^["“'](.+)["”']$/, '$1')
    .trim();
}
