import { capture } from './capture.ts';
import type { DateContext } from './date-context.ts';
import { doneVerbs } from './rules-statement.ts';
import type { Sentence } from './sentence.ts';
import { readTarget, type Target } from './target.ts';
import { finished } from './vocabulary.ts';

export interface CompleteRequest {
  readonly intent: 'complete';
  readonly target: Target;
  /** Said as a report ("I bought the milk"), with the plain form of its verb. */
  readonly report: boolean;
  readonly verb?: string;
}

export interface DeleteRequest {
  readonly intent: 'delete';
  readonly target: Target;
}

const deletePatterns: readonly RegExp[] = [
  /^(?:find|go to|open|access|look up|pull up|go into|check|get|search|locate|from|in|on)\b(?: (?:my|the) (?:\S+ ){0,3}(?:lists?|todos|reminders|tasks))?(?<found>.*?)(?: on (?:my |the )?list)?(?: ,)? (?:and |then |please )*(?:remove|delete|erase|take off|clear|get rid of|cross off|take out|cancel)(?: (?<object>.+))?$/d,
  /^(?:my |the |our )?(?:\S+ ){0,2}lists? ?[,:]? (?:please )?(?:remove|delete|erase|take off|cross off) (?<object>.+)$/d,
  /^(?:remove|delete|erase|take|drop|cross) (?:from|off) (?:my |the |our )?(?:\S+ ){0,2}(?:lists?|todos|reminders) (?<object>.+)$/d,
  /^(?:stop reminding me|dont remind me|do not remind me|never remind me|quit reminding me|(?:i|we) (?:dont|do not|no longer) (?:want|need|wish) to be reminded|no need to remind me)(?: (?:to|about|of|that))?(?: (?<object>.+?))?(?: anymore| any more)?$/d,
  /^(?:i|we)?(?: really| also)? ?(?:dont|do not|no longer|wont|will not|never)(?: (?:need|want|have|require|care))+(?: (?:a|the|my|any|that))?(?: (?:reminder|task)s?)?(?: (?:to|for|about))? (?<object>.+?)(?: (?:on|in) (?:my|the) .*)?(?: anymore| any more| any longer)?(?: ,.*)?$/d,
  /^(?:theres |there is )?no (?:longer )?need (?:to|for) (?<object>.+?)(?: (?:on|in) (?:my |the )?(?:\S+ )?list)?(?: anymore| any more)?$/d,
  /^no more reminders? (?:about|for|to) (?<object>.+)$/d,
  /^(?<object>.+?) (?:(?:is|are) no longer (?:needed|necessary|required|relevant|happening)|(?:isnt|arent|is not|are not) (?:needed|necessary|relevant|happening) (?:anymore|any more)|(?:can|should|must|needs? to|has to) (?:go|be (?:deleted|removed|erased|dropped|taken off)|come off)\b.*)$/d,
  /^(?:i want|i need|i would like|id like|get|make sure) (?<object>.+?) (?:deleted|removed|erased|gone|taken off|off)(?: (?:from|of|my|the) .*)?$/d,
  /^(?:turn off|disable|silence|deactivate|shut off|switch off|mute|dismiss|end|stop)\b (?<object>.+)$/d,
  /^never ?mind (?:about )?(?<object>.+)$/d,
  /^(?:delete|deleting|remove|removing|erase|erasing|discard|trash|bin|scrap|ditch|nix|axe|purge|eliminate|unlist|get rid of|getting rid of|do away with|dump|toss out|toss|throw away|throw out|forget about|forgetting about|exclude|omit|take away|take off|take out|take|cross off|cross out|cross|scratch off|scratch|strike off|strike out|strike|pull|wipe out|wipe clean|wipe|drop|kick|knock|lose|leave|clear out|clear off|clear|clean out|clean up|empty out|empty|reset|flush|kill|nuke|cancel|call off|forget|abandon|skip|x out|get)(?: (?<object>.+))?$/d,
];

export function readDelete(sentence: Sentence, dates: DateContext): DeleteRequest {
  for (const pattern of deletePatterns) {
    const groups = capture(sentence, pattern);
    if (!groups) continue;
    const object =
      [groups['object'], groups['found']].find((text) => text && !/^(?:it|them|that|item)$/i.test(text)) ??
      groups['object'] ??
      '';
    return { intent: 'delete', target: readTarget(object, dates) };
  }
  return { intent: 'delete', target: readTarget(sentence.slice(0), dates) };
}

const markPatterns: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:change|set|update|switch|move|turn|put|make) (?:the )?status (?:of|for|on) (?<object>.+?) (?:to|as) ${finished}.*$`,
    'd',
  ),
  new RegExp(
    String.raw`^(?:mark|set|put|flag|change|make|move|turn|switch|update|label|log|record|consider|count|call|treat|register|report|tag)(?: off| down)?(?: (?<object>.+?))?(?:s status)?(?: (?:as|to|is|are|into|under|in|being|been|now|all|already|the|down))* ${finished}(?: (?:list|section|column|pile|on|from|in|for)\b.*)?$`,
    'd',
  ),
  /^put (?:a )?(?:check ?mark|check|tick) (?:next to|on|by|beside|in front of) (?<object>.+)$/d,
  /^(?:check|tick) (?:the )?box (?:for|of|on|next to) (?<object>.+)$/d,
  /^(?:check|tick|mark|cross|scratch)(?:ing)? off (?<object>.+)$/d,
  /^(?:check|tick|mark|cross|scratch) (?<object>.+?) off\b.*$/d,
  new RegExp(String.raw`^(?:check|tick|mark)(?: (?<object>.+?))?(?: as)?(?: ${finished})?$`, 'd'),
  /^(?:complete|completing|finish off|finish up|finishing|finish|conclude|fulfill|wrap up|accomplish|archive|resolve|close out|close off|close)(?: (?<object>.+))?$/d,
  new RegExp(String.raw`^(?:task|todo|item|reminder|chore|job)s? ${finished} ?[:,-] ?(?<object>.+)$`, 'd'),
];

const adverbs = String.raw`(?: (?:finally|already|just|now|actually|successfully|also|even|today|earlier|literally|totally|completely|all|both|officially))*`;
const reportPatterns: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:(?:i|we)(?: have| had| ve| did)?|ive|weve|im|i am|we are|were)?${adverbs} ?(?:done and dusted|done|finished|through|completed|did|got through)${adverbs}(?: ?[:,-])? (?:with |doing |up |off |all of |all )*(?<object>.+?)(?: (?:done|finished|today|already|now|yesterday|this morning|just now|at last))*$`,
    'd',
  ),
  new RegExp(
    String.raw`^(?:(?:i|we)(?: have| had| ve| did)?|ive|weve)?${adverbs} ?(?<verb>${doneVerbs}|taken care of|written|put|voted|worked out|gone to|taken|seen to|driven|given|spoken)\b${adverbs}(?: (?<object>.+?))?(?: (?:today|already|now|yesterday|this morning|just now|at last|done|finally|last night))*$`,
    'd',
  ),
  new RegExp(
    String.raw`^(?<object>.+?)(?: (?:is|are|was|were|has been|have been|has|got|gets|been|s|now|all))+${adverbs} (?<verb>\S+(?: \S+){0,3})$`,
    'd',
  ),
  new RegExp(String.raw`^(?<object>.+) (?:completed|done|finished)$`, 'd'),
];

const everythingSaid =
  /^(?:all|everything|all (?:of )?(?:my |the )?(?:tasks|chores|todos|items|list)|both|it|that|this|they|them)\b/i;

export function readComplete(sentence: Sentence, isReport: boolean, dates: DateContext): CompleteRequest {
  const order = isReport ? undefined : firstCapture(sentence, markPatterns);
  if (order) return { intent: 'complete', report: false, target: readTarget(order['object'] ?? '', dates) };
  const report = firstCapture(sentence, reportPatterns);
  const object = report?.['object'] ?? '';
  const verb = report?.['verb'] ? baseVerb(report['verb'].toLowerCase()) : undefined;
  const target = readTarget(object.replace(/^(?:'s|s)\s+/, ''), dates);
  if (target.kind === 'all' && !everythingSaid.test(object)) {
    return {
      intent: 'complete',
      report: true,
      target: { kind: 'name', text: object, said: object, every: false },
      ...(verb ? { verb } : {}),
    };
  }
  return { intent: 'complete', report: true, target, ...(verb ? { verb } : {}) };
}

function firstCapture(sentence: Sentence, patterns: readonly RegExp[]) {
  for (const pattern of patterns) {
    const groups = capture(sentence, pattern);
    if (groups) return groups;
  }
  return undefined;
}

const irregular: Readonly<Record<string, string>> = {
  bought: 'buy',
  paid: 'pay',
  sent: 'send',
  rang: 'ring',
  fed: 'feed',
  made: 'make',
  wrote: 'write',
  written: 'write',
  read: 'read',
  built: 'build',
  hung: 'hang',
  met: 'meet',
  went: 'go',
  'went to': 'go',
  took: 'take',
  'took out': 'take',
  'took care of': 'take',
  taken: 'take',
  did: 'do',
  got: 'get',
  brought: 'bring',
  ran: 'run',
  cut: 'cut',
  spoke: 'speak',
  told: 'tell',
  sold: 'sell',
  found: 'find',
  swept: 'sweep',
  withdrew: 'withdraw',
  froze: 'freeze',
  dealt: 'deal',
  'dealt with': 'deal',
  put: 'put',
  set: 'set',
  'set up': 'set',
  gone: 'go',
  driven: 'drive',
  given: 'give',
};

function baseVerb(past: string): string {
  const first = past.split(' ')[0] ?? past;
  const known = irregular[past] ?? irregular[first];
  if (known) return known;
  const bare = first.replace(/ied$/, 'y').replace(/ed$/, '');
  return /([bdgklmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}
