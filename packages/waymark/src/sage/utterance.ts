import { wordsOf } from './words.ts';

/** What a learner does with a message besides answering. */
export interface Utterance {
  readonly words: number;
  readonly isGreeting: boolean;
  readonly isYes: boolean;
  readonly isNo: boolean;
  /** Does not follow, or has no answer. */
  readonly isLost: boolean;
  /** Says they know it, or asks to be tested. */
  readonly claimsToKnow: boolean;
  readonly wantsAnswer: boolean;
  readonly wantsMore: boolean;
  readonly wantsLess: boolean;
  readonly wantsOtherWay: boolean;
  readonly wantsToSkip: boolean;
  readonly wantsToStop: boolean;
  readonly wantsPractice: boolean;
  /** Opens with a wish to learn something. */
  readonly namesGoal: boolean;
  readonly isTired: boolean;
  /** Is a question and little else. */
  readonly asks: boolean;
}

const short = 14;

export function readUtterance(text: string): Utterance {
  const words = wordsOf(text).length;
  const brief = words <= short;
  const is = (pattern: RegExp, whenBrief = true) => (!whenBrief || brief) && pattern.test(text);
  return {
    words,
    isGreeting:
      words <= 5 &&
      /^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|yo|start|let'?s (?:go|start|begin)|begin|ready|i'?m ready|ok(?:ay)?)\b/i.test(
        text,
      ),
    isYes: is(
      /^\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|absolutely|definitely|i (?:can|could|think so)|of course|certainly|let'?s)\b/i,
    ),
    isNo: is(/^\W*(?:no|nope|not (?:yet|really|sure)|nah|i (?:can'?t|don'?t think so|doubt))\b/i),
    isLost: is(
      /\bi(?:'m| am)? (?:don'?t|do not|didn'?t|can'?t) (?:really |quite |even )?(?:understand|get|follow|know|remember|see (?:it|why|how))|\bno (?:idea|clue)\b|\bidk\b|\bdunno\b|\b(?:i'?m|i am|am|so|totally|still|bit) (?:confused|lost|stuck)\b|^\W*(?:confused|lost|huh|what)\W*$|\bmakes no sense\b|\bwhat do you mean\b|^\W*(?:not sure|pass)\W*$|\bi'?m not sure\W*$/i,
    ),
    claimsToKnow: is(
      /\b(?:already|i) know (?:this|that|it|all)\b|\btest me\b|\btest out\b|\bquiz me\b|\bi(?:'m| am) (?:already )?(?:good at|familiar|confident)\b|\blet me prove\b|\bcheck me\b/i,
    ),
    wantsAnswer: is(
      /\b(?:just |please )?(?:tell|give) me (?:the|your) (?:right |correct )?(?:answer|solution)\b|\bwhat(?:'s| is) the (?:right |correct )?answer\b/i,
    ),
    wantsMore: is(
      /\bmore (?:detail|depth|about this|background)|\bgo deeper\b|\bdeeper\b|\btell me more\b|\bwhy is that\b|\bin depth\b/i,
    ),
    wantsLess: is(
      /\bshorter\b|\btoo (?:long|much)\b|\btl;?dr\b|\bsimpler\b|\bkeep it (?:short|simple)\b|\bin short\b|\bbriefly\b/i,
    ),
    wantsOtherWay: is(
      /\b(?:another|different|other) (?:way|example|explanation|approach)\b|\bexplain (?:it |that |this )?(?:again|differently|once more)\b|\bgive me an example\b|\bfor example\?|\bexplain (?:it|this|that)\b/i,
    ),
    wantsToSkip: is(/\b(?:skip|next one|move on|something else|next topic|next concept)\b/i),
    wantsToStop: is(
      /\b(?:i (?:have|need|got) to (?:go|leave|run|stop)|gotta (?:go|run)|(?:let'?s|can we) (?:stop|finish|end)|that'?s (?:enough|all) for (?:today|now)|end (?:the )?session|bye|i'?m done)\b/i,
    ),
    wantsPractice: is(
      /\b(?:role[- ]?play|practi[cs]e (?:this|that|it|with|the|a conversation)|(?:can|could|let'?s|want to|like to) (?:we )?practi[cs]e|rehearse|simulate)\b/i,
    ),
    namesGoal:
      /^\W*(?:(?:hi|hello|hey|ok|actually|instead|well|no|today)[,.! ]+)*(?:i(?:'d| would)? (?:like|want|need|wish) to (?:learn|get better|be able|understand|improve|become|know how|work on|study|switch)|teach me|help me (?:learn|get better|understand|with|to)|(?:let'?s|can we) (?:learn|switch to|work on|do|talk about|study)|switch to|my goal is)\b/i.test(
        text,
      ),
    asks: is(/^[^.!?]*\?\s*$/) && /\b(?:what|how|why|who|when|which|is|are|does|do|can)\b/i.test(text),
    isTired: is(
      /\b(?:i'?m|i am|feeling|getting) (?:so |very |really |a bit |too )?(?:tired|exhausted|sleepy|overwhelmed)\b|\bbrain is (?:fried|mush)\b/i,
    ),
  };
}
