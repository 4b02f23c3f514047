import type { Rule } from './intent.ts';
import { entryNoun, finished } from './vocabulary.ts';

/** Comes before the rules of update: "change the status to done" completes. */
export const statusRules: readonly Rule[] = [
  {
    id: 'mark-done',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?:mark|set|put|flag|change|make|move|turn|switch|update|label|log|record|consider|count|call|treat|show|list|register|note|report|tag)\b.*\b(?:(?:as|to|is|are|into|under|in|it|that|them|this|off|status|task|item|one|reminder|todo|thing|chore|ones|tasks|todos|all|everything|both|\d|quoted|list|things) (?:being |been |now |all |already |the )?${finished}|${finished})(?: list| section| column| pile| on (?:my|the) .*| from (?:my|the) .*| in (?:my|the) .*| for (?:today|now).*)?$`,
    ),
    unless: new RegExp(
      String.raw`^(?:show|list)\b(?!.*\bas\b)|\b(?:not|un) ?${finished}\b|^(?:call|note|make|put|set) (?:a|an|up)\b|\b(?:lists?) of\b|^make sure\b|^(?:change|switch|turn) (?:the )?(?:lights?|tv|alarm)`,
    ),
    example: 'mark call mom as done',
  },
];

/** Orders to complete something. What people report as done is in rules-statement. */
export const completeRules: readonly Rule[] = [
  {
    id: 'mark-off',
    intent: 'complete',
    when: /^put (?:a )?(?:check|tick|checkmark|check mark) |^(?:check|tick|mark|cross|scratch)(?:ing)? (?:off\b|.*\boff\b)|^(?:tick|check) (?:the|my|that|this|number|task|item|quoted|both|all|#|\d).*\b(?:box|as (?:done|complete|completed|finished)|complete|done)\b|^tick\b/,
    unless: /^(?:tick|check) (?:tock|out)|^(?:check|mark) (?:if|whether|off (?:the|my) calendar)/,
    example: 'check off walk the dog',
  },
  {
    id: 'mark-it',
    intent: 'complete',
    when: /^mark (?:it|that|this|them|the (?:first|second|third|last|other) one|(?:number|task|item) \w+)$/,
    example: 'mark number 2',
  },
  {
    id: 'complete-list-of',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:the |a |my )?(?:complete|full|entire|whole) (?:list|todo|shopping|grocery|reminder)\b`,
    ),
    example: 'complete list please',
  },
  {
    id: 'done-all-tasks',
    intent: 'complete',
    ours: true,
    when: /^(?:complete|completing|finish|finishing|finish off|finish up|conclude|fulfill|wrap up|check as done|accomplish|archive|resolve|close out|close off|conclude)\b(?=.)/,
    unless:
      /\b(?:lyrics?|story|joke|quote|dispute|purchase|checkout|registration|sign up|survey for me|transaction)\b|^(?:finish|complete|conclude) (?:a|an|the|my|your) (?:sentence|conversation|story|chat|quote|lyrics?)\b|^(?:complete|finish)(?:ly|d|ing) (?:up|off|alone|different)\b/,
    example: 'finish the groceries task',
  },
  {
    id: 'close-task',
    intent: 'complete',
    when: new RegExp(String.raw`^close (?:out )?(?:.*\b${entryNoun}\b|number|#|\d|it\b|that\b)`),
    unless: /\b(?:door|window|app|account|browser|tab|blinds?|curtains?|garage|conversation)\b/,
    example: 'close the task about the printer',
  },
  {
    id: 'done-prefix',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?:(?:task|todo|item|reminder|chore|list|mission|job|assignment)s? (?:is |are |all |now )?${finished}\b|(?:all )?(?:done|finished|completed|did|done deal)(?: :| -|,)? (?:with|for|and dusted|on|:|-|number|task|item|#|\d|the|my|that|it|this|quoted|all|everything)\b|(?:all )?(?:done|finished|completed)(?: it| that| them| now| already)?$|done and (?:dusted|done)\b|(?:thats|(?:that|this|the \\S+) ones) (?:all |now )?(?:done|finished|completed|taken care of|it done)|(?:both|all|everything|they|it|this|that|those|these)(?: of (?:them|those|these))?(?: is| are| s|s)? (?:all |now |already |finally )*${finished})`,
    ),
    unless:
      /\?$|^(?:did) (?:i|you|we|he|she|they|it)\b|^did (?:the|my|your|our|that) (?:\S+ )+(?:win|lose|die|come|go|call|get|arrive|ship|pass|work|happen|start|end|close|open|clear|post|play|text|change|say|tie|score|sell)\b|\b(?:for the day|talking|here|arguing|with you)$/,
    example: 'done with it',
  },
];
