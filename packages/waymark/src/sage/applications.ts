import { dueDay, findDatePhrase, formatDate, wallClockAt } from '../dates/index.ts';

export interface MentionedApplication {
  /** The sentence in which the learner spoke of it, without the date. */
  readonly context: string;
  readonly plannedDate: string;
  /** The message without that sentence. */
  readonly rest: string;
}

const occasions =
  /\b(?:calls?|meetings?|interviews?|presentations?|pitch(?:es)?|talks?|conversations?|reviews?|negotiations?|exams?|demos?|workshops?|one[- ]on[- ]one|1:1|appraisals?|deadlines?|client visits?|chat with|speak(?:ing)? (?:with|to)|meet(?:ing)? (?:with|my|the)|proposal|report)\b/i;
const past =
  /\b(?:was|were|had|went|yesterday|last (?:week|month|year|monday|tuesday|wednesday|thursday|friday)|ago)\b/i;

/** Hears that somebody will need what they learn: "I have a pricing call on Tuesday". */
export function findApplication(message: string, now: Date, zone: string): MentionedApplication | undefined {
  for (const match of message.matchAll(/[^.!?\n]+[.!?]*/g)) {
    const [sentence] = match;
    if (!occasions.test(sentence) || past.test(sentence) || sentence.length > 300) continue;
    const phrase = findDatePhrase(sentence, now, zone);
    const date = phrase?.due && dueDay(phrase.due.value, zone);
    if (!date) continue;
    const planned = formatDate(date);
    if (planned < formatDate(wallClockAt(now, zone).date)) continue;
    const context = sentence
      .trim()
      .replace(/[.!?]+$/, '')
      .replace(/^(?:and|but|also|so|because|well)[, ]+/i, '');
    return { context, plannedDate: planned, rest: message.replace(sentence, ' ').trim() };
  }
  return undefined;
}

/** "your pricing call": what to call it when asking about it. */
export function occasionOf(context: string): string {
  const match =
    /\b(?:my|a|an|the|our|this|another|big|first)\s+((?:[\w'-]+\s+){0,3}?(?:calls?|meetings?|interviews?|presentations?|pitch|talk|conversation|review|negotiation|exam|demo|workshop|one[- ]on[- ]one|appraisal|deadline|proposal|report))\b/i.exec(
      context,
    ) ??
    /\b(call|meeting|interview|presentation|pitch|talk|conversation|review|negotiation|exam|demo|workshop|proposal|report)\b/i.exec(
      context,
    );
  const noun = match?.[1]?.replace(/^(?:a|an|the|my)\s+/i, '');
  return noun ? `your ${noun}` : `what you planned (“${context}”)`;
}
