import type { Classification } from './classify.ts';
import type { Intent } from './intent.ts';
import { foreign, question, taskVerb } from './vocabulary.ts';

export type OtherTopic =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'how-to'
  | 'help'
  | 'undo'
  | 'private'
  | 'negated'
  | 'bare'
  | 'foreign';

export interface OtherRequest {
  readonly intent: 'other';
  readonly topic: OtherTopic;
  /** The whole message, for a question whether to add it. */
  readonly text: string;
  /** What is asked about in a how-to question. */
  readonly about?: Intent;
  /** What it would mean if it is about one of the tasks. */
  readonly candidate?: Intent;
}

const smallTalk =
  /^(?:yes|yeah|yep|no|nope|nah|ok|okay|k|maybe|perhaps|sure|fine|great|cool|nice|awesome|wow|lol|haha|huh|what|why|really|stop|wait|cancel|never ?mind|forget it|sorry|please|hmm+|good|bad|right|wrong|whatever|none|nothing|never|always|absolutely|definitely|done|location|cooking|test|testing|ping|start over|repeat|continue|next|back|exit|quit|again|pardon)(?: (?:it|that|this|please|not|then|so|later|again|thanks|what|sounds good|idea|job|one))*$/;

export function readOther({ core, rule, candidate }: Classification, whole: string): OtherRequest {
  const text = core.slice(0).replace(/[\s.!?]+$/, '');
  const plain = whole
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s']/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const base = { intent: 'other' as const, text, ...(candidate ? { candidate } : {}) };
  if (rule === 'how-to' || rule === 'asking-permission' || rule === 'hypothetical') {
    return { ...base, topic: 'how-to', ...aboutWhat(plain) };
  }
  if (rule === 'what-can-you-do') return { ...base, topic: 'help' };
  if (rule === 'undo') return { ...base, topic: 'undo' };
  if (rule === 'somebody-elses') return { ...base, topic: 'private' };
  if (rule === 'negated-command') return { ...base, topic: 'negated' };
  if (
    /^(?:hi|hey|hello|yo|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|what'?s up|how are you.*|how'?s it going)(?: (?:there|everyone|waymark|bot|assistant|again))?$/.test(
      plain,
    )
  )
    return { ...base, topic: 'greeting' };
  if (
    /^(?:thanks?|thank you|thx|cheers|ty|much appreciated|great thanks|ok thanks|perfect thanks)\b(?: .{0,30})?$/.test(
      plain,
    )
  )
    return { ...base, topic: 'thanks' };
  if (/^(?:bye|goodbye|good night|see you|see ya|later|cya|farewell)\b/.test(plain))
    return { ...base, topic: 'farewell' };
  if (
    /^(?:help|help me|what can you do.*|who are you|what are you|commands|menu|options|instructions?.*|are you (?:a |an )?(?:bot|robot|ai|human).*|what is this)$/.test(
      plain,
    )
  )
    return { ...base, topic: 'help' };
  if (candidate || rule !== undefined) return { ...base, topic: 'foreign' };
  return { ...base, topic: isBare(plain, whole) ? 'bare' : 'foreign' };
}

function aboutWhat(plain: string): { about?: Intent } {
  const verbs: readonly (readonly [Intent, RegExp])[] = [
    ['delete', /\b(?:delet|remov|eras|get rid|clear)/],
    ['complete', /\b(?:complet|finish|done|check off|mark)/],
    ['update', /\b(?:chang|updat|renam|edit|mov|reschedul|priorit|modif)/],
    ['add', /\b(?:add|creat|mak|new|set)/],
    ['list', /\b(?:list|show|see|view|display|find)/],
  ];
  const found = verbs.find(([, pattern]) => pattern.test(plain));
  return found && /\b(?:task|todo|to-do|reminder|list|item|something|one|it)s?\b/.test(plain)
    ? { about: found[0] }
    : {};
}

/** A few words that name a thing or a deed and could well be a task: "groceries", "call mom". */
function isBare(plain: string, whole: string): boolean {
  const words = plain.split(' ');
  if (plain === '' || !/\p{L}{2}/u.test(plain) || words.length > 7 || /[?]/.test(whole)) return false;
  if (smallTalk.test(plain) || question.test(plain)) return false;
  if (
    /^(?:i|i'm|im|you|he|she|it|we|they|this|that|my|your|there|if|because|so|but|and|or|can|could|would|will|should|may|let|let's|lets|tell|show|play|turn|open|start|stop|set|who|why|how|more|give me|find|search|look)\b/.test(
      plain,
    )
  )
    return false;
  if (/\b(?:is|are|was|were|am|please|you|your|me)\b/.test(plain)) return false;
  return taskVerb.test(plain) || !foreign.test(plain);
}
