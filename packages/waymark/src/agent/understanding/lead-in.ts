/** Politeness and filler around a request, and what kind of request the politeness made it. */
export interface Stripped {
  readonly from: number;
  readonly to: number;
  /** "I need to …", "I want to …": a wish, not yet an order; it never completes anything. */
  readonly wish: boolean;
  /** "Can I …?" */
  readonly permission: boolean;
}

const names = String.raw`(?:olly|alexa|siri|google|cortana|assistant|bot|agent|computer|there|buddy|friend|waymark|dear|man|dude|everyone)`;
const filler = new RegExp(
  String.raw`^(?:(?:hi|hey|hello|yo|good morning|good evening|good afternoon)(?: ${names})?|${names}(?= ,)|ok|okay|well|so|um|uh|er|hmm|alright|all right|right|now|oh|ah|great|cool|thanks|thank you|sorry|excuse me|yes|yeah|yep|sure|perfect|then|and then|next|first|finally please|oops|wait|actually(?= ,? ?(?:delete|remove|get rid|erase|cancel|mark|add|change|rename|show|complete|drop|take|forget|remind|reschedule|postpone)\b)|if you (?:can|could|would)|when you (?:can|get a chance)|,|\.|-|please|kindly|just|quickly|simply|maybe|perhaps|go ahead and|go on and|do me a favor and|do me a favour and|be so kind (?:as to|and)|be a dear and|be sure to|make sure to|make sure you|make sure that you|try to|help me to|help me|help to|help|feel free to|you (?:can|may|could|should|must|need to|have to|might want to|will need to)(?: (?:now|please|go ahead and))?|i think you (?:should|can)|for me|also please|i guess|i suppose|real quick|one more thing|by the way|btw|fyi|hurry and|time to|its time to)\b ?`,
);
const request =
  /^(?:(?:can|could|would|will|wont|cant|couldnt|would it be possible for) you(?: (?:please|kindly|also|maybe|possibly|just|now|quickly|help me|help me to|help to|go ahead and|go and|be able to|mind))*|are you able to|is it possible (?:for you )?to|would it be possible to|do you (?:think|mind)(?: you (?:can|could))?(?: if)?|i (?:was wondering|wonder|am wondering|was hoping) (?:if )?you (?:can|could|would|might)|why (?:dont you|not)|i (?:need|want|would like|d like|would love|wish|require|expect)(?: for)? you to(?: please)?|id (?:like|love|prefer|appreciate it if you would)(?: for)? you (?:to|could)?|id like to (?:ask|request|have) you to|i ask you to|please)\b ?/;
const wishPattern =
  /^(?:(?:i|we) (?:really |just |also |still |do |now |kinda |would )*(?:need|want|have|would like|like|wish|got|ought|am going|m going|was going|plan|am trying|love|would love)(?: also)? to|(?:i|we)(?:d| would| should|ll| will)(?: really| also| just)? (?:like|love|want|need|prefer)(?: to)?|id (?:really |also )?(?:like|love|prefer|want)(?: to)?|(?:i|we) (?:gotta|wanna|gonna|should|must|ll|will)|im (?:trying|going|looking|gonna|hoping|ready|about)(?: to)?|were (?:trying|going) to|ill|lets|let us|let me|need to|want to|wanna|gotta|trying to|looking to)\b ?/;
const permissionPattern =
  /^(?:(?:can|could|may|might) (?:i|we)(?: please| also| just)?|am i able to|is it ok if i)\b ?/;
const wishIsObject = /^(?:a|an|another|some|my|the|more|new|reminders?)\b/;

const trailing =
  / ?(?:please|thanks|thank you|thank you very much|thanks a lot|thx|for me|ok|okay|would you|will you|could you|can you|if you (?:can|could|would|dont mind)|asap|right now|right away|immediately|buddy|olly|alexa|google|now|\.|!|,|:\)|again please)$/;

export function stripLeadIn(plain: string): Stripped {
  let from = 0;
  let to = plain.length;
  let wish = false;
  let permission = false;
  for (let round = 0; round < 8; round++) {
    const rest = plain.slice(from, to);
    const polite = filler.exec(rest) ?? request.exec(rest);
    if (polite && polite[0].length < rest.length) {
      if (isTitle(polite[0], rest)) break;
      from += polite[0].length;
      continue;
    }
    const wished = wishPattern.exec(rest);
    if (wished && wished[0].length < rest.length && !isWishForObject(wished[0], rest)) {
      wish ||= !/^(?:lets|let us|let me)\b/.test(wished[0]);
      from += wished[0].length;
      continue;
    }
    const permitted = permissionPattern.exec(rest);
    if (!permitted || permitted[0].length === rest.length) break;
    permission = true;
    from += permitted[0].length;
  }
  for (let round = 0; round < 4; round++) {
    const tail = trailing.exec(plain.slice(from, to));
    if (!tail || tail.index === 0) break;
    to -= tail[0].length;
  }
  return { from, to, wish, permission };
}

/** "Next task: …" and "right now" are not filler. */
function isTitle(lead: string, rest: string): boolean {
  return (
    /^(?:next|first|right|now|time to|well) ?$/.test(lead) &&
    /^(?:next|first|right|now|time|well) (?:task|todo|one|step|reminder|week|month|hand|:)/.test(rest)
  );
}

/** "I'd like a reminder": the wish itself is the request. */
function isWishForObject(lead: string, rest: string): boolean {
  return wishIsObject.test(rest.slice(lead.length)) && !/\bto ?$/.test(lead);
}
