export type Verdict = 'yes' | 'no' | 'unclear';

const negative =
  /\b(?:no|nope|nah|naw|not|never|dont|don't|do not|cannot|can't|wont|won't|cancel|stop|keep|wait|hold on|hold off|leave|abort|forget|nevermind|never mind|changed my mind|undo|nay|negative|skip|refuse|refrain|mistake|wrong|instead|rather|unless|if|but|except|maybe|perhaps|later|unsure|hmm+|think)\b/i;
const yesWord = String.raw`(?:yes|yeah|yea|yep|yup|ya|yah|aye|sure|sure thing|ok|okay|okey|k|correct|right|exactly|indeed|absolutely|definitely|certainly|affirmative|confirm|confirmed|i confirm|of course|please do|do it|do that|go ahead|go for it|proceed|continue|please|yes please|by all means|i am sure|im sure|i'm sure|i'm certain|i am certain|that's right|thats right|thats correct|that's correct|all right|alright|fine|go on|yessir|positive|yes sir|yes ma'am|make it so|sounds good|agreed|approve|approved|100%|totally|for sure|obviously|you bet|uh huh|mhm|mm-?hmm|y|👍|✅)`;
const object = String.raw`(?:(?:delete|remove|erase|get rid of|complete|finish|mark|do|add|drop|clear|trash)(?: (?:it|that|them|this|all|everything|all of them|both|that one|the task|those|these|them all|the tasks|it all|as done|as complete|done|please|now|for me))*)`;
const clearYes = new RegExp(
  String.raw`^${yesWord}(?:[\s,.!-]+(?:${yesWord}|${object}|i do|i am|i want to|that is|it is|you can|you may|and|now|thanks|thank you|for me|with it|ahead|please))*[\s.!]*$`,
  'iu',
);

const clearNo =
  /^(?:no|nope|nah|naw|n|never|negative|nay|cancel|stop|keep|don'?t|do not|wait|hold on|abort|never ?mind|forget it|leave|not|absolutely not|definitely not|certainly not|of course not|no way|👎|❌)\b/i;

/**
 * Whether an answer to "are you sure?" is a clear yes. Any negation makes it a no, and what is
 * neither is unclear; nothing is deleted on an unclear answer.
 */
export function readConfirmation(message: string): Verdict {
  const text = message.trim().replaceAll('’', "'").toLowerCase();
  if (text === '') return 'unclear';
  if (clearYes.test(text) && !/\b(?:not|don'?t|do not|never|no)\b/.test(text)) return 'yes';
  if (clearNo.test(text) || isRefusal(text)) return 'no';
  return 'unclear';
}

function isRefusal(text: string): boolean {
  if (!negative.test(text)) return false;
  return /\b(?:don'?t|do not|not|never|keep|leave|cancel|stop|changed my mind|nevermind|never mind|abort|hold off|no)\b/.test(
    text,
  );
}
