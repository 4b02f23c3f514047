import type { Rule } from './intent.ts';
import { entryNoun, taskNoun } from './vocabulary.ts';

const change = String.raw`(?:delet|remov|add|creat|complet|mark|chang|renam|updat|eras|clear|cancel|edit|mov|touch|drop|finish|check)`;

/** Sentences that name a command without giving one. They come first, on the whole message. */
export const guardRules: readonly Rule[] = [
  {
    id: 'how-to',
    intent: 'other',
    when: /^(?:how (?:do|can|could|should|would|to|does|did|come|might|will)|hows? (?:it|that) |why (?!dont you\b|not\b)|what (?:happens|if|does|did you|do you mean|would happen)\b|whats the (?:best |easiest |right )?way|what is the (?:best |easiest |right )?way|is there (?:a|any) (?:way|method|command)|(?:can|could|would|will) you (?:please )?(?:explain|show me how|tell me how|teach)|(?:tell|show) me how\b|explain\b|teach me\b|where (?:can|do) i\b|whats the (?:command|difference)|i (?:dont|do not) know how)/,
    unless: new RegExp(
      String.raw`^(?:how (?:do|does) (?:my|the|our) (?:\S+ )?${taskNoun} look|why not |tell me how (?:many|much|long)|show me how (?:many|much)|what (?:does|did) (?:my|the|our|you) .*\b(?:${taskNoun}|remind)\b)`,
    ),
    example: 'how do I delete a task?',
  },
  {
    id: 'negated-command',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:no ,? ?)?(?:(?:please )?(?:dont|do not|never|not)(?: you)?(?: dare)?(?: ever)?|(?:i|we) (?:dont|do not|didnt|did not|wont|will not|never|cant|cannot|would never)(?: (?:want|need|mean|wish|plan|like)(?: you| it)?)?(?: to)?(?: be)?) (?:just )?${change}(?:e|ed|ing|d|s|ted|ting)?\b`,
    ),
    unless: /^(?:dont|do not) (?:forget|let)|\bfinish(?:ed)?\b.*\b(?:reopen|uncheck|mark)/,
    example: "please don't delete anything",
  },
  {
    id: 'report-of-a-command',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:i|you|we|he|she|they|it|who|someone|somebody|my \w+|thanks for|thank you for|that)(?: (?:have|has|had|ve|just|already|accidentally|finally|almost|nearly|was|were|keep|kept|love|like|hate|enjoy|might|may|could have|should have))* (?:${change}(?:ed|ted|led|d|ing|ting)|renamed|removed|deleted|changed|created|added|updated|moved)\b`,
    ),
    unless:
      /\b(?:completed|finished|checked off|finish|complete)\b|\b(?:i|we)(?: have| ve| just| already| finally)* (?:updated|changed|moved|created|cleared|canceled|cancelled|edited|removed|deleted) (?:the|my|our|all)\b/,
    example: 'I accidentally deleted milk from the list',
  },
  {
    id: 'asking-permission',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:(?:can|could|may|should|shall|do|am) i|is it (?:possible|ok|okay)|are you (?:able|allowed)|can you even|should (?:i|we))\b.*\b(?:undo|${change}e?)\b(?: (?:a|an|any|some|several|multiple|old|completed|the same))+ (?:${entryNoun}|delete|deletion|change)\b(?!.* (?:called|named|to (?!me\b|the list\b|my list\b)|for))`,
    ),
    example: 'can I delete a task?',
  },
  {
    id: 'undo',
    intent: 'other',
    when: /^(?:(?:can|could|may) (?:i|you|we) )?(?:please )?(?:undo|revert|redo)\b(?!.*\b(?:completion|complete|done|finished|check)\b)/,
    example: 'undo that',
  },
  {
    id: 'what-can-you-do',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:what|which) (?:else )?(?:${entryNoun} |kinds? of \w+ |sort of \w+ |types? of \w+ |commands? |things )?(?:can|could|do|are) you (?:able to )?(?:do|help|manage|understand|handle|perform|accomplish|capable|good)|^(?:can|could|do|are|will|would) you (?:able to |even |also )?(?:set|make|create|do|keep|manage|handle|have|support|know) (?:\w+ )?(?:reminders|lists|tasks|todos)(?: \?)?$|^(?:can|could|will|would) you help(?: me)?(?: (?:with|out).*)?(?: \?)?$|^(?:instructions|help|options|menu|usage|manual)\b(?!.*\b${taskNoun}\b)`,
    ),
    example: 'what tasks can you do for me',
  },
  {
    id: 'about-tasks-in-general',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:what|whats|what is|what are|define|who invented)(?: is| are)?(?: (?:a|an|the (?:point|purpose|meaning|definition|best) (?:of|for)(?: an?)?))+ (?:good |best )?(?:${taskNoun}|todo list)(?: app| manager)?(?: \?)?$`,
    ),
    example: "what's a to-do list?",
  },
  {
    id: 'somebody-elses',
    intent: 'other',
    when: new RegExp(
      String.raw`\b(?:another|other|different|some other) (?:user|person|people|account|customer)s?\b|\b(?:someone|somebody|anyone|everyone|everybody) ?(?:else)?s? (?:elses )?${taskNoun}\b|\b(?:all|other) users\b`,
    ),
    example: "give me another user's tasks",
  },
  {
    id: 'arithmetic',
    intent: 'other',
    when: /^(?:add|subtract|multiply|divide|sum|take)(?: up)? (?:the )?(?:numbers? )?\$?\d[\d.,]*(?: (?:and|to|plus|with|from|by|,|\+) \$?\d[\d.,]*)+(?: together)?$/,
    example: 'add 17 and 25',
  },
  {
    id: 'feelings-about-commands',
    intent: 'other',
    when: new RegExp(
      String.raw`^(?:i|we) (?:love|like|hate|enjoy|miss|prefer|was thinking (?:about|of)|am thinking (?:about|of)|thought about|was going to|might|may|am afraid of|regret) (?:to )?(?:${change}(?:e|ing|ting)?|making|having|using|being)\b`,
    ),
    example: 'I hate having chores',
  },
  {
    id: 'hypothetical',
    intent: 'other',
    when: /^(?:if|suppose|imagine|say|when|whenever|unless|assuming) (?:i|you|we|someone)\b(?!.*, (?:please )?(?:remind|add|create|set|put|delete|remove|mark|show)\b)(?!.*\b(?:please )?remind me\b)/,
    example: 'if I delete something, can it come back',
  },
];
