import { unquote } from './capture.ts';
import { readFilter, type TaskFilter } from './filter.ts';
import { type DateContext } from './date-context.ts';

/** Which task or tasks a sentence speaks of. */
export type Target =
  | { readonly kind: 'none' }
  | { readonly kind: 'pronoun'; readonly plural: boolean }
  /** Numbers in the list shown last; -1 is its last entry. */
  | { readonly kind: 'positions'; readonly positions: readonly number[] }
  | { readonly kind: 'all'; readonly filter: TaskFilter }
  | { readonly kind: 'name'; readonly text: string; readonly said: string; readonly every: boolean };

const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
  '5th': 5,
  '6th': 6,
  '7th': 7,
  '8th': 8,
  '9th': 9,
  '10th': 10,
  last: -1,
  top: 1,
  latter: -1,
  former: 1,
  bottom: -1,
};
const cardinal = 'one|two|three|four|five|six|seven|eight|nine|ten';
const ordinal =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1st|2nd|3rd|\\d{1,3}th|last|top|bottom|former|latter';
const noun =
  '(?:tasks?|todos?|to-dos?|to dos?|reminders?|items?|entry|entries|ones?|chores?|errands?|options?|things?)';

const pronouns =
  /^(?:its|my task|my reminder|our task|our reminder|my item|a task|a reminder|it|that|this|that one|this one|that task|this task|that reminder|this reminder|the task|the reminder|that item|this item|the item|the same(?: one)?|the one|task|item|reminder|that thing|one)$/;
const pluralPronouns =
  /^(?:them|these|those|both|both of (?:them|those|these)|them both|these (?:two|tasks|ones)|those (?:two|tasks|ones)|them all|all of (?:them|those|these)|all (?:of )?(?:these|those)|both tasks|both ones|both reminders)$/;

const everything = new RegExp(
  String.raw`^(?:(?:all|everything|every|each|the whole|whole|entire|the entire|any)\b.*|(?:the |my |our |this |that )*(?:\S+ ){0,3}(?:lists?|todos|to-dos|to dos|tasks|reminders|chores|items|list items|list contents|contents of .*)(?: (?:on|in|from|of|for) .*)?|(?:the |my |our |all )*(?:completed|finished|done|overdue|open|pending|old|high priority|low priority|medium priority|urgent) (?:tasks|ones|todos|items|reminders|stuff|things)|(?:the )?(?:completed|finished|done|overdue) ones?|(?:the )?(?:completed|finished|overdue))$`,
);

/** Reads what stands where a command names its task. */
export function readTarget(text: string, dates: DateContext): Target {
  const trimmed = tidy(text);
  const lower = trimmed.toLowerCase();
  if (lower === '') return { kind: 'none' };
  if (/^["“'‘]/.test(trimmed) && unquote(trimmed) !== trimmed) return named(unquote(trimmed), unquote(trimmed), false);
  if (pronouns.test(lower)) return { kind: 'pronoun', plural: false };
  if (pluralPronouns.test(lower)) return { kind: 'pronoun', plural: true };
  const positions = readPositions(lower);
  if (positions) return { kind: 'positions', positions };
  if (everything.test(lower)) return everythingOrName(trimmed, lower, dates);
  const both = /^(?:both|all|every|each|all of|both of)(?: of)?(?: the| my)? (.+)$/i.exec(trimmed);
  if (both?.[1]) return named(nameOf(both[1]), both[1], true);
  const name = nameOf(trimmed);
  return name ? named(name, trimmed, false) : { kind: 'pronoun', plural: false };
}

/** `said` keeps words such as "reminder", which may be part of a title. */
function named(text: string, said: string, every: boolean): Target {
  return { kind: 'name', text, said: said.replace(/^(?:the|my|our|that|this)\s+/i, ''), every };
}

/** "all my tasks" is everything; "all meeting tasks" is every task of that name. */
function everythingOrName(text: string, lower: string, dates: DateContext): Target {
  const { filter, rest } = readFilter(lower, dates);
  const name = rest
    .replaceAll(
      new RegExp(
        String.raw`\b(?:all|everything|every|each|whole|entire|of|the|my|our|any|that|which|is|are|was|with|them|me|list|lists|shopping|grocery|groceries|todo|contents?|for|on|in|from|off|out|items?|single|thing|things|stuff|marked|as|i|have|currently|and|so|far|already|been|s|thats|${noun})\b`,
        'g',
      ),
      ' ',
    )
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (name === '') return { kind: 'all', filter };
  const pattern = /^(?:all|every|each|both)(?: of)?(?: the| my)? (.+)$/i.exec(text);
  const said = pattern?.[1] ?? text;
  return named(nameOf(said), said, true);
}

export function readPositions(lower: string): number[] | undefined {
  const text = lower
    .replace(/^(?:the |my |that |this |and |maybe |option |choose |pick |i mean |i meant |just |only )+/, '')
    .replace(
      /(?: (?:please|thanks|on (?:the|my) list|from (?:the|my) list|in (?:the|my) list|off (?:the|my) list))+$/,
      '',
    );
  const firsts = /^first (two|three|four|five|\d) ?(?:\w+)?$/.exec(text);
  if (firsts?.[1]) return Array.from({ length: numberOf(firsts[1]) ?? 0 }, (_one, index) => index + 1);
  const single = `(?:(?:${noun} )?(?:numbers?|no\\.?|#|${noun})? ?#? ?(?:\\d{1,3}|${cardinal})|(?:${ordinal})(?: ${noun})?)`;
  const pattern = new RegExp(`^${single}(?:(?: ?,| and| &|, and)+ (?:the )?${single})*$`);
  if (!pattern.test(text) || /^(?:one|ones)$/.test(text)) return undefined;
  const found = [...text.matchAll(new RegExp(`\\d{1,3}(?:th|st|nd|rd)?|\\b(?:${cardinal}|${ordinal})\\b`, 'g'))]
    .map(([word]) => numberOf(word))
    .filter((value) => value !== undefined);
  const withoutFiller = found.length > 1 ? found.filter((_value, index) => !isFiller(text, index)) : found;
  return withoutFiller.length > 0 ? withoutFiller : undefined;
}

/** In "the second one" the last word is no number. */
function isFiller(text: string, index: number): boolean {
  const words = [...text.matchAll(new RegExp(`\\d{1,3}(?:th|st|nd|rd)?|\\b(?:${cardinal}|${ordinal})\\b`, 'g'))];
  const [before, word] = [words[index - 1], words[index]];
  if (word?.[0] !== 'one' || !before) return false;
  return (
    text.slice(before.index + before[0].length, word.index).trim() === '' &&
    new RegExp(`^(?:${ordinal})$`).test(before[0])
  );
}

function numberOf(word: string): number | undefined {
  return numberWords[word] ?? (/^\d+/.test(word) ? Number.parseInt(word, 10) : undefined);
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/^[\s:,.-]+/, '')
    .replace(/\s*,\s*(?:we|i|because|since|as|it|he|she|they|you|there|no need|take|please)\b.*$/i, '')
    .replace(/[\s.,!?;]+$/, '')
    .replace(
      /(?:[\s,]+(?:please|thanks|thank you|for me|now|right now|right away|immediately|asap|at once|no questions(?: asked)?|without asking|i'?m sure|already|anymore|any more|any longer|instead|too|as well|off))+$/i,
      '',
    )
    .replace(/^(?:off|out|up)\s+/i, '')
    .replace(
      /\s+(?:from|off|out of|on|in|of|for)(?: of)?\s+(?:my|the|our|this|that|todays?|today's)?\s*(?:\S+\s+){0,2}?(?:lists?|todos|to-dos|to dos|tasks|reminders|chores)$/i,
      '',
    )
    .replace(/\s+(?:from|off)\s+(?:there|it)$/i, '')
    .trim();
}

/** "the task called X", "my reminder to call mom", "the passport one" without the words around the name. */
function nameOf(text: string): string {
  let name = text
    .replace(
      /^(?:the |my |that |this )?(?:reminders?|tasks?|todos?|one|ones|thing)(?: that)? i (?:set|made|created|added|have|put)(?: (?:up|for|about|to|on))*\s+(?=\S)/i,
      '',
    )
    .replace(
      new RegExp(
        String.raw`^(?:the |my |our |that |this |a |an )?${noun} (?:called|named|titled|about|to|for|of|that says|which says|saying|regarding|with|on|:)?\s*(?=\S)`,
        'i',
      ),
      '',
    )
    .replace(/^(?:the |my |our |that |this |a |an )+(?=\S)/i, '')
    .replace(/^(?:one|ones) (?:about|called|named|for|to|that says|with)\s+/i, '')
    .trim();
  if (!/^(?:old|new|recent|next|daily|weekly|other|same) \S+$/i.test(name))
    name = name.replace(new RegExp(String.raw`\s+${noun}$`, 'i'), '').trim();
  name = name.replace(/^called\s+/i, '').trim();
  return unquote(name.replace(/[\s.,!?;:]+$/, ''));
}
