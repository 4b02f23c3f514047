import { findDatePhrase, parseDuration } from '../../dates/index.ts';
import { capture } from './capture.ts';
import type { DateContext } from './date-context.ts';
import type { Reading, UpdateRequest } from './patch.ts';
import { readPriority } from './priority.ts';
import type { Sentence } from './sentence.ts';
import { readTarget } from './target.ts';
import { readDate, titled, updateForms } from './update-forms.ts';

export function readUpdate(said: Sentence, dates: DateContext): UpdateRequest {
  const sentence = withoutFormer(said);
  for (const { pattern, read } of updateForms) {
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
